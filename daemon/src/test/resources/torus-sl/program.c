/* Connects as the lines of its standard input say: HOW SLID LMC DLID LAYER BITS ERROR, and prints the SL that libibverbs got,
 * or what is wrong. HOW: qp, alt, ah, dlvsym (as NCCL does), state (no address). "map FILE TO" renames a file. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <infiniband/verbs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern struct ibv_port_attr stub_port;
extern int stub_sl, stub_alt_sl, stub_error;

enum { OWN = 9 };

static const char *connect_by(const char *how, struct ibv_ah_attr *address) {
	struct ibv_qp qp = {0};
	struct ibv_pd pd = {0};
	struct ibv_qp_attr attr = {.ah_attr = *address, .alt_ah_attr = *address};
	errno = EPERM;
	if (!strcmp(how, "ah")) {
		struct ibv_ah *made = ibv_create_ah(&pd, address);
		return errno != EPERM ? "errno" : address->sl != OWN ? "argument changed" : !made != !!stub_error ? "result" : NULL;
	}
	int mask = !strcmp(how, "state") ? IBV_QP_STATE : !strcmp(how, "alt") ? IBV_QP_ALT_PATH : IBV_QP_AV;
	int (*modify)(struct ibv_qp *, struct ibv_qp_attr *, int) = ibv_modify_qp;
	if (!strcmp(how, "dlvsym"))
		modify = dlvsym(dlopen("libibverbs.so.1", RTLD_NOW), "ibv_modify_qp", "IBVERBS_1.1");
	errno = EPERM;
	int result = modify(&qp, &attr, mask);
	return errno != EPERM ? "errno" : attr.ah_attr.sl != OWN ? "argument changed" : result != stub_error ? "result" : NULL;
}

int main(void) {
	char how[16], from[1024], to[1024], line[4096];
	unsigned slid, lmc, dlid, layer, bits;
	/* The C library's own dlvsym must still see where a call comes from. */
	if (dlvsym(RTLD_NEXT, "ibv_modify_qp", "IBVERBS_1.1") != dlsym(RTLD_NEXT, "ibv_modify_qp"))
		puts("RTLD_NEXT");
	while (fgets(line, sizeof line, stdin)) {
		if (sscanf(line, "map %1023s %1023s", from, to) == 2) {
			puts(rename(from, to) ? "rename" : "renamed");
		} else if (sscanf(line, "%15s %u %u %u %u %u %d", how, &slid, &lmc, &dlid, &layer, &bits, &stub_error) == 7) {
			stub_port = (struct ibv_port_attr){.lid = slid, .lmc = lmc, .link_layer = layer};
			struct ibv_ah_attr address = {.dlid = dlid, .sl = OWN, .src_path_bits = bits, .port_num = 1};
			const char *wrong = connect_by(how, &address);
			if (wrong)
				puts(wrong);
			else
				printf("%d\n", !strcmp(how, "alt") ? stub_alt_sl : stub_sl);
		}
		fflush(stdout);
	}
	return 0;
}
