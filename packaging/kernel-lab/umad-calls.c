// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Random calls of the user MAD device and their outcomes. KernelCallsTest repeats them on the model of the kernel.
 *
 *   umad-calls SEED STEPS UMAD LID > calls
 *
 * UMAD: number of the device; LID: a host without an SA, which responds to Get with status 0x000C. Each line is a call.
 * T is the transaction ID, C the class in hexadecimal (81 or 3), W the time-out in milliseconds:
 *
 *   answered T C W RESULT       a request that a device responds to; RESULT is 0 or an error number
 *   unanswered T C W RESULT     a request without a response
 *   response T C RESULT         a response to a request of another host
 *   read T C STATUS BYTES MAD   a MAD was received. STATUS: 0, or 110 after a time-out; MAD: its own status
 *   read none                   no MAD was there
 *   waited                      until all requests had returned; the reads follow, in order of T and C
 *   reopened                    the device was closed with open requests, and opened
 *
 * A sequence between two waits that took almost as long as the shortest time-out is not printed: its outcome depends
 * on the moment of the time-out.
 */
#define _DEFAULT_SOURCE
#include <arpa/inet.h>
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <rdma/ib_user_mad.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#define DIRECTED 0x81
#define SA 3
#define SHORTEST 100	/* ms */
#define MOST 32		/* calls between two waits */

struct umad {
	struct ib_user_mad_hdr head;
	uint8_t mad[256];
};

static char path[64];
static int fd, directed, sa, host, open_requests, has_unread;
static char text[64 * 1024];
static size_t length;

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

#define SAY(...) (length += snprintf(text + length, sizeof(text) - length, __VA_ARGS__))

static double now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

static int agent(int qpn, int mgmt_class, int version)
{
	struct ib_user_mad_reg_req2 r = { .qpn = qpn, .mgmt_class = mgmt_class, .mgmt_class_version = version };

	if (ioctl(fd, IB_USER_MAD_REGISTER_AGENT2, &r))
		fail("registration");
	return r.id;
}

static void open_device(void)
{
	fd = open(path, O_RDWR | O_NONBLOCK);
	if (fd < 0)
		fail(path);
	ioctl(fd, IB_USER_MAD_ENABLE_PKEY);
	directed = agent(0, DIRECTED, 1);
	sa = agent(1, SA, 2);
	open_requests = has_unread = 0;
}

static int is_there(int ms)
{
	struct pollfd p = { fd, POLLIN, 0 };

	return poll(&p, 1, ms) > 0;
}

static int send_mad(int mgmt_class, int method, int tid, int timeout, int is_answered)
{
	struct umad m = { .head = { .id = mgmt_class == SA ? sa : directed, .timeout_ms = timeout } };
	int is_directed = mgmt_class == DIRECTED;

	m.head.lid = htons(is_directed ? 0xffff : host);
	m.head.qpn = htonl(!is_directed);
	m.head.qkey = htonl(is_directed ? 0 : 0x80010000);
	m.mad[0] = 1;
	m.mad[1] = mgmt_class;
	m.mad[2] = is_directed ? 1 : 2;
	m.mad[3] = method;
	m.mad[15] = tid;
	m.mad[17] = is_directed ? 0x11 : 1;	/* NodeInfo, ClassPortInfo */
	if (is_directed) {
		memset(m.mad + 32, 0xff, 4);
		if (!is_answered) {	/* by a port that no switch has */
			m.mad[7] = 2;
			m.mad[129] = 1;
			m.mad[130] = 99;
		}
		if (method & 0x80)
			m.mad[4] = 0x80;
	}
	return write(fd, &m, sizeof(m)) < 0 ? errno : 0;
}

/* A MAD as a line; T and C first, so that lines can be sorted. */
static void receive(char line[64])
{
	struct umad m;
	ssize_t n = read(fd, &m, sizeof(m));

	if (n < 0)
		fail("read");
	snprintf(line, 64, "read %d %x %u %zd %x\n", m.mad[15], m.mad[1], m.head.status, n - (ssize_t)sizeof(m.head),
		 m.head.status ? 0 : (m.mad[4] << 8 | m.mad[5]) & 0x7fff);
}

static int compare(const void *a, const void *b) { return strcmp(a, b); }

static void wait_all(void)
{
	static char lines[MOST + 1][64];
	int n = 0;

	SAY("waited\n");
	for (; open_requests + has_unread > 0 && n <= MOST; n++) {
		if (!is_there(5000)) {
			SAY("lost %d\n", open_requests);
			break;
		}
		receive(lines[n]);
		if (has_unread)
			has_unread = 0;
		else
			open_requests--;
	}
	qsort(lines, n, sizeof(*lines), compare);
	for (int i = 0; i < n; i++)
		SAY("%s", lines[i]);
	if (is_there(20))
		SAY("another MAD\n");
}

static void read_one(void)
{
	char line[64];

	if (!has_unread) {
		SAY("read none\n");
		if (is_there(0))
			SAY("another MAD\n");
		return;
	}
	receive(line);
	SAY("%s", line);
	has_unread = 0;
}

static void request(int is_answered)
{
	int tid = 1 + rand() % 6, mgmt_class = rand() % 3 ? DIRECTED : SA, timeout = SHORTEST * (rand() % 3), result;
	int method = mgmt_class == SA && !is_answered ? 0x12 : 1;	/* a kernel does not respond to GetTable */

	if (is_answered && has_unread)
		read_one();
	if (is_answered && !timeout)
		timeout = SHORTEST;
	result = send_mad(mgmt_class, method, tid, timeout, is_answered);
	SAY("%s %d %x %d %d\n", is_answered ? "answered" : "unanswered", tid, mgmt_class, timeout, result);
	if (!result && is_answered) {
		if (!is_there(5000))
			SAY("lost\n");
		has_unread = 1;
	} else if (!result && timeout) {
		open_requests++;
	} else if (!result) {
		usleep(2000);	/* it is on the wire, and its transaction ID is free */
	}
}

static void one_call(void)
{
	int tid;

	switch (rand() % 8) {
	case 0:
	case 1:
		request(1);
		break;
	case 2:
	case 3:
	case 4:
		request(0);
		break;
	case 5:
		tid = 1 + rand() % 6;
		SAY("response %d %x %d\n", tid, SA, send_mad(SA, 0x81, tid, 0, 0));
		usleep(2000);
		break;
	default:
		read_one();
	}
}

int main(int argc, char **argv)
{
	int steps, done = 0, skipped = 0;

	if (argc != 5) {
		fprintf(stderr, "usage: umad-calls SEED STEPS UMAD LID\n");
		return 2;
	}
	srand(atoi(argv[1]));
	steps = atoi(argv[2]);
	snprintf(path, sizeof(path), "/dev/infiniband/umad%d", atoi(argv[3]));
	host = atoi(argv[4]);
	open_device();
	while (done < steps) {
		double begin = now_ms();
		int calls = 0, most = 1 + rand() % (MOST - 1), is_slow;

		for (length = 0; calls < most; calls++)
			one_call();
		is_slow = now_ms() - begin > SHORTEST - 10;
		if (rand() % 8 == 0 || is_slow) {
			close(fd);
			open_device();
			SAY("reopened\n");
		} else {
			wait_all();
		}
		skipped += is_slow;
		if (is_slow && skipped > 10 * steps)
			break;
		if (is_slow)
			continue;
		fputs(text, stdout);
		done += calls + 1;
	}
	printf("# %d calls; %d sequences were too slow\n", done, skipped);
	return 0;
}
