#ifndef CTHREADSANITIZER_H
#define CTHREADSANITIZER_H

// Linking this is all that is needed for Swift's mutexes; see CThreadSanitizer.c.

#include <stdbool.h>

/// Whether the program runs under the thread sanitizer. It notes every call that a thread is in, and dies when these are
/// more than 65,536, long before the stack is used up.
bool junctor_thread_sanitizer_is_on(void);

#endif
