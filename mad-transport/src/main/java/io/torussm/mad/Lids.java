package io.torussm.mad;

/** The ranges of local identifiers (IBA 4.1.3). */
public final class Lids {
    /** The first unicast LID. */
    public static final int UNICAST_FIRST = 1;

    /** The last of 49,151 unicast LIDs. */
    public static final int UNICAST_LAST = 0xBFFF;

    /** The first multicast LID. */
    public static final int MULTICAST_FIRST = 0xC000;

    /**
     * The permissive LID: the destination is the port that receives the packet. All LIDs of a directed route have this
     * value.
     */
    public static final int PERMISSIVE = 0xFFFF;

    private Lids() {}

    /** Checks whether a LID is a unicast LID, which a port may have. */
    public static boolean isUnicast(int lid) {
        return lid >= UNICAST_FIRST && lid <= UNICAST_LAST;
    }
}
