/* Asks the SA for one path, again and again, until it is answered; prints the time of day of the answer in seconds. To be run under
 * ibsim-run, by takeover.sh.
 * usage: sa-first SM-LID SLID DLID */
#include <arpa/inet.h>
#include <endian.h>
#include <infiniband/umad.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { MAD = 256, SA_CLASS = 3, GET = 1, PATH_RECORD = 0x35, DLID_AT = 56 + 40, SLID_AT = 56 + 42, NUMB_PATH_AT = 56 + 49 };
enum { PATIENCE_MS = 10 };

static const int QP1_QKEY = 0x80010000;

int main(int argc, char **argv) {
	if (argc != 4)
		return fprintf(stderr, "usage: sa-first SM-LID SLID DLID\n"), 2;
	umad_init();
	int port = umad_open_port(NULL, 0);
	int agent = port < 0 ? -1 : umad_register(port, SA_CLASS, 2, 0, NULL);
	if (agent < 0)
		return perror("umad"), 1;
	char *out = umad_alloc(1, umad_size() + MAD), *in = umad_alloc(1, umad_size() + MAD);
	uint8_t *mad = umad_get_mad(out), *answer = umad_get_mad(in);
	umad_set_addr(out, atoi(argv[1]), 1, 0, QP1_QKEY);
	mad[0] = 1, mad[1] = SA_CLASS, mad[2] = 2, mad[3] = GET;
	*(uint16_t *)(mad + 16) = htons(PATH_RECORD);
	*(uint64_t *)(mad + 48) = htobe64(1 << 4 | 1 << 5 | 1 << 12); /* DLID, SLID, NumbPath */
	*(uint16_t *)(mad + DLID_AT) = htons(atoi(argv[3]));
	*(uint16_t *)(mad + SLID_AT) = htons(atoi(argv[2]));
	mad[NUMB_PATH_AT] = 1;
	for (uint32_t tid = 1;; tid++) {
		*(uint32_t *)(mad + 12) = htonl(tid);
		if (umad_send(port, agent, out, MAD, PATIENCE_MS, 0) < 0)
			return perror("umad_send"), 1;
		int length = MAD;
		int received = umad_recv(port, in, &length, PATIENCE_MS);
		if (received >= 0 && umad_status(in) == 0 && answer[3] == (GET | 0x80) && !answer[4] && !answer[5])
			break;
		usleep(1000 * PATIENCE_MS);
	}
	struct timespec t;
	clock_gettime(CLOCK_REALTIME, &t);
	printf("%.3f\n", t.tv_sec + t.tv_nsec / 1e9);
	fflush(stdout);
	_exit(0); /* umad2sim, when it ends in an orderly way, now and then waits for its own thread for ever */
}
