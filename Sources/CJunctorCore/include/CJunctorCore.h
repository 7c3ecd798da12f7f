#ifndef CJUNCTORCORE_H
#define CJUNCTORCORE_H

#include <stdbool.h>
#include <stdint.h>

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

// The Swift runtime's own entry points (docs/ABI/RuntimeFunctions in the Swift repository). Swift source may not
// name them; a C header may. They are for native Swift objects only.

extern void *_Nullable swift_tryRetain(void *object);
extern void *swift_retain(void *object);
extern void swift_release(void *object);
extern void *swift_unownedRetain(void *object);
extern void swift_unownedRelease(void *object);
extern bool swift_isDeallocating(void *object);

/// Retains the object and returns it, or returns null once its deinitialiser has begun.
static inline void *_Nullable junctor_try_retain(void *object) { return swift_tryRetain(object); }
static inline void junctor_release(void *object) { swift_release(object); }
static inline void *junctor_unowned_retain(void *object) { return swift_unownedRetain(object); }
static inline void junctor_unowned_release(void *object) { swift_unownedRelease(object); }
static inline bool junctor_is_deallocating(void *object) { return swift_isDeallocating(object); }

// MARK: Calls

/// A Swift closure of the form `(Argument) throws -> Void` with a generic argument, as its two words.
typedef struct junctor_closure {
  uintptr_t code;
  uintptr_t context;
} junctor_closure;

/// Whether closures may be called by their words: not where these are signed.
static inline bool junctor_may_call_closures(void) {
#if defined(__has_feature)
#if __has_feature(ptrauth_calls)
  return false;
#endif
#endif
  return true;
}

/// Calls closures in a row, each with the same argument, until one has no code, one throws, or `*changed` is not 0, which is
/// read before each call. They are not retained: the caller holds them.
///
/// Returns the first that was not called. If the one before that threw, its error is in `*error`, at +1; otherwise that
/// is left as it was.
const junctor_closure *junctor_call_closures(
    const junctor_closure *first, const junctor_closure *end, const uintptr_t *changed,
    const void *argument, void *_Nullable *_Nonnull error);

/// Stores a word that others read atomically; seen by whoever sees a later store of this thread's.
static inline void junctor_store(uintptr_t *word, uintptr_t value) {
  __atomic_store_n(word, value, __ATOMIC_SEQ_CST);
}

// MARK: Pins

// A reader announces the snapshot that it walks in a record of its own thread (a hazard pointer: M. Michael, "Hazard
// Pointers", IEEE TPDS 15(6), 2004), so that readers share no memory that any of them writes. A writer that takes a
// snapshot out of a list hands every thread that has announced it one reference and marks the announcement; the
// reader finds the mark when it withdraws and releases that reference. Nothing is left on a list for later.

/// How many walks one thread may have open before it takes a reference like everybody else.
#define JUNCTOR_PINS 15

typedef struct junctor_thread {
  void *_Nullable pins[JUNCTOR_PINS];
  struct junctor_thread *_Nullable next;
  /// What a mechanism keeps of the calls that are nested deeply on this thread.
  void *_Nullable chain;
  uint32_t depth;
  uint32_t ticks;
  int32_t taken;
  /// Room for what one mechanism alone keeps of the thread, in a layout of its own; all zero at first.
  uint64_t room[3];
} junctor_thread;

extern __thread junctor_thread *_Nullable junctor_current_thread;

/// Gives the calling thread a record, for good until it ends.
junctor_thread *junctor_enter_thread(void);

/// The record that was made last; `next` leads to all the others, those of threads that have ended among them.
junctor_thread *_Nullable junctor_last_thread(void);

/// The calling thread's record.
static inline junctor_thread *junctor_thread_record(void) {
  junctor_thread *record = junctor_current_thread;
  return __builtin_expect(record != 0, 1) ? record : junctor_enter_thread();
}

/// Withdraws the innermost announcement and releases the reference that a writer may have left with it.
static inline void junctor_unpin(junctor_thread *record) {
  uint32_t depth = record->depth - 1;
  record->depth = depth;
  void *pinned = __atomic_exchange_n(&record->pins[depth], (void *)0, __ATOMIC_ACQ_REL);
  if (__builtin_expect(((uintptr_t)pinned & 1) != 0, 0)) {
    swift_release((void *)((uintptr_t)pinned & ~(uintptr_t)1));
  }
}

/// Announces `found` as what the calling thread is about to read. It may be read once its source was seen to hold it
/// still. The caller checks that the depth allows it.
static inline void junctor_pin(junctor_thread *record, void *found) {
  uint32_t depth = record->depth;
  record->depth = depth + 1;
  (void)__atomic_exchange_n(&record->pins[depth], found, __ATOMIC_SEQ_CST);
}

/// Has the calling thread hold `object`, handed over at +1, as if it had announced it and a writer had left a reference. The
/// caller checks that the depth allows it.
static inline void junctor_pin_retained(junctor_thread *record, void *object) {
  uint32_t depth = record->depth;
  record->depth = depth + 1;
  __atomic_store_n(&record->pins[depth], (void *)((uintptr_t)object | 1), __ATOMIC_RELEASE);
}

/// How many announcements the thread has made and not withdrawn.
static inline uint32_t junctor_depth(const junctor_thread *record) { return record->depth; }

/// Counts one activity of the thread and returns the count.
static inline uint32_t junctor_tick(junctor_thread *record) { return ++record->ticks; }

/// Lets `marker`, handed over at +1, go when the calling thread's outermost walk ends. That walk's announcement makes
/// room for it: returns what had been announced, now retained for the caller, who releases it when the marker goes.
/// There must be an open walk, and no marker yet.
void *junctor_mark_outermost(junctor_thread *record, void *marker);

/// Gives up the reference to an object that no list holds any longer; threads that announced it get one each.
void junctor_retire(void *object);

// MARK: History

// How many have asked for the history. Everything that could be recorded reads this first, hence a plain global: it
// costs one load, and a Swift global would cost a call.
extern uint32_t junctor_history_users;

/// Whether events are recorded. Relaxed: an event at the moment of the change may be recorded or not.
static inline bool junctor_history_is_on(void) {
  return __builtin_expect(__atomic_load_n(&junctor_history_users, __ATOMIC_RELAXED) != 0, 0);
}

/// Counts those who ask for the history, up or down.
static inline void junctor_history_count(int32_t change) {
  (void)__atomic_add_fetch(&junctor_history_users, (uint32_t)change, __ATOMIC_RELAXED);
}

// MARK: Time

/// How a counter's ticks become nanoseconds of a clock; all zero at first.
typedef struct junctor_scale {
  /// Odd while the rest is written.
  uint32_t version;
  /// Whether somebody is about to write.
  uint32_t isLearning;
  /// The last reading of both.
  uint64_t ticks, nanoseconds;
  /// Nanoseconds per tick, times 2^32; 0 as long as it is not known.
  uint64_t rate;
  /// For how many ticks after that reading the rate may be used.
  uint64_t span;
} junctor_scale;

/// The clock's time when the counter has reached so many ticks. False if that is not known: read the clock, and let the
/// scale learn from what it said.
bool junctor_scale_read(const junctor_scale *scale, uint64_t ticks, uint64_t *nanoseconds);

/// Notes a reading of the counter and the clock at one time. The rate is that between two readings, at least ten milliseconds
/// apart at first, and is used for twice as long as it was measured, a few seconds at most. Never waits.
void junctor_scale_learn(junctor_scale *scale, uint64_t ticks, uint64_t nanoseconds);

/// Finds out whether the processor's counter may stand in for the monotonic clock. Call it before times are asked for often.
void junctor_prepare_clock(void);

/// Nanoseconds of the monotonic clock; never 0.
///
/// Within about a microsecond of what the clock says; further off, for as long as a rate is used, where the clock's own has
/// just been corrected. Two times that lie closer together than that, above all those of two threads, may come in either
/// order.
uint64_t junctor_nanoseconds(void);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif

#endif
