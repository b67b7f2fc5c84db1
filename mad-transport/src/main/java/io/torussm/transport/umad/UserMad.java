package io.torussm.transport.umad;

/** The byte offsets in structures of the kernel and of libibumad. A test compares them with the C compiler's. */
final class UserMad {
    /**
     * {@code struct ib_user_mad} (ABI 5 with P_Key index). Fields are in host byte order; {@code _BE} marks big-endian
     * ones.
     */
    static final int STATUS = 4;

    static final int LENGTH = 16;
    static final int QPN_BE = 20;
    static final int QKEY_BE = 24;
    static final int LID_BE = 28;
    static final int SL = 30;
    static final int PATH_BITS = 31;
    static final int GRH_PRESENT = 32;
    static final int GID_INDEX = 33;
    static final int HOP_LIMIT = 34;
    static final int TRAFFIC_CLASS = 35;
    static final int GID_BE = 36;
    static final int FLOW_LABEL_BE = 52;
    static final int PKEY_INDEX = 56;
    static final int DATA = 64;

    /** Fields of {@code umad_port_t}. */
    static final int PORT_NUM = 20;

    static final int PORT_BASE_LID = 24;
    static final int PORT_STATE = 40;
    static final int PORT_GUID_BE = 64;
    static final int PORT_LINK_LAYER = 88;
    static final int PORT_SIZE = 112;

    /** Fields of {@code struct umad_ca_pair}, since rdma-core 56. */
    static final int PAIR_SMI = 0;

    static final int PAIR_GSI = 24;
    static final int PAIR_SIZE = 48;

    /** Fields of {@code struct umad_reg_attr}. */
    static final int REG_CLASS = 0;

    static final int REG_VERSION = 1;
    static final int REG_FLAGS = 4;
    static final int REG_METHODS = 8;
    static final int REG_RMPP_VERSION = 28;
    static final int REG_SIZE = 32;

    /** Bytes of the name of a channel adapter or link layer, with the terminating zero. */
    static final int NAME_SIZE = 20;

    /** The flag {@code UMAD_USER_RMPP} of {@link #REG_FLAGS}. */
    static final int USER_RMPP = 1;

    private UserMad() {}
}
