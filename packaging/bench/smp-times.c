/* Notes when a program writes SMPs to an umad device, in the file that SMP_TIMES names, a line each: seconds since 1970, seconds of CPU
 * time of the process until then, method, attribute.
 * The first SMP of all, and each Set that no other Set came before within 200 ms: where it begins to write.
 * Preloaded before libumad2sim.so, whose write() it calls; libibumad's umad_send() ends there. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* struct ib_user_mad without and with the P_Key index, then the MAD. */
enum { HEADER = 56, HEADER_WITH_PKEY = 64, MAD = 256, LID_ROUTED = 0x01, DIRECTED_ROUTE = 0x81, SET = 2 };
static const double SILENCE = 0.2;

static double seconds(clockid_t clock) {
	struct timespec is;
	clock_gettime(clock, &is);
	return is.tv_sec + is.tv_nsec / 1e9;
}

static void note(double now, const uint8_t *mad) {
	static int file = -1;
	const char *name = getenv("SMP_TIMES");
	if (file < 0 && name)
		file = open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	if (file >= 0)
		dprintf(file, "%.6f %.3f %d 0x%02x\n", now, seconds(CLOCK_PROCESS_CPUTIME_ID), mad[3], mad[16] << 8 | mad[17]);
}

ssize_t write(int fd, const void *bytes, size_t count) {
	static ssize_t (*next)(int, const void *, size_t);
	static int seen;
	static double last_set;
	if (!next)
		next = (ssize_t(*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
	if (count == HEADER + MAD || count == HEADER_WITH_PKEY + MAD) {
		const uint8_t *mad = (const uint8_t *)bytes + count - MAD;
		if (mad[0] == 1 && (mad[1] == LID_ROUTED || mad[1] == DIRECTED_ROUTE)) {
			double now = seconds(CLOCK_REALTIME);
			int sets = mad[3] == SET;
			if (!seen || (sets && now - last_set > SILENCE))
				note(now, mad);
			seen = 1;
			if (sets)
				last_set = now;
		}
	}
	return next(fd, bytes, count);
}
