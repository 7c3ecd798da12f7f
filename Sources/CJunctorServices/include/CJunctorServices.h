#ifndef CJUNCTORSERVICES_H
#define CJUNCTORSERVICES_H

#include "CJunctorCore.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

// The part of a services set that look-ups read without a lock, and what one thread notes about itself.

// MARK: Readers

// A reader counts itself in and out in a record of its own thread (odd: inside), with plain stores. A writer that took
// something out of a set's reach orders every thread's stores with one system call and waits until each reader that was
// inside has left (user-space read-copy-update: Desnoyers et al., IEEE TPDS 23(2), 2012). A reader runs no code but
// loads and one retain while it is inside, so the wait is short. Where the system call is missing the reader pays for
// a fence of its own.

/// What one provider that runs on this thread is doing; lives on that thread's stack.
typedef struct junctor_frame {
  /// The provider that asked for this one, on the same thread.
  struct junctor_frame *_Nullable parent;
  /// The slot whose provider runs; not retained.
  const void *slot;
  /// The innermost build that others may wait for; a transient's is its asker's. Not retained.
  const void *_Nullable build;
  /// Whether the build is this provider's own.
  bool is_build;
  /// The argument that was asked with, or null; not retained.
  const void *_Nullable argument;
  /// The argument's hash.
  size_t argument_hash;
  /// How many providers are below this one.
  size_t depth;
} junctor_frame;

/// What look-ups keep of one thread, in the room of its record.
typedef struct junctor_reader {
  uint64_t entries;
  junctor_frame *_Nullable frame;
  /// Where the thread's stack ends; 0 until it is asked for.
  uintptr_t stack_limit;
} junctor_reader;

_Static_assert(sizeof(junctor_reader) <= sizeof(((junctor_thread *)0)->room), "the room is too small");

/// What look-ups keep of a thread. The record comes from `posix_memalign`, so it is what is stored there first.
static inline junctor_reader *junctor_reader_of(junctor_thread *thread) {
  return (junctor_reader *)(void *)thread->room;
}

/// Whether writers order the readers' stores; otherwise each reader does.
extern bool junctor_readers_are_ordered;

/// How many asynchronous providers are running; meanwhile every look-up asks whether it belongs to one of them.
extern uint64_t junctor_tracking;

/// Waits until every reader that was inside at the time of the call has left. Never call it from inside.
void junctor_await_readers(void);

/// The calling thread's record.
static inline junctor_reader *junctor_reader_record(void) {
  return junctor_reader_of(junctor_thread_record());
}

/// Whether the calling thread runs a provider, or any asynchronous provider runs.
static inline bool junctor_is_building(void) {
  return junctor_reader_record()->frame != 0 ||
         __atomic_load_n(&junctor_tracking, __ATOMIC_RELAXED) != 0;
}

static inline void junctor_reader_begin(junctor_reader *record) {
  __atomic_store_n(&record->entries, record->entries + 1, __ATOMIC_RELAXED);
  if (__builtin_expect(junctor_readers_are_ordered, 1)) {
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
  } else {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
  }
}

static inline void junctor_reader_end(junctor_reader *record) {
  __atomic_store_n(&record->entries, record->entries + 1, __ATOMIC_RELEASE);
}

/// The innermost of these frames that is the slot's, with an argument of that hash.
static inline junctor_frame *_Nullable junctor_frame_find(
    junctor_frame *_Nullable frame, const void *slot, size_t argument_hash) {
  while (frame && (frame->slot != slot || frame->argument_hash != argument_hash)) {
    frame = frame->parent;
  }
  return frame;
}

/// Counts asynchronous providers up or down.
static inline void junctor_track(int64_t change) {
  __atomic_fetch_add(&junctor_tracking, (uint64_t)change, __ATOMIC_SEQ_CST);
}

/// The bytes left on the calling thread's stack, as good as can be told.
size_t junctor_stack_left(void);

/// Runs a function on a new thread with a stack of that many bytes, and waits for it. False: no thread could be made.
bool junctor_run_on_stack(size_t bytes, void (*function)(void *context), void *context);

// MARK: Sets

/// One registration of one set, as look-ups see it. Lives as long as its set.
typedef struct junctor_cell {
  /// The service's box when it is built and cached; otherwise null.
  const void *_Nullable box;
  /// The maker of a transient that is made the quick way; otherwise null.
  const void *_Nullable maker;
  /// Whether the set has anything under this key; otherwise a look-up goes on to the alternate.
  uintptr_t present;
  /// The slot; not retained.
  const void *slot;
} junctor_cell;

typedef struct junctor_entry {
  uintptr_t type;
  uintptr_t name;
  junctor_cell *_Nullable cell;
} junctor_entry;

/// An open-addressing table that only ever gains entries; a fuller one replaces it and keeps it until the set dies.
typedef struct junctor_table {
  struct junctor_table *_Nullable older;
  uintptr_t mask;
  uintptr_t count;
  junctor_entry entries[];
} junctor_table;

typedef struct junctor_set {
  junctor_table *_Nullable table;
  struct junctor_set *_Nullable parent;
  /// Why a look-up must take the slow way: `JUNCTOR_DETOUR_…`, or nothing.
  uintptr_t detour;
  /// The set's object; not retained.
  const void *_Nullable owner;
} junctor_set;

/// What stands behind the set is a container of another make.
#define JUNCTOR_DETOUR_FOREIGN 1u
/// The set is closed or being closed.
#define JUNCTOR_DETOUR_CLOSED 2u

/// A set with nothing in it and nothing behind it.
junctor_set *junctor_set_make(void);

/// Frees a set's tables and the set; not the cells.
void junctor_set_free(junctor_set *set);

/// Adds a cell under a key. Writers of one set must take turns.
void junctor_set_add(junctor_set *set, uintptr_t type, uintptr_t name, junctor_cell *cell);

/// A cell for a slot.
junctor_cell *junctor_cell_make(const void *slot);

/// Frees a cell that no reader can reach any longer.
void junctor_cell_free(junctor_cell *cell);

static inline void junctor_cell_publish(
    junctor_cell *cell, const void *_Nullable box, const void *_Nullable maker) {
  __atomic_store_n(&cell->box, box, __ATOMIC_SEQ_CST);
  __atomic_store_n(&cell->maker, maker, __ATOMIC_SEQ_CST);
}

/// The box that a cell shows. The reader must be inside.
static inline const void *_Nullable junctor_cell_box(const junctor_cell *cell) {
  return __atomic_load_n(&cell->box, __ATOMIC_ACQUIRE);
}

static inline void junctor_cell_present(junctor_cell *cell, bool present) {
  __atomic_store_n(&cell->present, (uintptr_t)present, __ATOMIC_SEQ_CST);
}

static inline void junctor_set_parent(junctor_set *set, junctor_set *_Nullable parent) {
  __atomic_store_n(&set->parent, parent, __ATOMIC_SEQ_CST);
}

static inline void junctor_set_detour(junctor_set *set, uintptr_t detour) {
  __atomic_store_n(&set->detour, detour, __ATOMIC_SEQ_CST);
}

/// Whether the set is closed or being closed.
static inline bool junctor_set_is_closed(const junctor_set *set) {
  return (__atomic_load_n(&set->detour, __ATOMIC_SEQ_CST) & JUNCTOR_DETOUR_CLOSED) != 0;
}

static inline uintptr_t junctor_hash(uintptr_t type, uintptr_t name) {
  uintptr_t mixed = (type ^ name) * (uintptr_t)0x9E3779B97F4A7C15u;
  return mixed ^ (mixed >> (sizeof(uintptr_t) * 4));
}

/// The cell under a key in that set alone, whether anything is in it or not.
static inline junctor_cell *_Nullable junctor_set_find(
    const junctor_set *set, uintptr_t type, uintptr_t name) {
  const junctor_table *table = __atomic_load_n(&set->table, __ATOMIC_ACQUIRE);
  if (!table) { return 0; }
  uintptr_t mask = table->mask;
  for (uintptr_t i = junctor_hash(type, name) & mask;; i = (i + 1) & mask) {
    const junctor_entry *entry = &table->entries[i];
    // The cell is stored last: whoever sees it sees the key.
    junctor_cell *cell = __atomic_load_n(&entry->cell, __ATOMIC_ACQUIRE);
    if (!cell) { return 0; }
    if (entry->type == type && entry->name == name) { return cell; }
  }
}

/// What a look-up answers when the slow way must be taken.
#define JUNCTOR_DETOUR ((const junctor_cell *)1)

/// The first cell with anything in it under a key, in the set or behind it. The reader must be inside.
static inline const junctor_cell *_Nullable junctor_walk(
    const junctor_set *set, uintptr_t type, uintptr_t name,
    const junctor_set *_Nullable *_Nullable found) {
  // Brent's cycle finding: a ring of alternates ends the walk, whatever its length.
  const junctor_set *landmark = set;
  size_t steps = 0, limit = 2;
  for (;;) {
    if (__builtin_expect(__atomic_load_n(&set->detour, __ATOMIC_ACQUIRE) != 0, 0)) {
      return JUNCTOR_DETOUR;
    }
    const junctor_cell *cell = junctor_set_find(set, type, name);
    if (cell && __atomic_load_n(&cell->present, __ATOMIC_ACQUIRE)) {
      if (found) { *found = set; }
      return cell;
    }
    set = __atomic_load_n(&set->parent, __ATOMIC_ACQUIRE);
    if (!set) { return 0; }
    if (__builtin_expect(set == landmark, 0)) { return JUNCTOR_DETOUR; }
    if (++steps == limit) {
      steps = 0;
      limit *= 2;
      landmark = set;
    }
  }
}

/// Looks a key up. Null: nobody has it. 1: take the slow way. Otherwise a box, and the reader is inside until the
/// caller has retained what it needs and calls `junctor_reader_end`.
static inline const void *_Nullable junctor_look_up(
    junctor_reader *record, const junctor_set *set, uintptr_t type, uintptr_t name) {
  // Inside a provider, what is asked for is noted; the slow way does that.
  if (__builtin_expect(record->frame != 0, 0) ||
      __builtin_expect(__atomic_load_n(&junctor_tracking, __ATOMIC_RELAXED) != 0, 0)) {
    return (const void *)1;
  }
  junctor_reader_begin(record);
  const junctor_cell *cell = junctor_walk(set, type, name, 0);
  const void *box = 0;
  if (cell) {
    box = (const void *)1;
    if (cell != JUNCTOR_DETOUR) {
      const void *published = __atomic_load_n(&cell->box, __ATOMIC_ACQUIRE);
      if (__builtin_expect(published != 0, 1)) { return published; }
    }
  }
  junctor_reader_end(record);
  return box;
}

/// What a look-up has found.
typedef struct junctor_found {
  /// The box of a service that is built and cached.
  const void *_Nullable box;
  /// What makes a transient.
  const void *_Nullable maker;
  /// The object of the set that registered it.
  const void *_Nullable owner;
  /// The slot.
  const void *_Nullable slot;
} junctor_found;

/// Looks for a service that is built and cached, or a transient that is made the quick way. Where neither is found the
/// slow way must be taken; otherwise the reader is inside until the caller has retained what it needs and calls
/// `junctor_reader_end`.
static inline junctor_found junctor_find(
    junctor_reader *record, const junctor_set *set, uintptr_t type, uintptr_t name) {
  junctor_found result = {0, 0, 0, 0};
  junctor_reader_begin(record);
  const junctor_set *_Nullable owner = 0;
  const junctor_cell *cell = junctor_walk(set, type, name, &owner);
  if (cell && cell != JUNCTOR_DETOUR && owner) {
    result.box = __atomic_load_n(&cell->box, __ATOMIC_ACQUIRE);
    result.maker = __atomic_load_n(&cell->maker, __ATOMIC_ACQUIRE);
    result.owner = owner->owner;
    result.slot = cell->slot;
  }
  if (!result.box && !result.maker) { junctor_reader_end(record); }
  return result;
}

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif

#endif
