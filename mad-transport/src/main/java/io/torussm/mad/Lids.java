package io.torussm.mad;

/** The ranges of local identifiers (IBA 4.1.3). */
public final class Lids {
    /** First and last unicast LID. */
    public static final int UNICAST_FIRST = 1;

    /** The last unicast LID; there are 49,151. */
    public static final int UNICAST_LAST = 0xBFFF;

    /** First multicast LID. */
    public static final int MULTICAST_FIRST = 0xC000;

    /** Addresses the port itself, and every hop of a directed route. */
    public static final int PERMISSIVE = 0xFFFF;

    private Lids() {}

    /** Checks whether a LID is a unicast LID, which a port may have. */
    public static boolean isUnicast(int lid) {
        return lid >= UNICAST_FIRST && lid <= UNICAST_LAST;
    }
}
