/* Stands for libibverbs: one port, whose LID, LMC and link layer the program sets, and the SLs that were last asked for. */
#include <errno.h>
#include <infiniband/verbs.h>
#include <string.h>

#undef ibv_query_port

struct ibv_port_attr stub_port;
int stub_sl, stub_alt_sl, stub_error;

int ibv_query_port(struct ibv_context *context, uint8_t number, struct _compat_ibv_port_attr *port) {
	errno = EINTR; /* must not reach the program */
	memcpy(port, &stub_port, sizeof stub_port);
	return number != 1;
}

int ibv_modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask) {
	stub_sl = attr->ah_attr.sl;
	stub_alt_sl = attr->alt_ah_attr.sl;
	return stub_error;
}

struct ibv_ah *ibv_create_ah(struct ibv_pd *pd, struct ibv_ah_attr *attr) {
	static struct ibv_ah created;
	stub_sl = attr->sl;
	return stub_error ? NULL : &created;
}
