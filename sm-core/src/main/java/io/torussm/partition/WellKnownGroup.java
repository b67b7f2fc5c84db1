package io.torussm.partition;

import io.torussm.mad.Gid;
import io.torussm.mad.sa.Rates;

/**
 * A multicast group that exists although nobody joined it, since partitions.conf says so.
 *
 * @param mgid with its P_Key bits and its scope
 * @param pKey of the partition, with the bit of full members
 * @param mtu MTU code, 1 to 5
 * @param rate rate code
 * @param sl SL of its packets
 * @param qKey Q_Key, 32 bits
 * @param tClass TClass
 * @param flowLabel FlowLabel, 20 bits
 * @param where it is written, as {@code file:line}
 */
public record WellKnownGroup(
        Gid mgid, int pKey, int mtu, int rate, int sl, int qKey, int tClass, int flowLabel, String where) {

    private static final long ALL_ONES = 0xffff_ffffL;
    private static final int IPV4 = 0x401b;

    /** Whether it is the IPv4 broadcast address of its partition and scope (RFC 4391). */
    public boolean isBroadcast() {
        return mgid.guid() == ALL_ONES && (mgid.prefix() >>> 32 & 0xffff) == IPV4;
    }

    /** Bytes of an MTU code, 1 to 5. */
    static int bytes(int mtuCode) {
        return 128 << mtuCode;
    }

    /** MTU and rate with their units, as in {@code 2048 bytes, 10 Gb/s}. */
    public String size() {
        return bytes(mtu) + " bytes, " + Rates.name(rate);
    }

    /** The scope of the MGID, 0 to 15. */
    public int scope() {
        return (int) (mgid.prefix() >>> 48) & 0xf;
    }
}
