package io.torussm.multicast;

import io.torussm.mad.Gid;

/**
 * The fields of an MGID: {@code ff<flags><scope>:<signature>:<P_Key>:..} (IBA 4.1.1, RFC 4391). In the upper 64 bits,
 * flags are bits 55 to 52, scope bits 51 to 48, signature bits 47 to 32, P_Key bits 31 to 16.
 */
final class Mgids {
    /** Link-local scope: packets stay in the subnet. */
    static final int LINK_LOCAL = 2;

    private static final int IPV4_SIGNATURE = 0x401b;
    private static final int IPV6_SIGNATURE = 0x601b;
    private static final int SA_SIGNATURE = 0xa01b;
    private static final long SCOPE_AND_P_KEY = 0x000f_0000_ffff_0000L;

    private Mgids() {}

    static int scope(Gid mgid) {
        return (int) (mgid.prefix() >>> 48) & 0xf;
    }

    static boolean isZero(Gid gid) {
        return (gid.prefix() | gid.guid()) == 0;
    }

    /** Checks whether an MGID belongs to IPoIB, so that its group must agree with the broadcast group. */
    static boolean isIp(Gid mgid) {
        return signature(mgid) == IPV4_SIGNATURE || signature(mgid) == IPV6_SIGNATURE;
    }

    /** Returns the IPv4 broadcast MGID of the same scope and partition. */
    static Gid broadcastOf(Gid mgid) {
        Gid broadcast = MulticastGroups.BROADCAST;
        return new Gid(broadcast.prefix() & ~SCOPE_AND_P_KEY | mgid.prefix() & SCOPE_AND_P_KEY, broadcast.guid());
    }

    /**
     * Checks whether a host may select an MGID that is not one of IPoIB. MGIDs that the SA assigns are reserved (IBA
     * 15.2.5.17.1).
     */
    static boolean isFreeToChoose(Gid mgid) {
        int flags = (int) (mgid.prefix() >>> 52) & 0xf;
        return flags <= 1 && (signature(mgid) != SA_SIGNATURE || scope(mgid) != LINK_LOCAL);
    }

    /** Returns an MGID that the SA assigns: {@code ff1s:a01b:<subnet prefix>:<number>}. */
    static Gid ofSa(int scope, long gidPrefix, int number) {
        return new Gid(
                0xff10_0000_0000_0000L | (long) scope << 48 | (long) SA_SIGNATURE << 32 | gidPrefix >>> 32,
                gidPrefix << 32 | Integer.toUnsignedLong(number));
    }

    private static int signature(Gid mgid) {
        return (int) (mgid.prefix() >>> 32) & 0xffff;
    }
}
