// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Virtual InfiniBand channel adapters below the MAD stack, CM, SA client and IPoIB of the kernel.
 *
 * Each adapter has one port with QP0, QP1 and UD queue pairs of kernel clients. Their packets leave through /dev/vhca,
 * and a packet that a program writes there arrives (vhca-wire.h). The agents (sma.h) respond in process_mad like the
 * firmware of mlx4 and mlx5. A successful Set raises the same events as there.
 */
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/poll.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/version.h>
#include <rdma/ib_cache.h>
#include <rdma/ib_mad.h>
#include <rdma/ib_smi.h>
#include <rdma/ib_verbs.h>
#include "sma.h"

#define MAX_HCAS 8
#define MAX_SGE 4
#define MAX_QUEUED 65536

static int hcas = 4;
module_param(hcas, int, 0444);
MODULE_PARM_DESC(hcas, "adapters at load");
static ulong no_receive, to_wire, from_wire, overflow;
module_param(no_receive, ulong, 0444);
MODULE_PARM_DESC(no_receive, "packets lost because a QP had no receive buffer");
module_param(to_wire, ulong, 0444);
module_param(from_wire, ulong, 0444);
module_param(overflow, ulong, 0444);
static int mad_delay_ms;
module_param(mad_delay_ms, int, 0644);
MODULE_PARM_DESC(mad_delay_ms, "time that the firmware takes for a MAD");

struct vhca {
	struct ib_device ib;
	int idx;
	struct platform_device *parent;
	spinlock_t lock;	/* node, qps */
	struct sma_node node;
	struct list_head qps;
	u32 next_qpn, next_tid;
};

struct vhca_cq {
	struct ib_cq ib;
	spinlock_t lock;
	struct ib_wc *ring;
	int head, count;
	bool armed;
	struct work_struct work;
};

struct vhca_recv {
	u64 wr_id;
	int num_sge;
	struct ib_sge sge[MAX_SGE];
};

struct vhca_group {
	struct list_head list;
	union ib_gid gid;
};

struct vhca_qp {
	struct ib_qp ib;
	struct list_head list;
	spinlock_t lock;
	struct ib_qp_attr attr;
	struct ib_qp_cap cap;
	bool signal_all;
	struct vhca_recv *rq;
	int head, count;
	struct list_head groups;	/* under the lock of the adapter */
};

struct vhca_pd {
	struct ib_pd ib;
};

struct vhca_ah {
	struct ib_ah ib;
	struct rdma_ah_attr attr;
};

struct queued {
	struct list_head list;
	struct vhca_rec rec;	/* and its data */
};

#define TO(type, x) container_of(x, struct vhca_##type, ib)
#define HCA(x) container_of(x, struct vhca, ib)

static struct workqueue_struct *wq;
static struct vhca *all[MAX_HCAS];
static DEFINE_MUTEX(all_lock);
static LIST_HEAD(queue);
static int queued;
static DEFINE_SPINLOCK(queue_lock);
static DECLARE_WAIT_QUEUE_HEAD(readers);

/* Packets to user space. */

static struct queued *new_record(struct vhca *h, int type, u32 len)
{
	struct queued *q = kzalloc(sizeof(*q) + len, GFP_ATOMIC);

	if (q) {
		q->rec.hca = h->idx;
		q->rec.type = type;
		q->rec.len = len;
	}
	return q;
}

static void enqueue(struct queued *q)
{
	unsigned long flags;

	spin_lock_irqsave(&queue_lock, flags);
	if (queued < MAX_QUEUED) {
		list_add_tail(&q->list, &queue);
		queued++;
		to_wire++;
		q = NULL;
	} else {
		overflow++;
	}
	spin_unlock_irqrestore(&queue_lock, flags);
	kfree(q);
	wake_up_interruptible(&readers);
}

static void deliver(struct vhca *h, const struct vhca_rec *r);

/* Sends a packet to the wire, or delivers it here if its destination is the port itself. */
static void emit(struct vhca *h, struct queued *q)
{
	unsigned long flags;
	u16 base, mask;
	bool is_own, is_up;

	spin_lock_irqsave(&h->lock, flags);
	base = sma_lid(&h->node, 1);
	mask = ~((1 << sma_lmc(&h->node, 1)) - 1);
	is_own = base && (q->rec.dlid & mask) == base;
	is_up = sma_state(&h->node, 1) > ST_DOWN;
	spin_unlock_irqrestore(&h->lock, flags);
	if (is_own) {
		deliver(h, &q->rec);
		kfree(q);
	} else if (is_up) {
		enqueue(q);
	} else {
		kfree(q);
	}
}

/* Completion queues. */

static void cq_work(struct work_struct *work)
{
	struct vhca_cq *cq = container_of(work, struct vhca_cq, work);

	local_bh_disable();
	cq->ib.comp_handler(&cq->ib, cq->ib.cq_context);
	local_bh_enable();
}

static void complete_wr(struct ib_cq *ibcq, const struct ib_wc *wc)
{
	struct vhca_cq *cq = TO(cq, ibcq);
	unsigned long flags;
	bool wake;

	spin_lock_irqsave(&cq->lock, flags);
	if (!WARN_ON_ONCE(cq->count == cq->ib.cqe))
		cq->ring[(cq->head + cq->count++) % cq->ib.cqe] = *wc;
	wake = cq->armed;
	cq->armed = false;
	spin_unlock_irqrestore(&cq->lock, flags);
	if (wake)
		queue_work(wq, &cq->work);
}

static int create_cq(struct ib_cq *ibcq, const struct ib_cq_init_attr *attr, struct ib_udata *udata)
{
	struct vhca_cq *cq = TO(cq, ibcq);

	if (udata)
		return -EOPNOTSUPP;
	cq->ring = kvcalloc(attr->cqe, sizeof(*cq->ring), GFP_KERNEL);
	if (!cq->ring)
		return -ENOMEM;
	ibcq->cqe = attr->cqe;
	spin_lock_init(&cq->lock);
	INIT_WORK(&cq->work, cq_work);
	return 0;
}

static int destroy_cq(struct ib_cq *ibcq, struct ib_udata *udata)
{
	cancel_work_sync(&TO(cq, ibcq)->work);
	kvfree(TO(cq, ibcq)->ring);
	return 0;
}

static int poll_cq(struct ib_cq *ibcq, int n, struct ib_wc *wc)
{
	struct vhca_cq *cq = TO(cq, ibcq);
	unsigned long flags;
	int i;

	spin_lock_irqsave(&cq->lock, flags);
	for (i = 0; i < n && cq->count; i++, cq->count--) {
		wc[i] = cq->ring[cq->head];
		cq->head = (cq->head + 1) % cq->ib.cqe;
	}
	spin_unlock_irqrestore(&cq->lock, flags);
	return i;
}

static int req_notify_cq(struct ib_cq *ibcq, enum ib_cq_notify_flags how)
{
	struct vhca_cq *cq = TO(cq, ibcq);
	unsigned long flags;
	int missed;

	spin_lock_irqsave(&cq->lock, flags);
	cq->armed = true;
	missed = (how & IB_CQ_REPORT_MISSED_EVENTS) && cq->count;
	spin_unlock_irqrestore(&cq->lock, flags);
	return missed;
}

/* Queue pairs. */

static int create_qp(struct ib_qp *ibqp, struct ib_qp_init_attr *init, struct ib_udata *udata)
{
	struct vhca *h = HCA(ibqp->device);
	struct vhca_qp *qp = TO(qp, ibqp);
	unsigned long flags;

	if (udata || init->srq || init->create_flags ||
	    (init->qp_type != IB_QPT_SMI && init->qp_type != IB_QPT_GSI && init->qp_type != IB_QPT_UD))
		return -EOPNOTSUPP;
	qp->rq = kvcalloc(init->cap.max_recv_wr + 1, sizeof(*qp->rq), GFP_KERNEL);
	if (!qp->rq)
		return -ENOMEM;
	spin_lock_init(&qp->lock);
	INIT_LIST_HEAD(&qp->groups);
	qp->cap = init->cap;
	qp->signal_all = init->sq_sig_type == IB_SIGNAL_ALL_WR;
	qp->attr.qp_state = IB_QPS_RESET;
	spin_lock_irqsave(&h->lock, flags);
	ibqp->qp_num = init->qp_type == IB_QPT_SMI ? 0 : init->qp_type == IB_QPT_GSI ? 1 : h->next_qpn++;
	list_add(&qp->list, &h->qps);
	spin_unlock_irqrestore(&h->lock, flags);
	return 0;
}

static int destroy_qp(struct ib_qp *ibqp, struct ib_udata *udata)
{
	struct vhca *h = HCA(ibqp->device);
	struct vhca_qp *qp = TO(qp, ibqp);
	struct vhca_group *g, *n;
	unsigned long flags;

	spin_lock_irqsave(&h->lock, flags);
	list_del(&qp->list);
	list_for_each_entry_safe(g, n, &qp->groups, list)
		kfree(g);
	spin_unlock_irqrestore(&h->lock, flags);
	kvfree(qp->rq);
	return 0;
}

static int modify_qp(struct ib_qp *ibqp, struct ib_qp_attr *attr, int mask, struct ib_udata *udata)
{
	struct vhca_qp *qp = TO(qp, ibqp);
	unsigned long flags;
	struct ib_wc wc = { .status = IB_WC_WR_FLUSH_ERR, .opcode = IB_WC_RECV, .qp = ibqp };

	spin_lock_irqsave(&qp->lock, flags);
	if (mask & IB_QP_STATE)
		qp->attr.qp_state = attr->qp_state;
	if (mask & IB_QP_PKEY_INDEX)
		qp->attr.pkey_index = attr->pkey_index;
	if (mask & IB_QP_QKEY)
		qp->attr.qkey = attr->qkey;
	if (mask & IB_QP_PORT)
		qp->attr.port_num = attr->port_num;
	if (qp->attr.qp_state == IB_QPS_RESET)
		qp->count = 0;
	for (; qp->attr.qp_state == IB_QPS_ERR && qp->count; qp->count--) {
		wc.wr_id = qp->rq[qp->head].wr_id;
		qp->head = (qp->head + 1) % qp->cap.max_recv_wr;
		complete_wr(ibqp->recv_cq, &wc);
	}
	spin_unlock_irqrestore(&qp->lock, flags);
	return 0;
}

static int query_qp(struct ib_qp *ibqp, struct ib_qp_attr *attr, int mask, struct ib_qp_init_attr *init)
{
	struct vhca_qp *qp = TO(qp, ibqp);

	*attr = qp->attr;
	attr->cap = qp->cap;
	init->cap = qp->cap;
	init->qp_type = ibqp->qp_type;
	return 0;
}

static int post_recv(struct ib_qp *ibqp, const struct ib_recv_wr *wr, const struct ib_recv_wr **bad)
{
	struct vhca_qp *qp = TO(qp, ibqp);
	unsigned long flags;
	int err = 0;

	spin_lock_irqsave(&qp->lock, flags);
	for (; wr; wr = wr->next) {
		struct vhca_recv *r = &qp->rq[(qp->head + qp->count) % qp->cap.max_recv_wr];

		if (qp->count == qp->cap.max_recv_wr || wr->num_sge > MAX_SGE) {
			err = -ENOMEM;
			*bad = wr;
			break;
		}
		if (qp->attr.qp_state == IB_QPS_ERR) {
			struct ib_wc wc = { .wr_id = wr->wr_id, .status = IB_WC_WR_FLUSH_ERR, .opcode = IB_WC_RECV,
					    .qp = ibqp };

			complete_wr(ibqp->recv_cq, &wc);
			continue;
		}
		r->wr_id = wr->wr_id;
		r->num_sge = wr->num_sge;
		memcpy(r->sge, wr->sg_list, wr->num_sge * sizeof(*r->sge));
		qp->count++;
	}
	spin_unlock_irqrestore(&qp->lock, flags);
	return err;
}

static u16 pkey_at(struct vhca *h, int index)
{
	return index < 32 ? get16(h->node.port[1].pkeys + 2 * index) : 0;
}

static int send_one(struct vhca *h, struct vhca_qp *qp, const struct ib_ud_wr *ud)
{
	const struct ib_send_wr *wr = &ud->wr;
	struct rdma_ah_attr *ah = &TO(ah, ud->ah)->attr;
	unsigned long flags;
	struct queued *q;
	u32 len = 0;
	int i;

	for (i = 0; i < wr->num_sge; i++)
		len += wr->sg_list[i].length;
	if (len > VHCA_MTU || (wr->opcode != IB_WR_SEND && wr->opcode != IB_WR_SEND_WITH_IMM))
		return -EINVAL;
	q = new_record(h, VHCA_PACKET, len);
	if (!q)
		return -ENOMEM;
	for (i = 0, len = 0; i < wr->num_sge; len += wr->sg_list[i++].length)
		memcpy(q->rec.data + len, (void *)(uintptr_t)wr->sg_list[i].addr, wr->sg_list[i].length);
	spin_lock_irqsave(&h->lock, flags);
	/* a Q_Key with the top bit set stands for that of the QP (IBA 10.2.5) */
	q->rec.qkey = (int)ud->remote_qkey < 0 ? qp->attr.qkey : ud->remote_qkey;
	if (qp->ib.qp_num == 1)
		q->rec.qkey = IB_QP1_QKEY;
	q->rec.pkey = qp->ib.qp_num == 0 ? 0xffff :
		      pkey_at(h, qp->ib.qp_num == 1 ? ud->pkey_index : qp->attr.pkey_index);
	q->rec.dlid = rdma_ah_get_dlid(ah);
	/* Permissive as in mlx4: with its own LID, the answer to an SMP that leads back to this port would loop in it. */
	q->rec.slid = q->rec.dlid == 0xffff ? 0xffff : sma_lid(&h->node, 1) | rdma_ah_get_path_bits(ah);
	q->rec.sl = rdma_ah_get_sl(ah);
	q->rec.sqpn = qp->ib.qp_num;
	q->rec.dqpn = ud->remote_qpn;
	if (wr->opcode == IB_WR_SEND_WITH_IMM) {
		q->rec.flags |= VHCA_IMM;
		q->rec.imm = wr->ex.imm_data;
	}
	if (rdma_ah_get_ah_flags(ah) & IB_AH_GRH) {
		const struct ib_global_route *r = rdma_ah_read_grh(ah);
		u8 *g = q->rec.grh;

		q->rec.flags |= VHCA_GRH;
		put32(g, 6u << 28 | r->traffic_class << 20 | (r->flow_label & 0xfffff));
		put16(g + 4, q->rec.len + 16);
		g[6] = 0x1b;
		g[7] = r->hop_limit;
		memcpy(g + 8, h->node.port[1].info + 8, 8);
		memcpy(g + 16, h->node.port[1].guids + 8 * (r->sgid_index & 7), 8);
		memcpy(g + 24, r->dgid.raw, 16);
	}
	spin_unlock_irqrestore(&h->lock, flags);
	emit(h, q);
	return 0;
}

static int post_send(struct ib_qp *ibqp, const struct ib_send_wr *wr, const struct ib_send_wr **bad)
{
	struct vhca_qp *qp = TO(qp, ibqp);

	for (; wr; wr = wr->next) {
		struct ib_wc wc = { .wr_id = wr->wr_id, .opcode = IB_WC_SEND, .qp = ibqp };
		int err = 0;

		if (qp->attr.qp_state == IB_QPS_ERR)
			wc.status = IB_WC_WR_FLUSH_ERR;
		else
			err = send_one(HCA(ibqp->device), qp, ud_wr(wr));
		if (err) {
			*bad = wr;
			return err;
		}
		if (qp->signal_all || (wr->send_flags & IB_SEND_SIGNALED) || wc.status)
			complete_wr(ibqp->send_cq, &wc);
	}
	return 0;
}

static void scatter(struct vhca_recv *r, u32 *at, const void *from, u32 len)
{
	u32 skip = *at;
	int i;

	*at += len;
	for (i = 0; i < r->num_sge && len; i++) {
		u32 room = r->sge[i].length, n;

		if (skip >= room) {
			skip -= room;
			continue;
		}
		n = min(room - skip, len);
		memcpy((void *)(uintptr_t)r->sge[i].addr + skip, from, n);
		from += n;
		len -= n;
		skip = 0;
	}
}

static bool is_member(struct vhca_qp *qp, const struct vhca_rec *p)
{
	struct vhca_group *g;

	list_for_each_entry(g, &qp->groups, list)
		if ((p->flags & VHCA_GRH) && !memcmp(g->gid.raw, p->grh + 24, 16))
			return true;
	return false;
}

static void receive(struct vhca *h, struct vhca_qp *qp, const struct vhca_rec *p)
{
	struct ib_wc wc = {
		.opcode = IB_WC_RECV, .byte_len = p->len + 40, .src_qp = p->sqpn, .slid = p->slid, .sl = p->sl,
		.port_num = 1, .qp = &qp->ib,
		.dlid_path_bits = p->dlid & ((1 << sma_lmc(&h->node, 1)) - 1),
	};
	struct vhca_recv *r;
	u32 at = 0;
	int i;

	spin_lock(&qp->lock);
	if (qp->attr.qp_state < IB_QPS_RTR || qp->attr.qp_state > IB_QPS_SQE)
		goto out;
	for (i = 0; i < 32 && p->dqpn; i++) {
		u16 k = pkey_at(h, i);

		if (k && (k & 0x7fff) == (p->pkey & 0x7fff) && ((k | p->pkey) & 0x8000))
			break;
	}
	if (i == 32)
		goto out;
	if (qp->ib.qp_num > 1) {
		u16 k = pkey_at(h, qp->attr.pkey_index);

		if (p->qkey != qp->attr.qkey || (k & 0x7fff) != (p->pkey & 0x7fff) || !((k | p->pkey) & 0x8000))
			goto out;
		i = qp->attr.pkey_index;
	}
	if (!qp->count) {
		no_receive++;
		goto out;
	}
	r = &qp->rq[qp->head];
	qp->head = (qp->head + 1) % qp->cap.max_recv_wr;
	qp->count--;
	scatter(r, &at, p->grh, 40);
	scatter(r, &at, p->data, p->len);
	wc.wr_id = r->wr_id;
	wc.pkey_index = i;
	wc.wc_flags = (p->flags & VHCA_GRH ? IB_WC_GRH : 0) | (p->flags & VHCA_IMM ? IB_WC_WITH_IMM : 0);
	wc.ex.imm_data = p->imm;
	complete_wr(qp->ib.recv_cq, &wc);
out:
	spin_unlock(&qp->lock);
}

static void deliver(struct vhca *h, const struct vhca_rec *p)
{
	bool is_multicast = p->dqpn == 0xffffff;
	struct vhca_qp *qp;
	unsigned long flags;

	from_wire++;
	spin_lock_irqsave(&h->lock, flags);
	list_for_each_entry(qp, &h->qps, list)
		if (is_multicast ? is_member(qp, p) : qp->ib.qp_num == p->dqpn)
			receive(h, qp, p);
	spin_unlock_irqrestore(&h->lock, flags);
}

static int attach_mcast(struct ib_qp *ibqp, union ib_gid *gid, u16 lid)
{
	struct vhca *h = HCA(ibqp->device);
	struct vhca_group *g = kzalloc(sizeof(*g), GFP_KERNEL);
	unsigned long flags;

	if (!g)
		return -ENOMEM;
	g->gid = *gid;
	spin_lock_irqsave(&h->lock, flags);
	list_add(&g->list, &TO(qp, ibqp)->groups);
	spin_unlock_irqrestore(&h->lock, flags);
	return 0;
}

static int detach_mcast(struct ib_qp *ibqp, union ib_gid *gid, u16 lid)
{
	struct vhca *h = HCA(ibqp->device);
	struct vhca_group *g, *n;
	unsigned long flags;

	spin_lock_irqsave(&h->lock, flags);
	list_for_each_entry_safe(g, n, &TO(qp, ibqp)->groups, list)
		if (!memcmp(&g->gid, gid, sizeof(*gid))) {
			list_del(&g->list);
			kfree(g);
			break;
		}
	spin_unlock_irqrestore(&h->lock, flags);
	return 0;
}

/* Calls that every device must have. */

static int alloc_pd(struct ib_pd *pd, struct ib_udata *udata) { return 0; }
static int dealloc_pd(struct ib_pd *pd, struct ib_udata *udata) { return 0; }

static struct ib_mr *get_dma_mr(struct ib_pd *pd, int access)
{
	struct ib_mr *mr = kzalloc(sizeof(*mr), GFP_KERNEL);

	return mr ?: ERR_PTR(-ENOMEM);
}

static struct ib_mr *reg_user_mr(struct ib_pd *pd, u64 start, u64 len, u64 virt, int access,
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 17, 0)
				 struct ib_dmah *dmah,
#endif
				 struct ib_udata *udata)
{
	return ERR_PTR(-EOPNOTSUPP);
}

static int dereg_mr(struct ib_mr *mr, struct ib_udata *udata)
{
	kfree(mr);
	return 0;
}

static int create_ah(struct ib_ah *ah, struct rdma_ah_init_attr *init, struct ib_udata *udata)
{
	TO(ah, ah)->attr = *init->ah_attr;
	return 0;
}

static int query_ah(struct ib_ah *ah, struct rdma_ah_attr *attr)
{
	*attr = TO(ah, ah)->attr;
	return 0;
}

static int destroy_ah(struct ib_ah *ah, u32 flags) { return 0; }

static int query_device(struct ib_device *ib, struct ib_device_attr *a, struct ib_udata *udata)
{
	memset(a, 0, sizeof(*a));
	a->sys_image_guid = ib->node_guid;
	a->max_mr_size = ~0ull;
	a->page_size_cap = PAGE_SIZE;
	a->vendor_id = 0x1999;
	a->vendor_part_id = 0xcaca;
	a->kernel_cap_flags = IBK_LOCAL_DMA_LKEY;
	a->max_qp = a->max_cq = a->max_mr = a->max_pd = a->max_ah = 4096;
	a->max_qp_wr = a->max_cqe = 16384;
	a->max_send_sge = a->max_recv_sge = MAX_SGE;
	a->max_mcast_grp = a->max_mcast_qp_attach = a->max_total_mcast_qp_attach = 4096;
	a->max_pkeys = 32;
	return 0;
}

static int query_port(struct ib_device *ib, u32 port, struct ib_port_attr *a)
{
	struct vhca *h = HCA(ib);
	u8 *pi = h->node.port[1].info;
	unsigned long flags;

	spin_lock_irqsave(&h->lock, flags);
	a->state = pi[32] & 0xf;
	a->phys_state = pi[33] >> 4;
	a->max_mtu = pi[41] & 0xf;
	a->active_mtu = pi[36] >> 4;
	a->gid_tbl_len = 8;
	a->pkey_tbl_len = 32;
	a->port_cap_flags = get32(pi + 20);
	a->max_msg_sz = 1 << 31;
	a->lid = get16(pi + 16);
	a->sm_lid = get16(pi + 18);
	a->lmc = pi[34] & 7;
	a->sm_sl = pi[36] & 0xf;
	a->max_vl_num = pi[37] >> 4;
	a->subnet_timeout = pi[51] & 0x1f;
	a->active_width = pi[31];
	a->active_speed = pi[35] >> 4;
	spin_unlock_irqrestore(&h->lock, flags);
	return 0;
}

static int query_gid(struct ib_device *ib, u32 port, int index, union ib_gid *gid)
{
	struct vhca *h = HCA(ib);

	if (index >= 8)
		return -EINVAL;
	memcpy(gid->raw, h->node.port[1].info + 8, 8);
	memcpy(gid->raw + 8, h->node.port[1].guids + 8 * index, 8);
	return 0;
}

static int query_pkey(struct ib_device *ib, u32 port, u16 index, u16 *pkey)
{
	if (index >= 32)
		return -EINVAL;
	*pkey = pkey_at(HCA(ib), index);
	return 0;
}

static int get_port_immutable(struct ib_device *ib, u32 port, struct ib_port_immutable *im)
{
	im->pkey_tbl_len = 32;
	im->gid_tbl_len = 8;
	im->core_cap_flags = RDMA_CORE_PORT_IBA_IB;
	im->max_mad_size = IB_MGMT_MAD_SIZE;
	return 0;
}

/* Sends trap 144 once, if there is an SM. */
static void trap144(struct vhca *h, u16 change_flags)
{
	struct queued *q = new_record(h, VHCA_PACKET, 256);
	u8 *m, *d;
	unsigned long flags;

	if (!q)
		return;
	m = q->rec.data;
	d = m + 64;
	spin_lock_irqsave(&h->lock, flags);
	m[0] = m[1] = m[2] = 1;
	m[3] = 5;
	put64(m + 8, ++h->next_tid);
	put16(m + 16, 2);
	d[0] = 0x80 | 4;	/* generic, informational */
	d[3] = 1;		/* from a CA */
	put16(d + 4, 144);
	put16(d + 6, sma_lid(&h->node, 1));
	put16(d + 12, sma_lid(&h->node, 1));
	d[15] = change_flags ? 1 : 0;	/* OtherLocalChanges */
	memcpy(d + 16, h->node.port[1].info + 20, 4);
	put16(d + 20, change_flags);
	q->rec.slid = sma_lid(&h->node, 1);
	q->rec.dlid = sma_sm_lid(&h->node, 1);
	q->rec.pkey = 0xffff;
	spin_unlock_irqrestore(&h->lock, flags);
	if (q->rec.dlid && q->rec.slid)
		emit(h, q);
	else
		kfree(q);
}

static int modify_port(struct ib_device *ib, u32 port, int mask, struct ib_port_modify *props)
{
	struct vhca *h = HCA(ib);
	u8 *cap = h->node.port[1].info + 20;
	unsigned long flags;

	spin_lock_irqsave(&h->lock, flags);
	put32(cap, (get32(cap) | props->set_port_cap_mask) & ~props->clr_port_cap_mask);
	spin_unlock_irqrestore(&h->lock, flags);
	trap144(h, 0);
	return 0;
}

static int modify_device(struct ib_device *ib, int mask, struct ib_device_modify *m)
{
	struct vhca *h = HCA(ib);

	if (mask & IB_DEVICE_MODIFY_NODE_DESC) {
		memcpy(ib->node_desc, m->node_desc, IB_DEVICE_NODE_DESC_MAX);
		memcpy(h->node.desc, m->node_desc, 64);
		trap144(h, 1);
	}
	return 0;
}

/* The firmware. */

static void raise_event(struct vhca *h, enum ib_event_type type)
{
	struct ib_event e = { .device = &h->ib, .event = type, .element.port_num = 1 };

	ib_dispatch_event(&e);
}

static void raise_bounce(struct vhca *h, bool stays)
{
	struct queued *q = new_record(h, VHCA_BOUNCE, 0);

	if (q) {
		q->rec.flags = stays;
		enqueue(q);
	}
}

static int process_mad(struct ib_device *ib, int mad_flags, u32 port, const struct ib_wc *wc, const struct ib_grh *grh,
		       const struct ib_mad *in, struct ib_mad *out, size_t *out_size, u16 *out_pkey_index)
{
	struct vhca *h = HCA(ib);
	u8 *pi = h->node.port[1].info;
	u8 old[64];
	struct sma_effect e;
	unsigned long flags;
	int r, now;

	if ((in->mad_hdr.mgmt_class == 1 || in->mad_hdr.mgmt_class == 0x81) &&
	    in->mad_hdr.method == IB_MGMT_METHOD_TRAP_REPRESS)
		return IB_MAD_RESULT_SUCCESS | IB_MAD_RESULT_CONSUMED;
	if (mad_delay_ms)
		msleep(mad_delay_ms);
	memcpy(out, in, IB_MGMT_MAD_SIZE);
	spin_lock_irqsave(&h->lock, flags);
	memcpy(old, pi, 64);
	r = sma_handle(&h->node, 1, (u8 *)out, &e);
	if (r == 1 && e.port && e.go_down)
		sma_set_link(&h->node, 1, 0, e.disable);
	now = pi[32] & 0xf;
	spin_unlock_irqrestore(&h->lock, flags);
	if (r < 0)
		return IB_MAD_RESULT_SUCCESS;
	if (r == 0)
		return IB_MAD_RESULT_SUCCESS | IB_MAD_RESULT_CONSUMED;
	if (e.is_set && e.attr == 0x15) {
		if (e.go_down)
			raise_bounce(h, e.disable);
		if (get16(old + 16) != get16(pi + 16))
			raise_event(h, IB_EVENT_LID_CHANGE);
		if (get16(old + 18) != get16(pi + 18) || (old[36] & 0xf) != (pi[36] & 0xf))
			raise_event(h, IB_EVENT_SM_CHANGE);
		if (memcmp(old + 8, pi + 8, 8))
			raise_event(h, IB_EVENT_GID_CHANGE);
		if (e.rereg)
			raise_event(h, IB_EVENT_CLIENT_REREGISTER);
		if ((old[32] & 0xf) != ST_ACTIVE && now == ST_ACTIVE)
			raise_event(h, IB_EVENT_PORT_ACTIVE);
		if ((old[32] & 0xf) == ST_ACTIVE && now != ST_ACTIVE)
			raise_event(h, IB_EVENT_PORT_ERR);
	}
	if (e.is_set && e.attr == 0x16)
		raise_event(h, IB_EVENT_PKEY_CHANGE);
	if (e.is_set && e.attr == 0x14)
		raise_event(h, IB_EVENT_GID_CHANGE);
	return IB_MAD_RESULT_SUCCESS | IB_MAD_RESULT_REPLY;
}

static void set_link(struct vhca *h, bool up)
{
	unsigned long flags;
	int was;

	spin_lock_irqsave(&h->lock, flags);
	was = sma_state(&h->node, 1);
	if (up != (was > ST_DOWN))
		sma_set_link(&h->node, 1, up, 0);
	spin_unlock_irqrestore(&h->lock, flags);
	if (was == ST_ACTIVE && !up)
		raise_event(h, IB_EVENT_PORT_ERR);
	else if (up != (was > ST_DOWN))
		raise_event(h, IB_EVENT_GID_CHANGE);	/* the core reads the port again */
}

/* Adapters that appear and disappear. */

static const struct ib_device_ops ops = {
	.owner = THIS_MODULE,
	.driver_id = RDMA_DRIVER_UNKNOWN,
	.alloc_pd = alloc_pd, .dealloc_pd = dealloc_pd,
	.attach_mcast = attach_mcast, .detach_mcast = detach_mcast,
	.create_ah = create_ah, .query_ah = query_ah, .destroy_ah = destroy_ah,
	.create_cq = create_cq, .destroy_cq = destroy_cq, .poll_cq = poll_cq, .req_notify_cq = req_notify_cq,
	.create_qp = create_qp, .destroy_qp = destroy_qp, .modify_qp = modify_qp, .query_qp = query_qp,
	.get_dma_mr = get_dma_mr, .reg_user_mr = reg_user_mr, .dereg_mr = dereg_mr,
	.get_port_immutable = get_port_immutable,
	.modify_device = modify_device, .modify_port = modify_port,
	.post_recv = post_recv, .post_send = post_send, .process_mad = process_mad,
	.query_device = query_device, .query_gid = query_gid, .query_pkey = query_pkey, .query_port = query_port,
	INIT_RDMA_OBJ_SIZE(ib_ah, vhca_ah, ib),
	INIT_RDMA_OBJ_SIZE(ib_cq, vhca_cq, ib),
	INIT_RDMA_OBJ_SIZE(ib_pd, vhca_pd, ib),
	INIT_RDMA_OBJ_SIZE(ib_qp, vhca_qp, ib),
};

static int plug_in(int idx)
{
	struct vhca *h;
	char name[16];
	int err;

	if (all[idx])
		return -EEXIST;
	h = ib_alloc_device(vhca, ib);
	if (!h)
		return -ENOMEM;
	h->parent = platform_device_register_simple("vhca", idx, NULL, 0);	/* the ethtool call of IPoIB needs a parent */
	if (IS_ERR(h->parent)) {
		err = PTR_ERR(h->parent);
		ib_dealloc_device(&h->ib);
		return err;
	}
	h->ib.dev.parent = &h->parent->dev;
	h->idx = idx;
	spin_lock_init(&h->lock);
	INIT_LIST_HEAD(&h->qps);
	h->next_qpn = 0x48 + 0x1000 * idx;
	snprintf(name, sizeof(name), "vhca%d", idx);
	sma_init(&h->node, SMA_CA, 1, 0x0002190000000000ULL + 0x100 * (idx + 1), name);
	h->ib.node_type = RDMA_NODE_IB_CA;
	h->ib.phys_port_cnt = 1;
	h->ib.num_comp_vectors = 1;
	h->ib.node_guid = cpu_to_be64(h->node.guid);
	strscpy(h->ib.node_desc, name, sizeof(h->ib.node_desc));
	ib_set_device_ops(&h->ib, &ops);
	err = ib_register_device(&h->ib, name, NULL);
	if (err) {
		platform_device_unregister(h->parent);
		ib_dealloc_device(&h->ib);
	} else {
		all[idx] = h;
	}
	return err;
}

static void pull_out(int idx)
{
	struct vhca *h = all[idx];

	if (h) {
		all[idx] = NULL;
		struct platform_device *parent = h->parent;

		ib_unregister_device(&h->ib);
		ib_dealloc_device(&h->ib);
		platform_device_unregister(parent);
	}
}

/* The device /dev/vhca. */

static ssize_t vhca_read(struct file *f, char __user *to, size_t len, loff_t *pos)
{
	struct queued *q;
	ssize_t n;

	for (;;) {
		spin_lock_irq(&queue_lock);
		q = list_first_entry_or_null(&queue, struct queued, list);
		if (q) {
			list_del(&q->list);
			queued--;
		}
		spin_unlock_irq(&queue_lock);
		if (q)
			break;
		if (f->f_flags & O_NONBLOCK)
			return -EAGAIN;
		if (wait_event_interruptible(readers, !list_empty(&queue)))
			return -ERESTARTSYS;
	}
	n = sizeof(q->rec) + q->rec.len;
	if (n > len)
		n = -EMSGSIZE;
	else if (copy_to_user(to, &q->rec, n))
		n = -EFAULT;
	kfree(q);
	return n;
}

static ssize_t vhca_write(struct file *f, const char __user *from, size_t len, loff_t *pos)
{
	struct vhca_rec *r;
	int err = 0;

	if (len < sizeof(*r) || len > sizeof(*r) + VHCA_MTU)
		return -EINVAL;
	r = memdup_user(from, len);
	if (IS_ERR(r))
		return PTR_ERR(r);
	mutex_lock(&all_lock);
	if (r->hca >= MAX_HCAS || r->len != len - sizeof(*r))
		err = -EINVAL;
	else if (r->type == VHCA_ADD)
		err = plug_in(r->hca);
	else if (!all[r->hca])
		err = -ENODEV;
	else if (r->type == VHCA_DEL)
		pull_out(r->hca);
	else if (r->type == VHCA_LINK)
		set_link(all[r->hca], r->flags);
	else
		deliver(all[r->hca], r);
	mutex_unlock(&all_lock);
	kfree(r);
	return err ?: len;
}

static __poll_t vhca_poll(struct file *f, poll_table *table)
{
	poll_wait(f, &readers, table);
	return EPOLLOUT | (list_empty(&queue) ? 0 : EPOLLIN);
}

static int vhca_release(struct inode *inode, struct file *f)
{
	int i;

	mutex_lock(&all_lock);
	for (i = 0; i < MAX_HCAS; i++)
		if (all[i])
			set_link(all[i], false);
	mutex_unlock(&all_lock);
	return 0;
}

static const struct file_operations fops = {
	.owner = THIS_MODULE, .read = vhca_read, .write = vhca_write, .poll = vhca_poll, .release = vhca_release,
};

static struct miscdevice misc = { .minor = MISC_DYNAMIC_MINOR, .name = "vhca", .fops = &fops };

static int __init vhca_init(void)
{
	int i, err;

	wq = alloc_workqueue("vhca", WQ_HIGHPRI | WQ_UNBOUND, 0);
	if (!wq)
		return -ENOMEM;
	for (i = 0; i < min(hcas, MAX_HCAS); i++) {
		err = plug_in(i);
		if (err)
			pr_err("vhca: adapter %d: %d\n", i, err);
	}
	return misc_register(&misc);
}

static void __exit vhca_exit(void)
{
	struct queued *q, *n;
	int i;

	misc_deregister(&misc);
	for (i = 0; i < MAX_HCAS; i++)
		pull_out(i);
	list_for_each_entry_safe(q, n, &queue, list)
		kfree(q);
	destroy_workqueue(wq);
}

module_init(vhca_init);
module_exit(vhca_exit);
MODULE_LICENSE("Dual BSD/GPL");
MODULE_DESCRIPTION("virtual InfiniBand channel adapters");
