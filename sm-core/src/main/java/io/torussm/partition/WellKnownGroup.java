package io.torussm.partition;

import io.torussm.mad.Gid;

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

    /** The scope of the MGID, 0 to 15. */
    public int scope() {
        return (int) (mgid.prefix() >>> 48) & 0xf;
    }
}
