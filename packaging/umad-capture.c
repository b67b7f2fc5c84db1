/* Records what a program sends and receives through libibumad, such as OpenSM, in the form that torus-sm's own capture has:
 * a pcap file with link type ERF. For fabrics whose devices are to be replayed, where ibdump is not at hand.
 *
 *   gcc -shared -fPIC -O2 -Wall -o umad-capture.so umad-capture.c -ldl
 *   UMAD_CAPTURE=fabric.pcap LD_PRELOAD=./umad-capture.so opensm ...
 *
 * The file holds M_Keys; it is created for its owner only. MADs longer than 256 bytes (RMPP of the kernel) are left out. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <endian.h>
#include <fcntl.h>
#include <infiniband/umad.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

enum { MAD = 256, ERF = 197, ERF_INFINIBAND = 21, ERF_HEADER = 16, IB_HEADERS = 28, CHECKSUMS = 6 };
enum { LID_ROUTED = 0x01, DIRECTED_ROUTE = 0x81, PERMISSIVE_LID = 0xffff };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static FILE *file;
static uint32_t packets;

static void *real(const char *name) {
	void *found = dlsym(RTLD_NEXT, name);
	if (!found) {
		fprintf(stderr, "umad-capture: %s is not in this program: %s\n", name, dlerror());
		abort();
	}
	return found;
}

static int opened(void) {
	static int tried;
	const char *name = getenv("UMAD_CAPTURE");
	if (!tried && name) {
		int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600); /* keys are in it: never another's file */
		file = fd < 0 ? NULL : fdopen(fd, "wb");
		if (!file)
			perror(name);
		uint32_t header[6] = {0xa1b2c3d4, 2 | 4 << 16, 0, 0, 8192, ERF}; /* this machine's byte order; pcap says which */
		if (htonl(1) == 1)
			header[1] = 2 << 16 | 4;
		if (file)
			fwrite(header, sizeof header, 1, file);
	}
	tried = 1;
	return file != NULL;
}

static void put16(uint8_t *at, unsigned value) {
	at[0] = value >> 8;
	at[1] = value;
}

static void record(void *umad, int length, int is_sent) {
	const uint8_t *mad = umad_get_mad(umad);
	ib_mad_addr_t *peer = umad_get_mad_addr(umad);
	if (length != MAD)
		return;
	pthread_mutex_lock(&lock);
	if (opened()) {
		struct timeval now;
		gettimeofday(&now, NULL);
		uint8_t p[ERF_HEADER + IB_HEADERS + MAD + CHECKSUMS] = {0}, *ib = p + ERF_HEADER;
		uint32_t header[4] = {now.tv_sec, now.tv_usec, sizeof p, sizeof p};
		uint64_t stamp = htole64((uint64_t)now.tv_sec << 32 | ((uint64_t)now.tv_usec << 32) / 1000000);
		memcpy(p, &stamp, sizeof stamp);
		p[8] = ERF_INFINIBAND;
		p[9] = 4; /* records are as long as their packets */
		put16(p + 10, sizeof p);
		put16(p + 14, sizeof p - ERF_HEADER);
		int is_smp = mad[1] == LID_ROUTED || mad[1] == DIRECTED_ROUTE;
		unsigned lid = ntohs(peer->lid), own = mad[1] == DIRECTED_ROUTE ? PERMISSIVE_LID : 0;
		unsigned qp = ntohl(peer->qpn), own_qp = is_smp ? 0 : 1;
		ib[0] = is_smp ? 0xf0 : 0;
		ib[1] = peer->sl << 4 | 2; /* no GRH: a base transport header follows */
		put16(ib + 2, is_sent ? lid : own);
		put16(ib + 4, (IB_HEADERS + MAD + 4) / 4);
		put16(ib + 6, is_sent ? own : lid);
		ib[8] = 0x64; /* unreliable datagram, send only */
		ib[9] = 0x40;
		put16(ib + 10, 0xffff);
		put16(ib + 14, is_sent ? qp : own_qp);
		put16(ib + 18, packets++);
		if (!is_smp)
			put16(ib + 20, 0x8001);
		put16(ib + 26, is_sent ? own_qp : qp);
		memcpy(ib + IB_HEADERS, mad, MAD);
		fwrite(header, sizeof header, 1, file);
		fwrite(p, sizeof p, 1, file);
		fflush(file);
	}
	pthread_mutex_unlock(&lock);
}

int umad_send(int fd, int agent, void *umad, int length, int timeout_ms, int retries) {
	static int (*send)(int, int, void *, int, int, int);
	if (!send)
		send = real("umad_send");
	record(umad, length, 1);
	return send(fd, agent, umad, length, timeout_ms, retries);
}

int umad_recv(int fd, void *umad, int *length, int timeout_ms) {
	static int (*receive)(int, void *, int *, int);
	if (!receive)
		receive = real("umad_recv");
	int agent = receive(fd, umad, length, timeout_ms);
	if (agent >= 0 && umad_status(umad) == 0)
		record(umad, *length, 0);
	return agent;
}
