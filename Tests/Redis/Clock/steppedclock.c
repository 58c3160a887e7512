// The wall clock of a server that a test sets forward and back: preloaded into the server's
// process, it adds to the system's time the microseconds that a mapped file holds.
//
// Only the wall clock: what the server measures by a monotonic one goes on.

#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const volatile int64_t *offset;

__attribute__((constructor)) static void map_offset(void) {
  const char *path = getenv("PACING_CLOCK");
  int file = path ? open(path, O_RDONLY) : -1;
  if (file < 0) return;
  void *page = mmap(NULL, sizeof *offset, PROT_READ, MAP_SHARED, file, 0);
  if (page != MAP_FAILED) offset = page;
  close(file);
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  int result = (int)syscall(SYS_clock_gettime, clock, time);
  int isWallClock = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE;
  if (result != 0 || !offset || !isWallClock) return result;
  // Read once: the test writes it meanwhile.
  int64_t micros = *offset;
  int64_t nanoseconds = time->tv_nsec + micros % 1000000 * 1000;
  time->tv_sec += micros / 1000000;
  if (nanoseconds < 0 || nanoseconds >= 1000000000) {
    int step = nanoseconds < 0 ? -1 : 1;
    time->tv_sec += step;
    nanoseconds -= (int64_t)step * 1000000000;
  }
  time->tv_nsec = nanoseconds;
  return 0;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
  (void)zone;
  struct timespec now;
  if (clock_gettime(CLOCK_REALTIME, &now) != 0) return -1;
  time->tv_sec = now.tv_sec;
  time->tv_usec = now.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *result) {
  struct timespec now;
  if (clock_gettime(CLOCK_REALTIME, &now) != 0) return -1;
  if (result) *result = now.tv_sec;
  return now.tv_sec;
}
