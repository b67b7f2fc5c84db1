/* What the fabric and the way to it allow: directed-route SMPs to all switches in turn, WINDOW in flight, each a SubnSet of a block of the
 * linear forwarding table (set) or a SubnGet of it (get), and checks only the status of the answers. Prints answers in a second.
 * The table that is written is one of no path. To be run under ibsim-run, by cold-sweep.sh.
 * usage: smp-load set|get WINDOW SMPS <ROUTES     (a line a route: its egress ports, from port 1 of the host on, separated by commas) */
#include <arpa/inet.h>
#include <infiniband/umad.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"

enum { MAD = 256, DIRECTED = 0x81, GET = 1, SET = 2, LFT = 0x19, HOPS = 64, MAX_ROUTES = 65536, BLOCK = 64, BLOCKS = 48 };
enum { HOP_COUNT_AT = 7, TID_AT = 12, ATTRIBUTE_AT = 16, MODIFIER_AT = 20, DR_LIDS_AT = 32, DATA_AT = 64, PATH_AT = 128 };

static uint8_t routes[MAX_ROUTES][HOPS];
static int hops[MAX_ROUTES];

static int read_routes(void) {
	char line[512];
	int count = 0;
	while (count < MAX_ROUTES && fgets(line, sizeof line, stdin)) {
		for (char *port = strtok(line, ",\n"); port && hops[count] < HOPS - 1; port = strtok(NULL, ",\n"))
			routes[count][++hops[count]] = atoi(port);
		count++;
	}
	return count;
}

int main(int argc, char **argv) {
	if (argc != 4)
		return fprintf(stderr, "usage: smp-load set|get WINDOW SMPS <ROUTES\n"), 2;
	int method = strcmp(argv[1], "set") ? GET : SET, window = atoi(argv[2]), count = read_routes();
	long smps = atol(argv[3]), sent = 0, good = 0, bad = 0;
	if (!count)
		return fprintf(stderr, "no routes\n"), 2;
	umad_init();
	int port = umad_open_port(NULL, 0);
	if (port < 0)
		die("umad_open_port");
	int agent = umad_register(port, DIRECTED, 1, 0, NULL);
	if (agent < 0)
		die("umad_register");
	char *out = umad_alloc(1, umad_size() + MAD), *in = umad_alloc(1, umad_size() + MAD);
	uint8_t *mad = umad_get_mad(out), *answer = umad_get_mad(in);
	umad_set_addr(out, 0xffff, 0, 0, 0);
	mad[0] = 1, mad[1] = DIRECTED, mad[2] = 1, mad[3] = method;
	*(uint16_t *)(mad + ATTRIBUTE_AT) = htons(LFT);
	memset(mad + DR_LIDS_AT, 0xff, 4);
	memset(mad + DATA_AT, 0xff, BLOCK);
	double begin = now();
	for (int open = 0; sent < smps || open > 0; open--) {
		for (; open < window && sent < smps; open++, sent++) {
			int route = sent % count;
			mad[HOP_COUNT_AT] = hops[route];
			memcpy(mad + PATH_AT, routes[route], HOPS);
			*(uint32_t *)(mad + TID_AT) = htonl(sent + 1);
			*(uint32_t *)(mad + MODIFIER_AT) = htonl(sent / count % BLOCKS);
			if (umad_send(port, agent, out, MAD, 100, 0) < 0)
				die("umad_send");
		}
		int length = MAD;
		if (umad_recv(port, in, &length, 2000) < 0) {
			fprintf(stderr, "no answer within two seconds\n");
			_exit(1);
		}
		int is_good = umad_status(in) == 0 && answer[3] == (GET | 0x80) && !(answer[4] & 0x7f) && !answer[5];
		*(is_good ? &good : &bad) += 1;
	}
	printf("%.0f\n", good / (now() - begin));
	if (bad)
		fprintf(stderr, "%ld SMPs without a good answer\n", bad);
	fflush(stdout);
	_exit(bad != 0); /* umad2sim, when it ends in an orderly way, now and then waits for its own thread for ever */
}
