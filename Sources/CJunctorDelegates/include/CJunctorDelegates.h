#ifndef CJUNCTORDELEGATES_H
#define CJUNCTORDELEGATES_H

#include <stdbool.h>
#include <stdint.h>

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

// MARK: Calls under way

// A forwarder that is written by hand and does not say that it is one can close a circle that nobody saw coming. Each
// call is noted on its thread's stack, so that one which is nested suspiciously deeply can look whether it is inside
// itself.

/// How deeply calls are nested before one has to look around.
#define JUNCTOR_CALL_DEPTH 200

/// A call that is under way; lies on its thread's stack.
typedef struct junctor_call {
  /// The call inside which it was made, on the same thread.
  struct junctor_call *_Nullable outer;
  /// The number of the list that is called.
  uint64_t list;
  /// How many calls it is inside of, itself counted.
  uint32_t depth;
} junctor_call;

/// What a thread knows of its calls.
typedef struct junctor_calls {
  junctor_call *_Nullable innermost;
  /// Whether a circle was found that has not ended yet.
  bool has_circle;
} junctor_calls;

extern __thread junctor_calls junctor_current_calls;

/// Notes a call. Returns false where it has to look around first, with nothing noted but the call's own fields.
static inline bool junctor_begin_call(junctor_call *call, uint64_t list) {
  junctor_calls *calls = &junctor_current_calls;
  junctor_call *outer = calls->innermost;
  call->outer = outer;
  call->list = list;
  call->depth = outer ? outer->depth + 1 : 1;
  if (__builtin_expect(call->depth > JUNCTOR_CALL_DEPTH || calls->has_circle, 0)) { return false; }
  calls->innermost = call;
  return true;
}

/// Notes that a call has ended.
static inline void junctor_end_call(const junctor_call *call) {
  junctor_current_calls.innermost = call->outer;
}

/// Whether a call may go ahead.
typedef enum junctor_permission {
  /// It may, and was noted.
  junctor_permitted,
  /// It may not: it is inside itself, which is found for the first time.
  junctor_found_circle,
  /// It may not, for what was found before.
  junctor_inside_circle
} junctor_permission;

/// Looks around for a call that `junctor_begin_call` did not note.
junctor_permission junctor_begin_deep_call(junctor_call *call);

// MARK: Facts

// How many facts were learnt about which class leaves which optional method to the default. Read at every call of an
// optional method, hence a plain global: a Swift global would cost a call.
extern uint32_t junctor_fact_count;

/// How many facts were learnt. What was concluded from the absence of a fact holds as long as this stays.
static inline uint32_t junctor_facts(void) {
  return __atomic_load_n(&junctor_fact_count, __ATOMIC_ACQUIRE);
}

/// Notes that one more fact was learnt.
static inline void junctor_learn_fact(void) {
  (void)__atomic_add_fetch(&junctor_fact_count, 1, __ATOMIC_ACQ_REL);
}

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif

#endif
