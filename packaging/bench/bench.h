/* What the programs in C of the benchmarks have in common. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Seconds, of a clock that is never set. */
static inline double now(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

/* Ends with what failed, and why. */
static inline void die(const char *what) {
	perror(what);
	exit(1);
}
