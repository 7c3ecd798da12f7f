#include "CJunctorCore.h"

#include <pthread.h>
#include <stdlib.h>

__thread junctor_thread *junctor_current_thread;

static junctor_thread *all_threads;
static pthread_key_t leave_key;
static pthread_once_t leave_once = PTHREAD_ONCE_INIT;

// A record outlives its thread and serves a later one; there are never more of them than threads at a time.
static void leave_thread(void *value) {
  junctor_thread *record = value;
  junctor_current_thread = 0;
  __atomic_store_n(&record->taken, 0, __ATOMIC_RELEASE);
}

static void make_key(void) {
  if (pthread_key_create(&leave_key, leave_thread) != 0) { abort(); }
}

junctor_thread *junctor_enter_thread(void) {
  pthread_once(&leave_once, make_key);
  junctor_thread *record = __atomic_load_n(&all_threads, __ATOMIC_ACQUIRE);
  for (; record; record = record->next) {
    int32_t expected = 0;
    if (__atomic_load_n(&record->taken, __ATOMIC_RELAXED) == 0 &&
        __atomic_compare_exchange_n(&record->taken, &expected, 1, 0, __ATOMIC_ACQUIRE,
                                    __ATOMIC_RELAXED)) {
      break;
    }
  }
  if (!record) {
    // Two cache lines of its own, so that no thread's announcements disturb another's.
    void *memory = 0;
    if (posix_memalign(&memory, 128, (sizeof(junctor_thread) + 127) / 128 * 128) != 0) { abort(); }
    record = memory;
    for (int i = 0; i < JUNCTOR_PINS; i++) { record->pins[i] = 0; }
    for (int i = 0; i < 3; i++) { record->room[i] = 0; }
    record->depth = 0;
    record->chain = 0;
    record->ticks = 0;
    record->taken = 1;
    record->next = __atomic_load_n(&all_threads, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(&all_threads, &record->next, record, 0, __ATOMIC_RELEASE,
                                        __ATOMIC_RELAXED)) {
    }
  }
  // Others may be reading, to see whether the thread is doing something: the last one that had the record was not.
  for (int i = 0; i < 3; i++) { __atomic_store_n(&record->room[i], 0, __ATOMIC_RELAXED); }
  junctor_current_thread = record;
  pthread_setspecific(leave_key, record);
  return record;
}

junctor_thread *junctor_last_thread(void) { return __atomic_load_n(&all_threads, __ATOMIC_ACQUIRE); }

void junctor_retire(void *object) {
  void *marked = (void *)((uintptr_t)object | 1);
  junctor_thread *record = __atomic_load_n(&all_threads, __ATOMIC_SEQ_CST);
  for (; record; record = record->next) {
    for (int i = 0; i < JUNCTOR_PINS; i++) {
      if (__atomic_load_n(&record->pins[i], __ATOMIC_SEQ_CST) != object) { continue; }
      swift_retain(object);
      void *expected = object;
      if (!__atomic_compare_exchange_n(&record->pins[i], &expected, marked, 0, __ATOMIC_ACQ_REL,
                                       __ATOMIC_ACQUIRE)) {
        swift_release(object);
      }
    }
  }
  swift_release(object);
}

// MARK: Calls

// Here and not in a header: in a function of its own the loop has every register to itself.
const junctor_closure *junctor_call_closures(
    const junctor_closure *first, const junctor_closure *end, const uintptr_t *changed,
    const void *argument, void **error) {
  typedef __attribute__((swiftcall)) void (*function)(
      const void *, __attribute__((swift_context)) void *,
      __attribute__((swift_error_result)) void **);
  for (; first != end && first->code != 0; first++) {
    // Acquiring: what happened before a removal on another thread is seen by whoever sees the removal.
    if (__builtin_expect(__atomic_load_n(changed, __ATOMIC_ACQUIRE) != 0, 0)) { break; }
    void *thrown = 0;
    ((function)first->code)(argument, (void *)first->context, &thrown);
    if (__builtin_expect(thrown != 0, 0)) {
      *error = thrown;
      return first + 1;
    }
  }
  return first;
}

// MARK: History

uint32_t junctor_history_users = 0;

void *junctor_mark_outermost(junctor_thread *record, void *marker) {
  // Still announced, so there to be retained; the mark makes `junctor_unpin` release what is found there.
  void *pinned = __atomic_load_n(&record->pins[0], __ATOMIC_ACQUIRE);
  void *object = swift_retain((void *)((uintptr_t)pinned & ~(uintptr_t)1));
  pinned = __atomic_exchange_n(&record->pins[0], (void *)((uintptr_t)marker | 1), __ATOMIC_ACQ_REL);
  // A writer has left a reference of its own meanwhile; one is enough.
  if (((uintptr_t)pinned & 1) != 0) { swift_release(object); }
  return object;
}
