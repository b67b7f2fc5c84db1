/* What the fabric and the way to it allow: answers every SubnAdmGet with its own data as soon as it comes, without a look at it. To be run
 * under ibsim-run by sa-throughput.sh, at the port of an SM that has ended. */
#include <fcntl.h>
#include <infiniband/umad.h>
#include <stdint.h>
#include <string.h>

#include "bench.h"

enum { MAD = 256, SA_CLASS = 3, GET = 1, GET_RESP = 0x81, BITS = 8 * sizeof(long) };

int main(void) {
	long methods[128 / BITS] = { 1L << GET };
	umad_init();
	int port = umad_open_port(NULL, 0);
	if (port < 0)
		die("umad_open_port");
	int agent = umad_register(port, SA_CLASS, 2, 0, methods);
	if (agent < 0)
		die("umad_register");
	umad_register(port, 0x01, 1, 0, NULL); /* umad2sim ends the process at a MAD of a class without an agent */
	umad_register(port, 0x81, 1, 0, NULL);
	if (open("/dev/infiniband/issm0", O_NONBLOCK) < 0) /* requests go to who has it */
		die("issm0");
	char *umad = umad_alloc(1, umad_size() + MAD);
	uint8_t *mad = umad_get_mad(umad);
	for (;;) {
		int length = MAD;
		if (umad_recv(port, umad, &length, -1) < 0)
			die("umad_recv");
		if (mad[1] != SA_CLASS || mad[3] != GET)
			continue;
		mad[3] = GET_RESP;
		if (umad_send(port, agent, umad, MAD, 0, 0) < 0)
			die("umad_send");
	}
}
