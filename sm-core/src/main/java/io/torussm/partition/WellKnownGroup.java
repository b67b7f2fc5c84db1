package io.torussm.partition;

import io.torussm.mad.Gid;
import io.torussm.mad.sa.Rates;

/**
 * A multicast group of partitions.conf, which exists without members.
 *
 * @param mgid MGID with its P_Key bits and its scope
 * @param pKey P_Key of the partition, with the bit of full members
 * @param mtu MTU code, 1 to 5
 * @param rate rate code
 * @param sl SL of its packets
 * @param qKey Q_Key, 32 bits
 * @param tClass TClass
 * @param flowLabel FlowLabel, 20 bits
 * @param source source, as {@code file:line}
 */
public record WellKnownGroup(
        Gid mgid, int pKey, int mtu, int rate, int sl, int qKey, int tClass, int flowLabel, String source) {

    /** The broadcast address of IPv4 over InfiniBand, link-local, without a P_Key (RFC 4391). */
    static final Gid BROADCAST = new Gid(0xff12_401b_0000_0000L, 0xffff_ffffL);

    /** The default Q_Key of IPoIB groups. */
    static final int BROADCAST_Q_KEY = 0x0b1b;

    private static final long ALL_ONES = 0xffff_ffffL;
    private static final int IPV4 = 0x401b;

    /** Returns the link-local IPoIB broadcast group of a partition. */
    static WellKnownGroup broadcast(int pKey, int mtu, int rate, int sl, String where) {
        int full = pKey | PKeys.FULL;
        Gid mgid = new Gid(BROADCAST.prefix() | (long) full << 16, BROADCAST.guid());
        return new WellKnownGroup(mgid, full, mtu, rate, sl, BROADCAST_Q_KEY, 0, 0, where);
    }

    /** Checks whether it is the IPv4 broadcast address of its partition and scope (RFC 4391). */
    public boolean isBroadcast() {
        return mgid.guid() == ALL_ONES && (mgid.prefix() >>> 32 & 0xffff) == IPV4;
    }

    /** Returns the bytes of an MTU code, 1 to 5. */
    static int bytes(int mtuCode) {
        return 128 << mtuCode;
    }

    /** Returns MTU and rate with their units, as in {@code 2048 bytes, 10 Gb/s}. */
    public String size() {
        return bytes(mtu) + " bytes, " + Rates.name(rate);
    }

    /** Returns the scope of the MGID, 0 to 15. */
    public int scope() {
        return (int) (mgid.prefix() >>> 48) & 0xf;
    }
}
