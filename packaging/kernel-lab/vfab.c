// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Switches between the adapters of /dev/vhca. They forward by directed route, LFT and MFT. Like real switches they
 * drop packets on links that are not Active, and on VL 15 and VLs that are not operational according to SL2VL.
 *
 *   vfab X Y Z ADAPTERS < commands             a torus, or a mesh in dimensions of two
 *   vfab tree LEAVES SPINES ADAPTERS < commands
 *
 * Nodes: s0.. switches, v0.. adapters of the kernel. Torus: switch x + X*(y + Y*z); ports 1 +x, 2 -x, 3 +y, 4 -y,
 * 5 +z, 6 -z, 7 host. Tree: leaves first, port 1 host, then a port for each spine.
 * Commands: unlink NODE PORT | relink NODE PORT | loss PERCENT (of MADs, at the link of each adapter and each
 * direction) | del I | add I (an adapter) | off NODE | on NODE | trace 0|1 | stats | dump NODE
 */
#define _DEFAULT_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include "sma.h"

#define MAX 300

static struct node {
	struct sma_node sma;
	int hca;			/* number of the adapter; -1: a switch */
	int is_off, is_gone;
	struct { int node, port, unplugged, disabled, up; } link[SMA_PORTS];
	u8 trap[256];			/* repeated until it is repressed */
	int trap_tries;
	double trap_at;
} nodes[MAX];
static int count, fd, trace;
static double loss;
static struct { double at; int node, port; } retrain[64];
static u32 trap_tid;
static unsigned long hops, lost, drop_state, drop_vl, drop_lft, drop_dr, drop_other;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static char *name(int n)
{
	static char b[4][16];
	static int i;
	char *s = b[i++ & 3];

	if (nodes[n].hca >= 0)
		sprintf(s, "v%d", nodes[n].hca);
	else
		sprintf(s, "%s", nodes[n].sma.desc);
	return s;
}

static void arrive(int n, int in, struct vhca_rec *r);

static int is_smp(struct vhca_rec *r) { return r->dqpn == 0 && r->len == 256; }
static int is_mad(struct vhca_rec *r) { return r->dqpn <= 1 && r->len == 256; }

/* Sends a packet from a port of a node. */
static void forward(int n, int in, int out, struct vhca_rec *r)
{
	struct node *a = &nodes[n];
	static const u8 vls[] = { 1, 1, 2, 4, 8, 15 };

	hops++;
	if (out < 1 || out > a->sma.nports || !a->link[out].up) {
		drop_state++;
		return;
	}
	if (!is_smp(r) && a->sma.type == SMA_SWITCH) {
		u8 *pi = a->sma.port[out].info, b = a->sma.port[out].sl2vl[in][r->sl / 2];
		int vl = r->sl & 1 ? b & 0xf : b >> 4;

		if ((pi[32] & 0xf) != ST_ACTIVE || (in && sma_state(&a->sma, in) != ST_ACTIVE)) {
			drop_state++;
			return;
		}
		if (vl >= vls[pi[43] >> 4 > 5 ? 0 : pi[43] >> 4]) {
			drop_vl++;
			return;
		}
	}
	arrive(a->link[out].node, a->link[out].port, r);
}

static void to_adapter(int n, struct vhca_rec *r)
{
	r->hca = nodes[n].hca;
	if (write(fd, r, sizeof(*r) + r->len) < 0 && errno != ENODEV)
		perror("vfab: write");
}

static void set_link(int n, int port, int up)
{
	struct node *a = &nodes[n];
	struct vhca_rec r = { .type = VHCA_LINK, .flags = up };
	u8 *m = a->trap, *d = m + 64;

	if (a->link[port].up == up)
		return;
	a->link[port].up = up;
	if (a->hca >= 0) {
		to_adapter(n, &r);
		return;
	}
	sma_set_link(&a->sma, port, up, a->link[port].disabled);
	if (a->sma.type != SMA_SWITCH)
		return;
	memset(m, 0, 256);
	m[0] = m[1] = m[2] = 1;
	m[3] = 5;
	put64(m + 8, ++trap_tid);
	put16(m + 16, 2);
	d[0] = 0x80 | 1;
	d[3] = 2;
	put16(d + 4, 128);
	put16(d + 6, sma_lid(&a->sma, 0));
	put16(d + 10, sma_lid(&a->sma, 0));
	a->trap_tries = 5;
	a->trap_at = now();
}

/* Sets the link of both ends after a change at one of them. */
static void settle(int n, int port)
{
	struct node *a = &nodes[n];
	int pn = a->link[port].node, pp = a->link[port].port, up;

	if (pn < 0)
		return;
	up = !a->link[port].unplugged && !a->link[port].disabled && !nodes[pn].link[pp].disabled && !a->is_off &&
	     !nodes[pn].is_off && !a->is_gone && !nodes[pn].is_gone;
	set_link(n, port, up);
	set_link(pn, pp, up);
}

static void bounce(int n, int port, int stays)
{
	int i, pn = nodes[n].link[port].node;

	if (pn < 0)
		return;
	nodes[n].link[port].disabled = stays;
	set_link(n, port, 0);
	set_link(pn, nodes[n].link[port].port, 0);
	for (i = 0; i < 64 && !stays; i++)
		if (!retrain[i].at) {
			retrain[i].at = now() + 0.1;
			retrain[i].node = n;
			retrain[i].port = port;
			return;
		}
}

static void local(int n, int in, struct vhca_rec *r)
{
	struct node *a = &nodes[n];
	u8 *m = r->data;
	struct sma_effect e;
	u16 lid;

	if (!is_mad(r)) {
		drop_other++;
		return;
	}
	if (m[3] == 7) {	/* TrapRepress */
		if (get64(m + 8) == get64(a->trap + 8))
			a->trap_tries = 0;
		return;
	}
	if (sma_handle(&a->sma, in, m, &e) != 1) {
		drop_other++;
		return;
	}
	lid = r->slid;
	r->slid = sma_lid(&a->sma, a->sma.type == SMA_SWITCH ? 0 : 1);
	r->dlid = lid;
	r->dqpn = r->sqpn;
	r->sqpn = r->dqpn ? 1 : 0;
	if (m[1] == 0x81) {
		r->dlid = 0xffff;
		m[6]--;
		forward(n, 0, m[192 + m[6]], r);
	} else if (a->sma.type == SMA_SWITCH) {
		forward(n, 0, a->sma.lft[lid], r);
	} else {
		forward(n, 0, 1, r);
	}
	if (e.port && e.go_down)
		bounce(n, e.port, e.disable);
}

static void directed(int n, int in, struct vhca_rec *r)
{
	u8 *m = r->data, cnt = m[7];
	int is_switch = nodes[n].sma.type == SMA_SWITCH;

	if (cnt > 63) {
		drop_dr++;
	} else if (!(m[4] & 0x80)) {
		if ((cnt && !m[6]) || m[6] > cnt) {
			drop_dr++;
		} else if (m[6] < cnt) {
			m[192 + m[6]++] = in;
			if (is_switch)
				forward(n, in, m[128 + m[6]], r);
		} else {
			m[192 + m[6]++] = in;
			local(n, in, r);
		}
	} else if (m[6] >= 2 && m[6] <= cnt && is_switch) {
		m[6]--;
		forward(n, in, m[192 + m[6]], r);
	} else {
		drop_dr++;
	}
}

static void arrive(int n, int in, struct vhca_rec *r)
{
	struct node *a = &nodes[n];
	int p;

	if (trace)
		fprintf(stderr, "%s[%d] lid %d>%d qp %x>%x sl %d class %x method %x attr %x\n", name(n), in, r->slid, r->dlid,
			r->sqpn, r->dqpn, r->sl, r->data[1], r->data[3], get16(r->data + 16));
	if (a->hca >= 0) {
		if (is_mad(r) && drand48() * 100 < loss)
			lost++;
		else
			to_adapter(n, r);
	} else if (is_smp(r) && r->data[1] == 0x81) {
		directed(n, in, r);
	} else if (a->sma.type == SMA_CA) {
		local(n, in, r);
	} else if (r->dlid >= 0xc000 && r->dlid != 0xffff) {
		u16 mask = r->dlid - 0xc000 < SMA_MFT ? a->sma.mft[r->dlid - 0xc000] : 0;

		for (p = 1; p <= a->sma.nports; p++)
			if (p != in && mask & 1 << p) {
				struct vhca_rec *copy = malloc(sizeof(*r) + r->len);

				memcpy(copy, r, sizeof(*r) + r->len);
				forward(n, in, p, copy);
				free(copy);
			}
		if (!mask)
			drop_lft++;
	} else {
		p = r->dlid < SMA_LFT ? a->sma.lft[r->dlid] : 255;
		if (p == 0)
			local(n, in, r);
		else if (p == 255)
			drop_lft++;
		else
			forward(n, in, p, r);
	}
}

static void send_trap(int n)
{
	struct node *a = &nodes[n];
	struct vhca_rec *r = calloc(1, sizeof(*r) + 256);
	u16 sm = sma_sm_lid(&a->sma, 0);

	r->len = 256;
	r->slid = sma_lid(&a->sma, 0);
	r->dlid = sm;
	r->pkey = 0xffff;
	memcpy(r->data, a->trap, 256);
	if (sm && r->slid && a->sma.lft[sm] != 255)
		forward(n, 0, a->sma.lft[sm], r);
	free(r);
}

static int add(int type, int ports, u64 guid, int hca, const char *fmt, int i)
{
	struct node *a = &nodes[count];
	char desc[64];
	int p;

	if (type == SMA_SWITCH) {
		a->sma.lft = malloc(SMA_LFT);
		a->sma.mft = calloc(SMA_MFT, 2);
	}
	snprintf(desc, sizeof(desc), fmt, i);
	sma_init(&a->sma, type, ports, guid, desc);
	a->hca = hca;
	for (p = 0; p < SMA_PORTS; p++)
		a->link[p].node = -1;
	return count++;
}

static int add_adapter(int i)
{
	return add(SMA_CA, 1, 0x0002190000000000ULL + 0x100 * (i + 1), i, "v%d", i);
}

static void connect(int a, int pa, int b, int pb)
{
	nodes[a].link[pa].node = b;
	nodes[a].link[pa].port = pb;
	nodes[b].link[pb].node = a;
	nodes[b].link[pb].port = pa;
}

static int find(const char *s)
{
	int i;

	for (i = 0; i < count; i++)
		if (!strcmp(s, name(i)))
			return i;
	return -1;
}

static void all_links(int n)
{
	int p;

	for (p = 1; p <= nodes[n].sma.nports; p++)
		settle(n, p);
}

static void command(char *line)
{
	char word[32] = "", node[32] = "";
	double x = 0;
	int n, port, k = sscanf(line, "%31s %31s %lf", word, node, &x), i = atoi(node);
	struct vhca_rec r = { 0 };

	n = find(node);
	port = x ? x : 1;
	if (k < 1)
		return;
	if (!strcmp(word, "loss")) {
		loss = atof(node);
	} else if (!strcmp(word, "trace")) {
		trace = i;
	} else if (!strcmp(word, "stats")) {
		printf("hops %lu lost %lu state %lu vl %lu lft %lu dr %lu other %lu\n", hops, lost, drop_state, drop_vl,
		       drop_lft, drop_dr, drop_other);
	} else if (!strcmp(word, "del") || !strcmp(word, "add")) {
		for (n = 0; n < count && (nodes[n].hca != i); n++)
			;
		if (n == count)
			return;
		r.type = word[0] == 'd' ? VHCA_DEL : VHCA_ADD;
		if (word[0] == 'd') {	/* the other end loses its link too */
			nodes[n].is_gone = 1;
			settle(n, 1);
		}
		to_adapter(n, &r);
		if (word[0] == 'a') {
			nodes[n].is_gone = 0;
			settle(n, 1);
		}
	} else if (n < 0 || port >= SMA_PORTS) {
		printf("? %s\n", line);
	} else if (!strcmp(word, "unlink") || !strcmp(word, "relink")) {
		nodes[n].link[port].unplugged = word[0] == 'u';
		if (nodes[n].link[port].node >= 0)
			nodes[nodes[n].link[port].node].link[nodes[n].link[port].port].unplugged = word[0] == 'u';
		settle(n, port);
	} else if (!strcmp(word, "off") || !strcmp(word, "on")) {
		nodes[n].is_off = word[1] == 'f';
		all_links(n);
	} else if (!strcmp(word, "dump")) {
		for (i = 1; i <= nodes[n].sma.nports; i++)
			if (nodes[n].link[i].node >= 0)
				printf("%s[%d] %s[%d] up %d state %d\n", node, i, name(nodes[n].link[i].node),
				       nodes[n].link[i].port, nodes[n].link[i].up, sma_state(&nodes[n].sma, i));
		printf("%s lid %d sm lid %d\n", node, sma_lid(&nodes[n].sma, 1), sma_sm_lid(&nodes[n].sma, 1));
	}
	fflush(stdout);
}

/* X x Y x Z switches; a dimension of more than two wraps. */
static void torus(const int *d, int adapters)
{
	int i, j = d[0] * d[1] * d[2];

	for (i = 0; i < j; i++)
		add(SMA_SWITCH, 7, 0x0002190000100000ULL + i, -1, "s%d", i);
	for (i = 0; i < j; i++) {
		int x[3] = { i % d[0], i / d[0] % d[1], i / d[0] / d[1] };

		for (int k = 0, step = 1; k < 3; step *= d[k++])
			if (x[k] + 1 < d[k])
				connect(i, 2 * k + 1, i + step, 2 * k + 2);
			else if (d[k] > 2)
				connect(i, 2 * k + 1, i - step * (d[k] - 1), 2 * k + 2);
	}
	for (i = 0; i < adapters; i++)
		connect(add_adapter(i), 1, i * (j / adapters), 7);
}

/* Each leaf has a cable to each spine, and adapters on its first port. */
static void tree(int leaves, int spines, int adapters)
{
	int i, j;

	for (i = 0; i < leaves + spines; i++)
		add(SMA_SWITCH, SMA_PORTS - 1, 0x0002190000100000ULL + i, -1, "s%d", i);
	for (i = 0; i < leaves; i++)
		for (j = 0; j < spines; j++)
			connect(i, 2 + j, leaves + j, 1 + i);
	for (i = 0; i < adapters; i++)
		connect(add_adapter(i), 1, i, 1);
}

static void from_kernel(struct vhca_rec *r)
{
	int i;

	for (i = 0; i < count && nodes[i].hca != r->hca; i++)
		;
	if (i == count)
		return;
	if (r->type == VHCA_BOUNCE)
		bounce(i, 1, r->flags);
	else if (r->type == VHCA_PACKET && is_mad(r) && drand48() * 100 < loss)
		lost++;
	else if (r->type == VHCA_PACKET)
		forward(i, 0, 1, r);
}

static void from_console(int *is_open)
{
	static char line[4096];
	ssize_t n = read(0, line, sizeof(line) - 1);

	if (n == 0)
		*is_open = 0;
	if (n <= 0)
		return;
	line[n] = 0;
	for (char *rest = line, *one; (one = strsep(&rest, "\n")); )
		command(one);
}

/* Trains links again and repeats traps. */
static void on_time(void)
{
	int i;

	for (i = 0; i < 64; i++)
		if (retrain[i].at && retrain[i].at < now()) {
			retrain[i].at = 0;
			settle(retrain[i].node, retrain[i].port);
		}
	for (i = 0; i < count; i++)
		if (nodes[i].trap_tries && nodes[i].trap_at < now()) {
			nodes[i].trap_tries--;
			nodes[i].trap_at = now() + 2;
			send_trap(i);
		}
}

int main(int argc, char **argv)
{
	int is_tree = argc > 1 && !strcmp(argv[1], "tree"), d[3], adapters, i, is_open = 1;
	static char buf[sizeof(struct vhca_rec) + VHCA_MTU];

	if (argc != 5) {
		fprintf(stderr, "usage: vfab X Y Z ADAPTERS | vfab tree LEAVES SPINES ADAPTERS\n");
		return 2;
	}
	for (i = 0; i < 3; i++)
		d[i] = is_tree && !i ? 1 : atoi(argv[1 + i]);
	adapters = atoi(argv[4]);
	for (i = 0; i < 3; i++)
		if (d[i] < 1 || d[i] > (is_tree ? SMA_PORTS - 2 : MAX)) {
			fprintf(stderr, "vfab: a number is out of range\n");
			return 2;
		}
	if ((long)d[0] * d[1] * d[2] + adapters > MAX || adapters < 1 || adapters > (is_tree ? d[1] : d[0] * d[1] * d[2])) {
		fprintf(stderr, "vfab: too many nodes\n");
		return 2;
	}
	fd = open("/dev/vhca", O_RDWR | O_NONBLOCK);
	if (fd < 0) {
		perror("/dev/vhca");
		return 1;
	}
	fcntl(0, F_SETFL, O_NONBLOCK);
	if (is_tree)
		tree(d[1], d[2], adapters);
	else
		torus(d, adapters);
	for (i = 0; i < count; i++)
		all_links(i);
	for (i = 0; i < count; i++)
		nodes[i].trap_tries = 0;
	printf("up: %d nodes\n", count);
	fflush(stdout);
	for (;;) {
		struct pollfd p[2] = { { fd, POLLIN, 0 }, { is_open ? 0 : -1, POLLIN, 0 } };

		poll(p, 2, 50);
		while (read(fd, buf, sizeof(buf)) > 0)
			from_kernel((void *)buf);
		if (p[1].revents)
			from_console(&is_open);
		on_time();
	}
}
