#include "CJunctorCore.h"

#include <string.h>
#include <time.h>

#if defined(__linux__) && defined(__x86_64__)
#define JUNCTOR_HAS_COUNTER 1
#include <fcntl.h>
#include <unistd.h>
#endif

// MARK: The scale

// The pair and what follows from it are read by every event and written at most every few milliseconds: a version that is
// odd meanwhile (H. Boehm, "Can Seqlocks Get Along With Programming Language Memory Models?", MSPC 2012) lets readers write
// nothing.

/// Nanoseconds between two readings below which the first rate would be too rough: a reading may be off by some hundreds.
static const uint64_t shortest = 10 * 1000 * 1000;

/// Nanoseconds after which a reading is too old to tell a rate: the machine may have slept.
static const uint64_t oldest = UINT64_C(10) * 1000 * 1000 * 1000;

/// The longest stretch, in ticks, for which a rate is used; with the rate's limit the product has 64 bits.
static const uint64_t longest = (UINT64_C(1) << 31) - 1;

/// The slowest counter's nanoseconds per tick, times 2^32: half a tick in a nanosecond.
static const uint64_t highest = (UINT64_C(1) << 33) - 1;

bool junctor_scale_read(const junctor_scale *scale, uint64_t ticks, uint64_t *nanoseconds) {
  uint32_t version = __atomic_load_n(&scale->version, __ATOMIC_ACQUIRE);
  uint64_t passed = ticks - __atomic_load_n(&scale->ticks, __ATOMIC_RELAXED);
  uint64_t from = __atomic_load_n(&scale->nanoseconds, __ATOMIC_RELAXED);
  uint64_t rate = __atomic_load_n(&scale->rate, __ATOMIC_RELAXED);
  uint64_t span = __atomic_load_n(&scale->span, __ATOMIC_RELAXED);
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  bool isWhole =
      (version & 1) == 0 && version == __atomic_load_n(&scale->version, __ATOMIC_RELAXED);
  // Unsigned: a counter that went back has passed more than any span.
  if (__builtin_expect(!isWhole || passed >= span, 0)) { return false; }
  *nanoseconds = from + ((passed * rate) >> 32);
  return true;
}

void junctor_scale_learn(junctor_scale *scale, uint64_t ticks, uint64_t nanoseconds) {
  // Nobody waits: whoever finds somebody else learning goes by the clock.
  if (__atomic_exchange_n(&scale->isLearning, 1, __ATOMIC_ACQUIRE) != 0) { return; }
  // Only who learns writes, so these are read as they are.
  uint64_t passed = ticks - scale->ticks;
  uint64_t took = nanoseconds - scale->nanoseconds;
  uint64_t known = scale->rate;
  bool isFirst = scale->nanoseconds == 0;
  // Somebody has learnt from a later reading meanwhile; or it is too early.
  bool isLate = !isFirst && nanoseconds <= scale->nanoseconds;
  if (isLate || (!isFirst && known == 0 && took < shortest)) {
    __atomic_store_n(&scale->isLearning, 0, __ATOMIC_RELEASE);
    return;
  }
  uint64_t rate = 0;
  if (!isFirst && passed != 0 && took < oldest) {
    double exact = (double)took / (double)passed * 4294967296.0;
    if (exact >= 1 && exact <= (double)highest) { rate = (uint64_t)exact; }
  }
  // A clock that is being corrected runs at most 500 millionths faster or slower (clock_adjtime). More than that is no
  // rate: the machine slept, or its counter began anew.
  uint64_t off = rate > known ? rate - known : known - rate;
  if (known != 0 && off > known >> 10) { rate = 0; }
  uint64_t span = rate == 0 ? 0 : passed < longest / 2 ? passed * 2 : longest;

  __atomic_store_n(&scale->version, scale->version + 1, __ATOMIC_RELAXED);
  __atomic_thread_fence(__ATOMIC_RELEASE);
  __atomic_store_n(&scale->ticks, ticks, __ATOMIC_RELAXED);
  __atomic_store_n(&scale->nanoseconds, nanoseconds, __ATOMIC_RELAXED);
  __atomic_store_n(&scale->rate, rate, __ATOMIC_RELAXED);
  __atomic_store_n(&scale->span, span, __ATOMIC_RELAXED);
  __atomic_store_n(&scale->version, scale->version + 1, __ATOMIC_RELEASE);
  __atomic_store_n(&scale->isLearning, 0, __ATOMIC_RELEASE);
}

// MARK: The clock

static uint64_t read_clock(void) {
  struct timespec now;
  (void)clock_gettime(CLOCK_MONOTONIC, &now);
  uint64_t nanoseconds = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
  return nanoseconds == 0 ? 1 : nanoseconds;
}

#if JUNCTOR_HAS_COUNTER

static junctor_scale scale;
static uint32_t is_trusted;

void junctor_prepare_clock(void) {
  // Asked each time: a counter that turns out to be of no use is given up while the machine runs. The kernel names the counter as its clock's source only where it runs evenly and in step on all processors; then
  // clock_gettime reads it from the process itself, as is done here.
  int file = open("/sys/devices/system/clocksource/clocksource0/current_clocksource",
                  O_RDONLY | O_CLOEXEC);
  char name[8] = {0};
  ssize_t length = file < 0 ? 0 : read(file, name, sizeof name - 1);
  if (file >= 0) { (void)close(file); }
  uint32_t is_counter = length == 4 && memcmp(name, "tsc\n", 4) == 0;
  __atomic_store_n(&is_trusted, is_counter, __ATOMIC_RELAXED);
}

static __attribute__((noinline)) uint64_t learn_time(void) {
  uint64_t before = __builtin_ia32_rdtsc();
  uint64_t now = read_clock();
  uint64_t between = __builtin_ia32_rdtsc() - before;
  // What lies further apart was interrupted, and does not belong together.
  if (between < 2000) { junctor_scale_learn(&scale, before + between / 2, now); }
  return now;
}

uint64_t junctor_nanoseconds(void) {
  if (__atomic_load_n(&is_trusted, __ATOMIC_RELAXED) == 0) { return read_clock(); }
  uint64_t now;
  if (junctor_scale_read(&scale, __builtin_ia32_rdtsc(), &now)) { return now; }
  return learn_time();
}

#else

void junctor_prepare_clock(void) {}

uint64_t junctor_nanoseconds(void) { return read_clock(); }

#endif
