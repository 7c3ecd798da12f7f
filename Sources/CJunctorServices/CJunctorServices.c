#if defined(__linux__)
#define _GNU_SOURCE
#endif

#include "CJunctorServices.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#if defined(__APPLE__)
#include <sys/random.h>
#endif

#if defined(__linux__)
#include <sys/syscall.h>
// linux/membarrier.h; the numbers are part of the kernel's stable interface.
#define JUNCTOR_MEMBARRIER_PRIVATE_EXPEDITED (1 << 3)
#define JUNCTOR_MEMBARRIER_REGISTER_PRIVATE_EXPEDITED (1 << 4)
#endif

bool junctor_readers_are_ordered;
uint64_t junctor_tracking;
uint64_t junctor_name_seed;

static pthread_once_t prepare_once = PTHREAD_ONCE_INIT;

static void prepare(void) {
#if defined(__linux__) && defined(SYS_membarrier)
  // Before there is a set, so before anybody reads or waits; no reader can have gone without a fence by mistake.
  junctor_readers_are_ordered =
      syscall(SYS_membarrier, JUNCTOR_MEMBARRIER_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
#endif
  // Where there is no entropy to be had, the time and where things lie in memory have to do.
  if (getentropy(&junctor_name_seed, sizeof junctor_name_seed) != 0) {
    junctor_name_seed = junctor_fold((uint64_t)time(0) ^ (uint64_t)(uintptr_t)&prepare_once);
  }
}

static uintptr_t find_stack_limit(void) {
#if defined(__APPLE__)
  pthread_t self = pthread_self();
  return (uintptr_t)pthread_get_stackaddr_np(self) - pthread_get_stacksize_np(self);
#elif defined(__linux__)
  pthread_attr_t attributes;
  void *start = 0;
  size_t size = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) { return 1; }
  pthread_attr_getstack(&attributes, &start, &size);
  pthread_attr_destroy(&attributes);
  return (uintptr_t)start;
#else
  return 1;
#endif
}

// A reader is inside for some instructions; one that still is after some rounds has lost its processor, and may not get it
// back while a thread of higher priority only yields.
static void pause_for_readers(unsigned round) {
  if (round < 32) {
    sched_yield();
    return;
  }
  unsigned doublings = round - 32 < 6 ? round - 32 : 6;
  struct timespec pause = {.tv_sec = 0, .tv_nsec = 20000L << doublings};
  nanosleep(&pause, 0);
}

void junctor_await_readers(void) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
#if defined(__linux__) && defined(SYS_membarrier)
  if (junctor_readers_are_ordered) {
    syscall(SYS_membarrier, JUNCTOR_MEMBARRIER_PRIVATE_EXPEDITED, 0, 0);
  }
#endif
  for (junctor_thread *thread = junctor_last_thread(); thread; thread = thread->next) {
    junctor_reader *record = junctor_reader_of(thread);
    uint64_t seen = __atomic_load_n(&record->entries, __ATOMIC_ACQUIRE);
    if ((seen & 1) == 0) { continue; }
    for (unsigned round = 0; __atomic_load_n(&record->entries, __ATOMIC_ACQUIRE) == seen; round++) {
      pause_for_readers(round);
    }
  }
}

size_t junctor_stack_left(void) {
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  junctor_reader *record = junctor_reader_record();
  // Asked for once on each thread; 1 stands for unknown.
  if (record->stack_limit == 0) { record->stack_limit = find_stack_limit(); }
  uintptr_t limit = record->stack_limit;
  // Unknown or on a stack that is not the thread's own: nothing to go by.
  if (limit == 1 || here < limit) { return SIZE_MAX; }
  return here - limit;
}

typedef struct {
  void (*function)(void *);
  void *context;
} junctor_call;

static void *run_call(void *value) {
  junctor_call *call = value;
  call->function(call->context);
  return 0;
}

bool junctor_run_on_stack(size_t bytes, void (*function)(void *), void *context) {
  pthread_attr_t attributes;
  pthread_t thread;
  junctor_call call = {function, context};
  if (pthread_attr_init(&attributes) != 0) { return false; }
  bool made = pthread_attr_setstacksize(&attributes, bytes) == 0 &&
              pthread_create(&thread, &attributes, run_call, &call) == 0;
  pthread_attr_destroy(&attributes);
  if (made) { pthread_join(thread, 0); }
  return made;
}

junctor_set *junctor_set_make(junctor_set *parent) {
  pthread_once(&prepare_once, prepare);
  // Not `calloc`: glibc's looks past the blocks that a thread has at hand.
  junctor_set *set = malloc(sizeof(junctor_set));
  if (!set) { abort(); }
  set->table = 0;
  set->parent = parent;
  set->detour = 0;
  set->owner = 0;
  return set;
}

void junctor_set_free(junctor_set *set) {
  junctor_table *table = set->table;
  while (table) {
    junctor_table *older = table->older;
    free(table);
    table = older;
  }
  free(set);
}

static void put(junctor_table *table, uintptr_t type, uintptr_t name, junctor_cell *cell) {
  uintptr_t i = junctor_hash(type, name) & table->mask;
  while (table->entries[i].cell) { i = (i + 1) & table->mask; }
  table->entries[i].type = type;
  table->entries[i].name = name;
  __atomic_store_n(&table->entries[i].cell, cell, __ATOMIC_RELEASE);
  table->count += 1;
}

void junctor_set_add(junctor_set *set, uintptr_t type, uintptr_t name, junctor_cell *cell) {
  junctor_table *table = set->table;
  // At most half full, so that a look-up that finds nothing is short.
  if (!table || (table->count + 1) * 2 > table->mask + 1) {
    uintptr_t size = table ? (table->mask + 1) * 2 : 4;
    junctor_table *fuller = calloc(1, sizeof(junctor_table) + size * sizeof(junctor_entry));
    if (!fuller) { abort(); }
    fuller->mask = size - 1;
    fuller->older = table;
    for (uintptr_t i = 0; table && i <= table->mask; i++) {
      junctor_entry *entry = &table->entries[i];
      if (entry->cell) { put(fuller, entry->type, entry->name, entry->cell); }
    }
    put(fuller, type, name, cell);
    __atomic_store_n(&set->table, fuller, __ATOMIC_RELEASE);
  } else {
    put(table, type, name, cell);
  }
}

junctor_cell *junctor_cell_make(const void *slot, uint64_t number) {
  junctor_cell *cell = malloc(sizeof(junctor_cell));
  if (!cell) { abort(); }
  *cell = (junctor_cell){.slot = slot, .number = number};
  return cell;
}

void junctor_cell_free(junctor_cell *cell) { free(cell); }
