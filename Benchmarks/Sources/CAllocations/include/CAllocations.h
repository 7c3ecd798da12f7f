#ifndef CALLOCATIONS_H
#define CALLOCATIONS_H

#include <stdbool.h>
#include <stdint.h>

/// Whether allocations can be counted on this platform.
bool allocations_are_counted(void);

/// How many allocations all threads have made since the process began.
uint64_t allocations_made(void);

/// How many bytes of the heap are in use, with what the allocator itself needs for them.
uint64_t heap_bytes_in_use(void);

#endif
