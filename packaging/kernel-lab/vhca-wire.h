/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The records of /dev/vhca, one for each read() or write(), in host byte order. */
#ifndef VHCA_WIRE_H
#define VHCA_WIRE_H
#ifdef __KERNEL__
#include <linux/types.h>
#else
#include <stdint.h>
typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
#endif

enum vhca_record {
	VHCA_PACKET,	/* both directions: a packet that leaves or reaches a port */
	VHCA_LINK,	/* to the kernel: the link of a port is up (flags 1) or down (0) */
	VHCA_BOUNCE,	/* from the kernel: a port was set Down and trains again; flags 1: it stays disabled */
	VHCA_ADD,	/* to the kernel: an adapter appears */
	VHCA_DEL,	/* to the kernel: it is removed, as from its PCI slot */
};

#define VHCA_GRH 1	/* flags of a packet */
#define VHCA_IMM 2
#define VHCA_MTU 4096

struct vhca_rec {
	u16 hca;
	u8 type, flags;
	u16 slid, dlid;
	u8 sl, pad;
	u16 pkey;
	u32 sqpn, dqpn, qkey, imm;
	u32 len;
	u8 grh[40];
	u8 data[];
};
#endif
