/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The agents (SMA, PMA) of a channel adapter or a switch with less than 16 ports, for both sides of /dev/vhca:
 * adapters in the kernel module, switches and hosts without a kernel in the fabric program.
 */
#ifndef VHCA_SMA_H
#define VHCA_SMA_H
#include "vhca-wire.h"
#ifdef __KERNEL__
#include <linux/string.h>
#else
#include <string.h>
#endif

#define SMA_PORTS 16
#define SMA_CA 1
#define SMA_SWITCH 2
#define SMA_LFT 0xc000
#define SMA_MFT 1024
#define ST_DOWN 1
#define ST_INIT 2
#define ST_ARMED 3
#define ST_ACTIVE 4

struct sma_port {
	u8 info[64];		/* PortInfo as it is on the wire */
	u8 guids[64];
	u8 pkeys[64];
	u8 vlarb[4][64];
	u8 sl2vl[SMA_PORTS][8];
};

struct sma_node {
	u8 type, nports;
	u64 guid;
	char desc[64];
	struct sma_port port[SMA_PORTS];	/* a switch has port 0 */
	u8 info[64];		/* SwitchInfo */
	u8 *lft;		/* SMA_LFT */
	u16 *mft;		/* SMA_MFT masks */
};

/* The effect of a Set on its port. */
struct sma_effect {
	u8 port;		/* whose PortInfo was set; 0 none */
	u8 go_down, disable, rereg, is_set;
	u16 attr;
};

static inline u16 get16(const u8 *p) { return p[0] << 8 | p[1]; }
static inline u32 get32(const u8 *p) { return (u32)get16(p) << 16 | get16(p + 2); }
static inline u64 get64(const u8 *p) { return (u64)get32(p) << 32 | get32(p + 4); }
static inline void put16(u8 *p, u16 v) { p[0] = v >> 8; p[1] = v; }
static inline void put32(u8 *p, u32 v) { put16(p, v >> 16); put16(p + 2, v); }
static inline void put64(u8 *p, u64 v) { put32(p, v >> 32); put32(p + 4, v); }
static inline u8 hi4(u8 keep, u8 v) { return (keep & 0x0f) | (v << 4); }
static inline u8 lo4(u8 keep, u8 v) { return (keep & 0xf0) | (v & 0xf); }

static inline u8 *sma_governing(struct sma_node *n, int port)
{
	return n->port[n->type == SMA_SWITCH ? 0 : port].info;
}

static inline int sma_state(struct sma_node *n, int port) { return n->port[port].info[32] & 0xf; }
static inline u16 sma_lid(struct sma_node *n, int port) { return get16(sma_governing(n, port) + 16); }
static inline u16 sma_sm_lid(struct sma_node *n, int port) { return get16(sma_governing(n, port) + 18); }
static inline int sma_lmc(struct sma_node *n, int port) { return sma_governing(n, port)[34] & 7; }

static inline void sma_set_link(struct sma_node *n, int port, int up, int disabled)
{
	u8 *pi = n->port[port].info;

	pi[32] = lo4(pi[32], up ? ST_INIT : ST_DOWN);
	pi[33] = hi4(pi[33], up ? 5 : disabled ? 3 : 2);
	if (n->type == SMA_SWITCH)
		n->info[11] |= 4;	/* PortStateChange */
}

static inline void sma_init(struct sma_node *n, int type, int nports, u64 guid, const char *desc)
{
	int p, i, j;

	n->type = type;
	n->nports = nports;
	n->guid = guid;
	memcpy(n->desc, desc, strnlen(desc, sizeof(n->desc) - 1));
	for (p = type == SMA_SWITCH ? 0 : 1; p <= nports; p++) {
		u8 *pi = n->port[p].info;
		int is_end = type == SMA_CA || p == 0;

		put64(pi + 8, 0xfe80000000000000ULL);
		/* Trap, SLMapping, SystemImageGUID, CapabilityMaskNotice, ClientReregistration, adapters also CM */
		put32(pi + 20, !is_end ? 0 : type == SMA_CA ? 0x02410848 : 0x02400848);
		pi[29] = pi[30] = 3;	/* 1x, 4x */
		pi[31] = 2;
		pi[32] = 7 << 4 | (p ? ST_DOWN : ST_ACTIVE);	/* SDR, DDR, QDR */
		pi[33] = (p ? 2 : 5) << 4 | 2;
		pi[35] = 4 << 4 | 7;
		pi[36] = 5 << 4;
		pi[37] = 4 << 4;	/* VL 0 to 7 */
		pi[39] = pi[40] = 8;
		pi[41] = 5;
		pi[42] = 0x12;
		pi[43] = 4 << 4;
		pi[50] = is_end ? 8 : 0;
		pi[52] = 8;
		put64(n->port[p].guids, guid + (type == SMA_CA ? p : 0));
		put16(n->port[p].pkeys, 0xffff);
		for (i = 0; i < SMA_PORTS; i++)
			for (j = 0; j < 8; j++)
				n->port[p].sl2vl[i][j] = ((2 * j) & 7) << 4 | ((2 * j + 1) & 7);
	}
	put16(n->info, SMA_LFT - 1);
	put16(n->info + 4, SMA_MFT);
	n->info[11] = 0x12 << 3;
	put16(n->info + 14, 32);
	n->info[16] = 0xc0;
	if (n->lft)
		memset(n->lft, 0xff, SMA_LFT);
}

/* Returns the status of the response. */
static inline int sma_set_port(struct sma_node *n, int port, u8 *d, struct sma_effect *e)
{
	u8 *pi = n->port[port].info, *gov = sma_governing(n, port);
	int now = pi[32] & 0xf, want = d[32] & 0xf, phys = d[33] >> 4;
	int is_end = gov == pi;

	if (want > ST_ACTIVE || (want == ST_ARMED && now != ST_INIT && now != ST_ARMED) ||
	    (want == ST_ACTIVE && now != ST_ARMED && now != ST_ACTIVE) || (want == ST_INIT) ||
	    (d[36] >> 4) > 5 || (d[43] >> 4) > 4)
		return 0x1c;
	if (is_end) {
		if (!get16(d + 16) && (want > ST_DOWN))
			return 0x1c;
		memcpy(pi, d, 20);		/* M_Key, prefix, LID, SM LID */
		memcpy(pi + 26, d + 26, 2);
		pi[34] = (d[34] & 0xc0) | (d[34] & 7);
		pi[51] = d[51] & 0x1f;
		e->rereg = d[51] >> 7;
	}
	pi[29] = d[29] && d[29] != 0xff ? d[29] & pi[30] : d[29] ? pi[30] : pi[29];
	pi[33] = lo4(pi[33], d[33] & 0xf ? d[33] : pi[33]);
	pi[35] = lo4(pi[35], d[35] & 0xf ? d[35] & 0xf & pi[32] >> 4 : pi[35]);
	pi[36] = lo4(pi[36], is_end ? d[36] : pi[36]);
	if (d[36] >> 4)
		pi[36] = hi4(pi[36], d[36] >> 4);
	pi[38] = d[38];
	pi[42] = d[42];
	pi[43] = (d[43] & 0x0f) | (d[43] >> 4 ? d[43] & 0xf0 : pi[43] & 0xf0);
	memcpy(pi + 44, d + 44, 6);
	pi[53] = d[53];
	e->port = port;
	e->go_down = port && (phys == 2 || (now > ST_DOWN && (want == ST_DOWN || phys == 3)));
	e->disable = phys == 3;
	if (want >= ST_ARMED)
		pi[32] = lo4(pi[32], want);
	return 0;
}

static inline int sma_attr(struct sma_node *n, int in_port, u8 *m, int set, struct sma_effect *e)
{
	u32 mod = get32(m + 20);
	u8 *d = m + 64;
	int is_sw = n->type == SMA_SWITCH, port = mod & 0xff, out = mod >> 8 & 0xff, b, i;
	u8 *at;
	int len = 64;

	switch (get16(m + 16)) {
	case 0x10:
		at = (u8 *)n->desc;
		goto copy_out;
	case 0x11:
		memset(d, 0, 64);
		d[0] = d[1] = 1;
		d[2] = n->type;
		d[3] = n->nports;
		put64(d + 4, n->guid);
		put64(d + 12, n->guid);
		put64(d + 20, n->guid + (is_sw ? 0 : in_port));
		put16(d + 28, 32);
		put16(d + 30, is_sw ? 0xcafe : 0xcaca);
		put32(d + 36, 0x001999);
		d[36] = in_port;
		return 0;
	case 0x12:
		if (!is_sw)
			return 0xc;
		if (set) {
			memcpy(n->info + 6, d + 6, 5);
			n->info[11] = (d[11] & 0xf8) | (n->info[11] & 4 & ~d[11]);
			memcpy(n->info + 18, d + 18, 2);
		}
		at = n->info;
		goto copy_out;
	case 0x14:
		port = is_sw ? 0 : in_port;
		if (mod)
			goto zero;
		if (set)
			memcpy(n->port[port].guids + 8, d + 8, 56);
		at = n->port[port].guids;
		goto copy_out;
	case 0x15:
		if (!is_sw && !port)
			port = in_port;
		if (port > n->nports)
			return 0x1c;
		if (set) {
			i = sma_set_port(n, port, d, e);
			if (i)
				return i;
		}
		memcpy(d, n->port[port].info, 64);
		d[28] = in_port;
		if (set && e->rereg)
			d[51] |= 0x80;
		return 0;
	case 0x16:
		port = is_sw ? (int)(mod >> 16) : in_port;
		if (port > n->nports || (mod & 0xffff))
			return 0x1c;
		at = n->port[port].pkeys;
		goto copy_both;
	case 0x17:
		if (!is_sw) {
			out = in_port;
			port = 0;
		}
		if (port > n->nports || out > n->nports)
			return 0x1c;
		at = n->port[out].sl2vl[port];
		len = 8;
		goto copy_both;
	case 0x18:
		b = mod >> 16;
		if (!is_sw)
			port = in_port;
		if (b < 1 || b > 4 || port > n->nports)
			return 0x1c;
		at = n->port[port].vlarb[b - 1];
		goto copy_both;
	case 0x19:
		if (!is_sw)
			return 0xc;
		if (mod >= SMA_LFT / 64)
			return 0x1c;
		at = n->lft + mod * 64;
		goto copy_both;
	case 0x1b:
		if (!is_sw)
			return 0xc;
		b = mod & 0x1ff;
		if (b >= SMA_MFT / 32 || mod >> 28)
			return 0x1c;
		for (i = 0; i < 32; i++) {
			if (set)
				n->mft[b * 32 + i] = get16(d + 2 * i);
			put16(d + 2 * i, n->mft[b * 32 + i]);
		}
		return 0;
	default:
		return 0xc;
	}
zero:
	memset(d, 0, 64);
	return 0;
copy_both:
	if (set)
		memcpy(at, d, len);
copy_out:
	memset(d, 0, 64);
	memcpy(d, at, len);
	return 0;
}

/*
 * Makes the response to a MAD in place.
 * Returns 1 if there is one, 0 if the agent does not respond, -1 for a MAD of an SM (SMInfo, traps).
 */
static inline int sma_handle(struct sma_node *n, int in_port, u8 *m, struct sma_effect *e)
{
	int cls = m[1], method = m[3], set = method == 2, status;
	u8 *gov = sma_governing(n, in_port);

	memset(e, 0, sizeof(*e));
	if (method != 1 && method != 2)
		return -1;
	if (cls == 4) {
		u16 attr = get16(m + 16);
		u8 *d = m + 64;

		status = attr == 1 || attr == 0x12 || attr == 0x1d ? 0 : 0xc;
		if (attr == 1) {
			memset(d, 0, 192);
			d[0] = d[1] = 1;
			put16(d + 2, 0x0200);
			d[7] = 18;
		} else {
			memset(d + 2, 0, 190);	/* port and mask stay; all counters are 0 */
		}
		m[3] = 0x81;
		put16(m + 4, status);
		return 1;
	}
	if ((cls != 1 && cls != 0x81) || get16(m + 16) == 0x20)
		return -1;
	if (get64(gov) && get64(gov) != get64(m + 24) && (set || gov[34] >> 7))
		return 0;	/* M_Key */
	e->attr = get16(m + 16);
	e->is_set = set;
	status = sma_attr(n, in_port, m, set, e);
	if (status)
		memset(e, 0, sizeof(*e));
	m[3] = 0x81;
	put16(m + 4, status | (cls == 0x81 ? 0x8000 : 0));
	return 1;
}
#endif
