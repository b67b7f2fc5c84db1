/* Asks the SA for paths between random LIDs, WINDOW requests at a time, for some SECONDS after a second of warming up, and prints
 * requests answered with a path in a second. To be run under ibsim-run, by sa-throughput.sh.
 * usage: sa-load WINDOW SECONDS SM-LID FIRST-LID LAST-LID */
#include <arpa/inet.h>
#include <endian.h>
#include <infiniband/umad.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"

enum { MAD = 256, SA_CLASS = 3, GET = 1, PATH_RECORD = 0x35, DLID_AT = 56 + 40, SLID_AT = 56 + 42, NUMB_PATH_AT = 56 + 49 };

static const int QP1_QKEY = 0x80010000;

int main(int argc, char **argv) {
	if (argc != 6)
		return fprintf(stderr, "usage: sa-load WINDOW SECONDS SM-LID FIRST-LID LAST-LID\n"), 2;
	int window = atoi(argv[1]), first = atoi(argv[4]), lids = atoi(argv[5]) - first + 1;
	double seconds = atof(argv[2]);
	umad_init();
	int port = umad_open_port(NULL, 0);
	if (port < 0)
		die("umad_open_port");
	int agent = umad_register(port, SA_CLASS, 2, 0, NULL);
	if (agent < 0)
		die("umad_register");
	char *out = umad_alloc(1, umad_size() + MAD), *in = umad_alloc(1, umad_size() + MAD);
	uint8_t *mad = umad_get_mad(out), *answer = umad_get_mad(in);
	umad_set_addr(out, atoi(argv[3]), 1, 0, QP1_QKEY);
	mad[0] = 1, mad[1] = SA_CLASS, mad[2] = 2, mad[3] = GET;
	*(uint16_t *)(mad + 16) = htons(PATH_RECORD);
	*(uint64_t *)(mad + 48) = htobe64(1 << 4 | 1 << 5 | 1 << 12); /* DLID, SLID, NumbPath */
	mad[NUMB_PATH_AT] = 1;

	unsigned seed = 1, tid = 1;
	int open = 0;
	long good = 0, bad = 0;
	double begin = now() + 1, end = begin + seconds;
	for (double t = now(); t < end || open > 0; t = now()) {
		while (open < window && t < end) {
			*(uint32_t *)(mad + 12) = htonl(tid++);
			*(uint16_t *)(mad + DLID_AT) = htons(first + rand_r(&seed) % lids);
			*(uint16_t *)(mad + SLID_AT) = htons(first + rand_r(&seed) % lids);
			if (umad_send(port, agent, out, MAD, 100, 0) < 0)
				die("umad_send");
			open++;
		}
		int length = MAD;
		if (umad_recv(port, in, &length, 2000) < 0) {
			fprintf(stderr, "no answer within two seconds\n");
			open = 0;
			bad++;
			continue;
		}
		open--;
		int is_path = umad_status(in) == 0 && answer[3] == (GET | 0x80) && !answer[4] && !answer[5];
		if (t >= begin && t < end)
			*(is_path ? &good : &bad) += 1;
	}
	printf("%.0f\n", good / seconds);
	if (bad)
		fprintf(stderr, "%ld requests without a path\n", bad);
	fflush(stdout);
	_exit(bad != 0); /* umad2sim, when it ends in an orderly way, now and then waits for its own thread for ever */
}
