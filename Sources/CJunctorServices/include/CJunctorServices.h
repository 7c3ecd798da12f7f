#ifndef CJUNCTORSERVICES_H
#define CJUNCTORSERVICES_H

#include "CJunctorCore.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

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

/// How many of the services that a build was given last can be told without its lock.
#define JUNCTOR_NOTES 4

/// What a build was given last; lives on the stack of the thread that runs its provider.
typedef struct junctor_notes {
  /// The numbers of the slots, which are never given twice; 0 where there is none yet.
  uint64_t slots[JUNCTOR_NOTES];
  /// Which of them gives way to the next.
  uint32_t oldest;
} junctor_notes;

/// What one provider that runs on this thread is doing; lives on that thread's stack.
typedef struct junctor_frame {
  /// The provider that asked for this one, on the same thread.
  struct junctor_frame *_Nullable parent;
  /// The slot whose provider runs; not retained.
  const void *_Null_unspecified slot;
  /// The innermost build that others may wait for; a transient's is its asker's. Not retained.
  const void *_Nullable build;
  /// Whether the build is this provider's own.
  bool is_build;
  /// The argument that was asked with, or null; not retained.
  const void *_Nullable argument;
  /// The argument's hash.
  size_t argument_hash;
  /// How many providers are below this one, itself included.
  size_t depth;
  /// What the build was given last; null where there is no build. Only the thread whose frames these are uses it, or the
  /// one that runs a provider on another stack while this one waits.
  junctor_notes *_Nullable notes;
} junctor_frame;

/// How many providers may be running inside one another.
#define JUNCTOR_DEEPEST 20000

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

/// Whether a transient of that slot may be made under these frames the quick way, without looking for rings and depths.
static inline bool junctor_admits(junctor_frame *_Nullable frame, const void *slot) {
  if (!frame) { return true; }
  if (frame->depth >= JUNCTOR_DEEPEST) { return false; }
  // Far down only now and then: a ring comes round again, and looking at every frame each time is quadratic. The slow way
  // tells a ring from other arguments, and says so.
  if (frame->depth > 256 && frame->depth % 64 != 0) { return true; }
  return junctor_frame_find(frame, slot, 0) == 0;
}

/// A frame, and what the build may need that it is of.
typedef struct junctor_frame_room {
  junctor_frame frame;
  junctor_notes notes;
} junctor_frame_room;

/// Fills the frame of a provider above another in. Without a build of its own it is part of what that other one's build
/// depends on; the notes are those of its own build.
static inline void junctor_frame_fill(
    junctor_frame *frame, junctor_notes *_Nullable notes, junctor_frame *_Nullable parent,
    const void *slot, const void *_Nullable build, const void *_Nullable argument,
    size_t argument_hash) {
  frame->parent = parent;
  frame->slot = slot;
  frame->build = build ? build : parent ? parent->build : 0;
  frame->is_build = build != 0;
  frame->argument = argument;
  frame->argument_hash = argument_hash;
  frame->depth = parent ? parent->depth + 1 : 1;
  frame->notes = build ? notes : parent ? parent->notes : 0;
}

/// Makes the frame of a provider above another, in room that is all zero.
static inline junctor_frame *junctor_frame_make(
    junctor_frame_room *room, junctor_frame *_Nullable parent, const void *slot,
    const void *_Nullable build, const void *_Nullable argument, size_t argument_hash) {
  junctor_frame_fill(&room->frame, &room->notes, parent, slot, build, argument, argument_hash);
  return &room->frame;
}

/// Makes the frame of a transient that is asked with no argument, and puts it on top of those of the calling thread.
static inline void junctor_frame_enter(
    junctor_reader *record, junctor_frame *frame, const void *slot) {
  junctor_frame_fill(frame, 0, record->frame, slot, 0, 0, 0);
  record->frame = frame;
}

/// Takes a frame off that is on top.
static inline void junctor_frame_leave(junctor_reader *record, const junctor_frame *frame) {
  record->frame = frame->parent;
}

/// Counts asynchronous providers up or down.
static inline void junctor_track(int64_t change) {
  __atomic_fetch_add(&junctor_tracking, (uint64_t)change, __ATOMIC_SEQ_CST);
}

/// The bytes left on the calling thread's stack, as good as can be told.
size_t junctor_stack_left(void);

/// Whether so many bytes are left on the calling thread's stack, as good as can be told.
static inline bool junctor_has_stack(const junctor_reader *record, size_t bytes) {
  uintptr_t limit = record->stack_limit;
  // On a stack that is not the thread's own the difference may be anything, as the bytes left there are unknown.
  if (limit > 1 && (uintptr_t)__builtin_frame_address(0) - limit >= bytes) { return true; }
  return junctor_stack_left() >= bytes;
}

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
  /// The slot's number.
  uint64_t number;
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

/// A set with nothing in it, in front of another or of none.
junctor_set *junctor_set_make(junctor_set *_Nullable parent);

/// Frees a set's tables and the set; not the cells.
void junctor_set_free(junctor_set *set);

/// Adds a cell under a key. Writers of one set must take turns.
void junctor_set_add(junctor_set *set, uintptr_t type, uintptr_t name, junctor_cell *cell);

/// A cell for a slot of that number.
junctor_cell *junctor_cell_make(const void *slot, uint64_t number);

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

/// What names are numbered with, chosen before there is a set: names may come from outside, and whoever chooses them shall not
/// be able to choose their places in the table.
extern uint64_t junctor_name_seed;

static inline uint64_t junctor_fold(uint64_t number) {
#if defined(__SIZEOF_INT128__)
  __uint128_t product = (__uint128_t)number * 0x9E3779B97F4A7C15u;
  return (uint64_t)(product >> 64) ^ (uint64_t)product;
#else
  number = (number ^ number >> 32) * 0x9E3779B97F4A7C15u;
  return number ^ number >> 29;
#endif
}

/// The number that the table knows a name by. Two names may share one. 0, which is that of no name, for a name that is not of
/// ASCII alone: it may equal one of other bytes, as Unicode says, so that its bytes tell nothing.
static inline uintptr_t junctor_name_number(const void *_Nullable bytes, size_t count) {
  const unsigned char *rest = bytes;
  // Folded at once: otherwise a byte may make up for a difference in the count.
  uint64_t number = junctor_fold(junctor_name_seed ^ count), word = 0, seen = 0;
  uint32_t low, high;
  if (count >= 8) {
    const unsigned char *last = rest + count - 8;
    for (; rest < last; rest += 8) {
      memcpy(&word, rest, 8);
      seen |= word;
      number = junctor_fold(number ^ word);
    }
    // Perhaps some bytes again; how many, the count tells.
    memcpy(&word, last, 8);
  } else if (count >= 4) {
    memcpy(&low, rest, 4);
    memcpy(&high, rest + count - 4, 4);
    word = (uint64_t)high << 32 | low;
  } else if (count > 0) {
    word = (uint64_t)rest[count - 1] << 16 | (uint64_t)rest[count / 2] << 8 | rest[0];
  }
  if (__builtin_expect(((seen | word) & 0x8080808080808080u) != 0, 0)) { return 0; }
  return (uintptr_t)junctor_fold(number ^ word) | 1;
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

/// What a look-up has found. Without a box or a maker the slow way must be taken, unless there is no cell either: then
/// nobody has it.
typedef struct junctor_found {
  /// The box of a service that is built and cached.
  const void *_Nullable box;
  /// What makes a transient.
  const void *_Nullable maker;
  /// The registration; not to be read where there is neither box nor maker.
  const junctor_cell *_Nullable cell;
  /// The set that registered it.
  const junctor_set *_Nullable set;
} junctor_found;

/// Looks for a service that is built and cached, or a transient that is made the quick way. Where either is found the
/// reader is inside until the caller has retained what it needs and calls `junctor_reader_end`.
static inline junctor_found junctor_find(
    junctor_reader *record, const junctor_set *set, uintptr_t type, uintptr_t name) {
  junctor_found result = {0, 0, 0, 0};
  junctor_reader_begin(record);
  const junctor_set *_Nullable owner = 0;
  const junctor_cell *cell = junctor_walk(set, type, name, &owner);
  result.cell = cell;
  result.set = owner;
  if (cell && cell != JUNCTOR_DETOUR) {
    result.box = __atomic_load_n(&cell->box, __ATOMIC_ACQUIRE);
    if (__builtin_expect(result.box != 0, 1)) { return result; }
    result.maker = __atomic_load_n(&cell->maker, __ATOMIC_ACQUIRE);
    if (result.maker) { return result; }
  }
  junctor_reader_end(record);
  return result;
}

// MARK: Notes

// The Swift runtime's own entry point, as in CJunctorCore.h.
__attribute__((swiftcall)) extern void *_Nullable swift_task_getCurrent(void);

/// Whether a provider may be asking, on this thread or in this task, that has not noted lately that it was given this.
static inline bool junctor_must_note(const junctor_reader *record, const junctor_cell *cell) {
  const junctor_frame *frame = record->frame;
  if (__builtin_expect(frame != 0, 0)) {
    const junctor_notes *notes = frame->notes;
    if (notes) {
      for (int i = 0; i < JUNCTOR_NOTES; i++) {
        if (notes->slots[i] == cell->number) { return false; }
      }
      return true;
    }
    // Transients alone, perhaps inside a task's build. Whether there is a task cannot be asked here: on a thread that was
    // made for its stack there is none.
    return __atomic_load_n(&junctor_tracking, __ATOMIC_RELAXED) != 0;
  }
  if (__builtin_expect(__atomic_load_n(&junctor_tracking, __ATOMIC_RELAXED) == 0, 1)) { return false; }
  // Asynchronous providers run in tasks, which are told apart by a task-local value: with no task there is none.
  return swift_task_getCurrent() != 0;
}

/// Notes that the build around these frames was given that slot's service.
static inline void junctor_note(junctor_frame *_Nullable frame, uint64_t number) {
  junctor_notes *notes = frame ? frame->notes : 0;
  if (!notes) { return; }
  notes->slots[notes->oldest] = number;
  notes->oldest = (notes->oldest + 1) % JUNCTOR_NOTES;
}

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif

#endif
