package io.torussm.mad;

/** The management classes that this program uses (IBA 13.4.4). */
public final class MgmtClass {
    /** Subnet management, LID routed. */
    public static final int SUBN_LID = 0x01;

    /** Subnet management, directed route. */
    public static final int SUBN_DIRECTED_ROUTE = 0x81;

    /** Subnet administration. */
    public static final int SUBN_ADM = 0x03;

    /** Performance management. */
    public static final int PERF_MGT = 0x04;

    /** Congestion control (IBA annex A10). */
    public static final int CONGESTION_CONTROL = 0x21;

    /** Firmware versions of Mellanox devices: a class in the range of vendors. */
    public static final int MELLANOX = 0x0A;

    private MgmtClass() {}

    /** Checks whether MADs of this class travel on QP0 and VL15. */
    public static boolean isSmp(int mgmtClass) {
        return mgmtClass == SUBN_LID || mgmtClass == SUBN_DIRECTED_ROUTE;
    }
}
