// Lets the thread sanitizer see Swift's `Mutex` on Linux when two threads meet at it.
//
// The first attempt to lock is inlined where it is made and is seen; the path taken when the lock is held lies in the
// toolchain's libswiftSynchronization, which is not instrumented, so that each meeting looked like a race. The three
// functions below take the place of the library's in the tests and in the programs that they start, call them, and tell the
// sanitizer what happened. Without the sanitizer nothing of this is there.

#include "CThreadSanitizer.h"

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define HAS_THREAD_SANITIZER 1
#endif
#endif

bool junctor_thread_sanitizer_is_on(void) {
#ifdef HAS_THREAD_SANITIZER
  return true;
#else
  return false;
#endif
}

#if defined(HAS_THREAD_SANITIZER) && defined(__linux__)

#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

extern void __tsan_acquire(void *address);
extern void __tsan_release(void *address);

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *self

typedef SWIFT void (*lock_function)(uint32_t, SELF);
typedef SWIFT bool (*try_lock_function)(SELF);
typedef SWIFT void (*unlock_function)(SELF);

static void *next(const char *name) {
  void *found = dlsym((void *)-1L /* RTLD_NEXT */, name);
  if (!found) { abort(); }
  return found;
}

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

SWIFT void junctor_lock_slow(uint32_t thread, SELF) __asm__(LOCK);
SWIFT bool junctor_try_lock_slow(SELF) __asm__(TRY_LOCK);
SWIFT void junctor_unlock_slow(SELF) __asm__(UNLOCK);

SWIFT void junctor_lock_slow(uint32_t thread, SELF) {
  static lock_function original;
  if (!__atomic_load_n(&original, __ATOMIC_ACQUIRE)) {
    __atomic_store_n(&original, (lock_function)next(LOCK), __ATOMIC_RELEASE);
  }
  original(thread, self);
  __tsan_acquire(self);
}

SWIFT bool junctor_try_lock_slow(SELF) {
  static try_lock_function original;
  if (!__atomic_load_n(&original, __ATOMIC_ACQUIRE)) {
    __atomic_store_n(&original, (try_lock_function)next(TRY_LOCK), __ATOMIC_RELEASE);
  }
  bool locked = original(self);
  if (locked) { __tsan_acquire(self); }
  return locked;
}

SWIFT void junctor_unlock_slow(SELF) {
  static unlock_function original;
  if (!__atomic_load_n(&original, __ATOMIC_ACQUIRE)) {
    __atomic_store_n(&original, (unlock_function)next(UNLOCK), __ATOMIC_RELEASE);
  }
  __tsan_release(self);
  original(self);
}

#endif
