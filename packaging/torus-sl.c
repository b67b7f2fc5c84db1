/* Gives connections the SLs of an SL map (docs/operator/host-sls.md) in programs that choose their own, such as NCCL:
 *
 *   gcc -shared -fPIC -O2 -Wall -Wl,--version-script=torus-sl.versions -o libtorus-sl.so torus-sl.c
 *   TORUS_SL_MAP=/etc/fabric.slmap LD_PRELOAD=./libtorus-sl.so program ...
 *
 * It does nothing unless TORUS_SL_MAP is set, and any error leaves the SL that the program chose. It keeps nothing
 * between connections: the map is opened and the port is asked for each, which is little beside what a connection costs. So
 * a new map or a new LID counts at once, threads share nothing, and a map that is cut short while it is read is no SIGBUS. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <infiniband/verbs.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#undef ibv_query_port

enum { HEADER = 32, NOBODY = 0xffff, FIRST_MULTICAST = 0xc000, KEEP = -1 };
/* All bits of masks that struct ibv_qp_attr of this header has fields for. */
enum { KNOWN_MASK = (IBV_QP_RATE_LIMIT << 1) - 1 };

typedef int modify_qp(struct ibv_qp *, struct ibv_qp_attr *, int);
typedef struct ibv_ah *create_ah(struct ibv_pd *, struct ibv_ah_attr *);
typedef int query_port(struct ibv_context *, uint8_t, struct _compat_ibv_port_attr *);
typedef void *find_version(void *, const char *, const char *);

static char *map_name;
static int is_verbose;

__attribute__((constructor)) static void start(void) {
	const char *name = secure_getenv("TORUS_SL_MAP");
	map_name = name && *name ? strdup(name) : NULL; /* a program may overwrite its environment */
	is_verbose = secure_getenv("TORUS_SL_VERBOSE") != NULL;
}

/* Once a process: a job of thousands of connections would say it thousands of times. */
static int complain(const char *what) {
	static atomic_flag has_complained = ATOMIC_FLAG_INIT;
	if (!atomic_flag_test_and_set(&has_complained))
		dprintf(STDERR_FILENO, "torus-sl: %s: %s; SLs stay as the program sets them\n", map_name, what);
	return KEEP;
}

static find_version *real_dlvsym(void) {
	static _Atomic(find_version *) found;
	if (!found)
		found = (find_version *)dlsym(RTLD_NEXT, "dlvsym");
	return found;
}

/* What libibverbs has by a name, NULL if it is not loaded. Programs that open it themselves, or plugins that are linked with
 * it, keep it out of RTLD_NEXT's sight. */
static void *real(const char *name) {
	void *found = real_dlvsym()(RTLD_NEXT, name, "IBVERBS_1.1");
	if (!found) {
		void *library = dlopen("libibverbs.so.1", RTLD_LAZY | RTLD_NOLOAD);
		if (library) {
			found = real_dlvsym()(library, name, "IBVERBS_1.1");
			dlclose(library); /* the caller still has it open */
		}
	}
	return found;
}

static int get(int map, void *to, size_t bytes, off_t at) {
	return pread(map, to, bytes, at) == (ssize_t)bytes;
}

/* The SL in an open map; KEEP if it has none for this pair, or is no map. */
static int sl_in(int map, uint16_t slid, uint16_t dlid) {
	struct stat state;
	if (fstat(map, &state) || !S_ISREG(state.st_mode))
		return complain("not a regular file");
	if (state.st_mode & S_IWOTH)
		return complain("everybody may write to it");
	uint8_t header[HEADER];
	if (!get(map, header, sizeof header, 0) || memcmp(header, "TSMSLMAP\0\1", 10))
		return complain("not an SL map of version 1");
	uint32_t numbers[3];
	memcpy(numbers, header + 12, sizeof numbers);
	uint64_t top = be32toh(numbers[0]), rows = be32toh(numbers[1]), columns = be32toh(numbers[2]);
	uint64_t row_bytes = (columns + 1) / 2, cells = HEADER + 4 * (top + 1);
	/* The first two bounds keep the product below 2^32. */
	if (top >= FIRST_MULTICAST || rows > NOBODY || columns > NOBODY ||
	    (uint64_t)state.st_size != cells + rows * row_bytes)
		return complain("its length is not what its header says");
	if (slid > top || dlid > top)
		return KEEP;
	uint16_t row, column;
	if (!get(map, &row, sizeof row, HEADER + 2 * slid) || !get(map, &column, sizeof column, HEADER + 2 * (top + 1 + dlid)))
		return complain("cut short while it is read");
	row = be16toh(row);
	column = be16toh(column);
	if (row == NOBODY || column == NOBODY)
		return KEEP;
	uint8_t cell;
	if (row >= rows || column >= columns || !get(map, &cell, 1, cells + row * row_bytes + column / 2))
		return complain("has a number that is not within its bounds");
	int sl = cell >> (column % 2 ? 0 : 4) & 15;
	return sl == header[11] ? KEEP : sl;
}

/* The SL for an address, by the LID of the port that it is used at; the one that it has if nothing is known. */
static uint8_t sl_for(struct ibv_context *context, const struct ibv_ah_attr *address) {
	if (!address->dlid || address->dlid >= FIRST_MULTICAST)
		return address->sl;
	query_port *query = (query_port *)real("ibv_query_port");
	struct ibv_port_attr port;
	memset(&port, 0, sizeof port); /* older libraries fill in less */
	if (!query || query(context, address->port_num, (struct _compat_ibv_port_attr *)&port) || !port.lid ||
	    port.link_layer == IBV_LINK_LAYER_ETHERNET)
		return address->sl;
	uint16_t slid = port.lid | (address->src_path_bits & ((1u << (port.lmc & 7)) - 1));
	int map = open(map_name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	int sl = map < 0 ? complain(strerror(errno)) : sl_in(map, slid, address->dlid);
	if (map >= 0)
		close(map);
	if (is_verbose)
		dprintf(STDERR_FILENO, "torus-sl: LID %d to %d: SL %d, %s\n", slid, address->dlid, sl == KEEP ? address->sl : sl,
			sl == KEEP ? "the program's" : "the map's");
	return sl == KEEP ? address->sl : sl;
}

int ibv_modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask) {
	int before = errno;
	modify_qp *modify = (modify_qp *)real("ibv_modify_qp");
	if (!modify)
		return ENOSYS;
	struct ibv_qp_attr changed;
	if (map_name && mask & (IBV_QP_AV | IBV_QP_ALT_PATH) && !(mask & ~KNOWN_MASK)) {
		/* The program's stays as it is. One built with an older header has no rate_limit. */
		memcpy(&changed, attr, mask & IBV_QP_RATE_LIMIT ? sizeof changed : offsetof(struct ibv_qp_attr, rate_limit));
		if (mask & IBV_QP_AV)
			changed.ah_attr.sl = sl_for(qp->context, &attr->ah_attr);
		if (mask & IBV_QP_ALT_PATH)
			changed.alt_ah_attr.sl = sl_for(qp->context, &attr->alt_ah_attr);
		attr = &changed;
	}
	errno = before;
	return modify(qp, attr, mask);
}

struct ibv_ah *ibv_create_ah(struct ibv_pd *pd, struct ibv_ah_attr *attr) {
	int before = errno;
	create_ah *create = (create_ah *)real("ibv_create_ah");
	if (!create) {
		errno = ENOSYS;
		return NULL;
	}
	struct ibv_ah_attr changed = *attr;
	if (map_name)
		changed.sl = sl_for(pd->context, attr);
	errno = before;
	return create(pd, &changed);
}

/* NCCL asks a handle of libibverbs for its functions, by this; a preloaded library is then not looked at. The last call must
 * be a jump, as -O2 makes it: with RTLD_NEXT the answer depends on where the call seems to come from. */
void *dlvsym(void *restrict handle, const char *restrict name, const char *restrict version) {
	if (map_name && handle != RTLD_NEXT && !strcmp(version, "IBVERBS_1.1")) {
		if (!strcmp(name, "ibv_modify_qp"))
			return (void *)ibv_modify_qp;
		if (!strcmp(name, "ibv_create_ah"))
			return (void *)ibv_create_ah;
	}
	return real_dlvsym()(handle, name, version);
}
