/* Asks the SA for one path, again and again, until it is answered; prints the time of day of the answer in seconds. To be run under
 * ibsim-run, by takeover.sh and failover.sh.
 * usage: sa-first SM-LID|own SLID DLID [pauses]
 * own: the LID that the own port names, read before each request; pauses: until SIGTERM, then the longest time without an answer in seconds */
#include <arpa/inet.h>
#include <endian.h>
#include <infiniband/umad.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MAD = 256, SA_CLASS = 3, GET = 1, PATH_RECORD = 0x35, DLID_AT = 56 + 40, SLID_AT = 56 + 42, NUMB_PATH_AT = 56 + 49 };
enum { PATIENCE_MS = 10 };
enum { DIRECTED_CLASS = 0x81, PORT_INFO = 0x15, MASTER_SM_LID_AT = 64 + 18 };

static const int QP1_QKEY = 0x80010000;

static volatile sig_atomic_t is_ending;

static void end(int signal) {
	(void)signal;
	is_ending = 1;
}

static double now(void) {
	struct timespec t;
	clock_gettime(CLOCK_REALTIME, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

/* Sends a request, and waits for its response alone: those of earlier requests may still come. */
static int ask(int port, int agent, void *out, void *in, uint32_t tid) {
	uint8_t *mad = umad_get_mad(out), *answer = umad_get_mad(in);
	*(uint32_t *)(mad + 12) = htonl(tid);
	if (umad_send(port, agent, out, MAD, PATIENCE_MS, 0) < 0)
		return 0;
	for (int length = MAD; umad_recv(port, in, &length, PATIENCE_MS) >= 0; length = MAD)
		if (*(uint32_t *)(answer + 12) == htonl(tid) && answer[1] == mad[1])
			return umad_status(in) == 0;
	return 0;
}

/* MasterSMLID of the own port; 0 if it does not answer. */
static int own_sm_lid(int port, int agent, void *out, void *in) {
	static uint32_t tid = 1 << 30; /* others than those of the SA */
	uint8_t *mad = umad_get_mad(out), *answer = umad_get_mad(in);
	memset(mad, 0, MAD);
	umad_set_addr(out, 0xffff, 0, 0, 0);
	mad[0] = 1, mad[1] = DIRECTED_CLASS, mad[2] = 1, mad[3] = GET;
	*(uint16_t *)(mad + 16) = htons(PORT_INFO);
	*(uint32_t *)(mad + 32) = 0xffffffff; /* both LIDs are permissive */
	if (!ask(port, agent, out, in, ++tid))
		return 0;
	return answer[MASTER_SM_LID_AT] << 8 | answer[MASTER_SM_LID_AT + 1];
}

int main(int argc, char **argv) {
	if (argc != 4 && argc != 5)
		return fprintf(stderr, "usage: sa-first SM-LID|own SLID DLID [pauses]\n"), 2;
	umad_init();
	int port = umad_open_port(NULL, 0);
	int agent = port < 0 ? -1 : umad_register(port, SA_CLASS, 2, 0, NULL);
	int directed = port < 0 ? -1 : umad_register(port, DIRECTED_CLASS, 1, 0, NULL);
	if (agent < 0 || directed < 0)
		return perror("umad"), 1;
	int is_own = !strcmp(argv[1], "own");
	int is_first = argc == 4;
	double last = 0, longest = 0;
	signal(SIGTERM, end);
	char *out = umad_alloc(1, umad_size() + MAD), *in = umad_alloc(1, umad_size() + MAD);
	uint8_t *mad = umad_get_mad(out), *answer = umad_get_mad(in);
	for (uint32_t tid = 1; !is_ending; tid++) {
		umad_set_addr(out, is_own ? own_sm_lid(port, directed, out, in) : atoi(argv[1]), 1, 0, QP1_QKEY);
		memset(mad, 0, MAD);
		mad[0] = 1, mad[1] = SA_CLASS, mad[2] = 2, mad[3] = GET;
		*(uint16_t *)(mad + 16) = htons(PATH_RECORD);
		*(uint64_t *)(mad + 48) = htobe64(1 << 4 | 1 << 5 | 1 << 12); /* DLID, SLID, NumbPath */
		*(uint16_t *)(mad + DLID_AT) = htons(atoi(argv[3]));
		*(uint16_t *)(mad + SLID_AT) = htons(atoi(argv[2]));
		mad[NUMB_PATH_AT] = 1;
		if (ask(port, agent, out, in, tid) && answer[3] == (GET | 0x80) && !answer[4] && !answer[5]) {
			double at = now();
			longest = last && at - last > longest ? at - last : longest;
			last = at;
			if (is_first)
				break;
		}
		usleep(1000 * PATIENCE_MS);
	}
	if (!is_first && now() - last > longest)
		longest = now() - last; /* without any answer since 1970 */
	printf("%.3f\n", is_first ? last : longest);
	fflush(stdout);
	_exit(0); /* umad2sim, when it ends in an orderly way, now and then waits for its own thread for ever */
}
