#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "CAllocations.h"

#if defined(__linux__)
#include <features.h>
#endif

#if defined(__GLIBC__)

#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stddef.h>

// The executable's definitions of malloc and its kin take the place of glibc's in every library that is loaded; the
// real ones stay reachable under these names.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *pointer);

// One counter a thread, on a cache line of its own: counting costs a plain addition, so that it does not distort the
// times. Counters are never given back; threads beyond the last share the last one.
enum { counter_count = 1024 };
typedef struct {
  _Alignas(64) _Atomic uint64_t value;
} counter;
static counter counters[counter_count];
static _Atomic uint32_t used = 0;
static __thread counter *own __attribute__((tls_model("initial-exec"))) = NULL;

static inline void count_one(void) {
  counter *mine = own;
  if (__builtin_expect(mine == NULL, 0)) {
    uint32_t index = atomic_fetch_add_explicit(&used, 1, memory_order_relaxed);
    mine = &counters[index < counter_count ? index : counter_count - 1];
    own = mine;
  }
  if (__builtin_expect(mine == &counters[counter_count - 1], 0)) {
    atomic_fetch_add_explicit(&mine->value, 1, memory_order_relaxed);
  } else {
    uint64_t value = atomic_load_explicit(&mine->value, memory_order_relaxed);
    atomic_store_explicit(&mine->value, value + 1, memory_order_relaxed);
  }
}

void *malloc(size_t size) {
  count_one();
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  count_one();
  return __libc_calloc(count, size);
}

void *realloc(void *old, size_t size) {
  count_one();
  return __libc_realloc(old, size);
}

void *memalign(size_t alignment, size_t size) {
  count_one();
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  count_one();
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
  if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0) { return EINVAL; }
  count_one();
  void *made = __libc_memalign(alignment, size);
  if (made == NULL) { return ENOMEM; }
  *result = made;
  return 0;
}

void free(void *pointer) { __libc_free(pointer); }

bool allocations_are_counted(void) { return true; }

uint64_t allocations_made(void) {
  uint64_t sum = 0;
  for (int index = 0; index < counter_count; index++) {
    sum += atomic_load_explicit(&counters[index].value, memory_order_relaxed);
  }
  return sum;
}

uint64_t heap_bytes_in_use(void) {
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

#else

bool allocations_are_counted(void) { return false; }
uint64_t allocations_made(void) { return 0; }
uint64_t heap_bytes_in_use(void) { return 0; }

#endif
