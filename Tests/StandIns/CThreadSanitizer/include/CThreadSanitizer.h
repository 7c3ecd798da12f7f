#ifndef CTHREADSANITIZER_H
#define CTHREADSANITIZER_H
// Nothing to call: linking this is all. See CThreadSanitizer.c.
#endif
