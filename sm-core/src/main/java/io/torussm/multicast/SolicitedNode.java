package io.torussm.multicast;

import io.torussm.mad.Gid;

/**
 * The MGIDs for IPv6 solicited-node addresses (RFC 4291 2.7.1, RFC 4391):
 * {@code ff1s:601b:<P_Key>::1:ff00:0/104}. Each IPv6 address of each host creates such a group with few members. If
 * these groups do not share MLIDs, a large subnet has too few MLIDs.
 */
public final class SolicitedNode {
    private static final long PREFIX_MASK = 0xfff0_ffff_0000_ffffL;
    private static final long PREFIX = 0xff10_601b_0000_0000L;
    private static final long ADDRESS_MASK = 0xffff_ffff_ff00_0000L;
    private static final long ADDRESS = 0x0000_0001_ff00_0000L;

    private SolicitedNode() {}

    /** Checks whether two MGIDs are of this form, with the same scope and P_Key. */
    public static boolean areAlike(Gid a, Gid b) {
        return is(a) && is(b) && a.prefix() == b.prefix();
    }

    private static boolean is(Gid mgid) {
        return (mgid.prefix() & PREFIX_MASK) == PREFIX && (mgid.guid() & ADDRESS_MASK) == ADDRESS;
    }
}
