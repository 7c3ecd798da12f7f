#if defined(__linux__)
#define _GNU_SOURCE
#endif

#include "CJunctorServices.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
// linux/membarrier.h; the numbers are part of the kernel's stable interface.
#define JUNCTOR_MEMBARRIER_PRIVATE_EXPEDITED (1 << 3)
#define JUNCTOR_MEMBARRIER_REGISTER_PRIVATE_EXPEDITED (1 << 4)
#endif

__thread junctor_reader *junctor_current_reader;
bool junctor_readers_are_ordered;
uint64_t junctor_tracking;

static junctor_reader *all_readers;
static pthread_key_t leave_key;
static pthread_once_t prepare_once = PTHREAD_ONCE_INIT;

// A record outlives its thread and serves a later one; there are never more of them than threads at a time.
static void leave_reader(void *value) {
  junctor_reader *record = value;
  junctor_current_reader = 0;
  __atomic_store_n(&record->taken, 0, __ATOMIC_RELEASE);
}

static void prepare(void) {
  if (pthread_key_create(&leave_key, leave_reader) != 0) { abort(); }
#if defined(__linux__) && defined(SYS_membarrier)
  // Before the first reader has a record, so no reader can have gone without a fence by mistake.
  junctor_readers_are_ordered =
      syscall(SYS_membarrier, JUNCTOR_MEMBARRIER_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
#endif
}

static uintptr_t find_stack_limit(void) {
#if defined(__APPLE__)
  pthread_t self = pthread_self();
  return (uintptr_t)pthread_get_stackaddr_np(self) - pthread_get_stacksize_np(self);
#elif defined(__linux__)
  pthread_attr_t attributes;
  void *start = 0;
  size_t size = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) { return 0; }
  pthread_attr_getstack(&attributes, &start, &size);
  pthread_attr_destroy(&attributes);
  return (uintptr_t)start;
#else
  return 0;
#endif
}

junctor_reader *junctor_enter_reader(void) {
  pthread_once(&prepare_once, prepare);
  junctor_reader *record = __atomic_load_n(&all_readers, __ATOMIC_ACQUIRE);
  for (; record; record = record->next) {
    int32_t expected = 0;
    if (__atomic_load_n(&record->taken, __ATOMIC_RELAXED) == 0 &&
        __atomic_compare_exchange_n(&record->taken, &expected, 1, 0, __ATOMIC_ACQUIRE,
                                    __ATOMIC_RELAXED)) {
      break;
    }
  }
  if (!record) {
    // Cache lines of its own, so that no thread's counting disturbs another's.
    void *memory = 0;
    if (posix_memalign(&memory, 128, 128) != 0) { abort(); }
    record = memory;
    record->entries = 0;
    record->taken = 1;
    record->next = __atomic_load_n(&all_readers, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(&all_readers, &record->next, record, 0, __ATOMIC_RELEASE,
                                        __ATOMIC_RELAXED)) {
    }
  }
  record->frame = 0;
  record->stack_limit = find_stack_limit();
  junctor_current_reader = record;
  pthread_setspecific(leave_key, record);
  return record;
}

void junctor_await_readers(void) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
#if defined(__linux__) && defined(SYS_membarrier)
  if (junctor_readers_are_ordered) {
    syscall(SYS_membarrier, JUNCTOR_MEMBARRIER_PRIVATE_EXPEDITED, 0, 0);
  }
#endif
  junctor_reader *record = __atomic_load_n(&all_readers, __ATOMIC_ACQUIRE);
  for (; record; record = record->next) {
    uint64_t seen = __atomic_load_n(&record->entries, __ATOMIC_ACQUIRE);
    if ((seen & 1) == 0) { continue; }
    while (__atomic_load_n(&record->entries, __ATOMIC_ACQUIRE) == seen) { sched_yield(); }
  }
}

size_t junctor_stack_left(void) {
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  uintptr_t limit = junctor_reader_record()->stack_limit;
  // Unknown or on a stack that is not the thread's own: nothing to go by.
  if (limit == 0 || here < limit) { return SIZE_MAX; }
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

junctor_set *junctor_set_make(void) {
  junctor_set *set = calloc(1, sizeof(junctor_set));
  if (!set) { abort(); }
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

junctor_cell *junctor_cell_make(const void *slot) {
  junctor_cell *cell = calloc(1, sizeof(junctor_cell));
  if (!cell) { abort(); }
  cell->slot = slot;
  return cell;
}

void junctor_cell_free(junctor_cell *cell) { free(cell); }
