package io.torussm.partition;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * What was added to one P_Key at run time: to a partition of partitions.conf, or a partition of its own. Immutable.
 *
 * @param pKey its 15 bits, 1 to 0x7fff
 * @param name of a partition of its own; empty if none was given. At most {@link #MAX_NAME} characters
 * @param isIpoib whether it has the broadcast group of IPoIB, if the file does not give it one
 * @param qos of a partition of its own
 * @param members by port GUID, in the order of these
 */
public record RunTimePartition(int pKey, String name, boolean isIpoib, Qos qos, Map<Long, Member> members) {
    /** Characters of a name. */
    public static final int MAX_NAME = 64;

    public RunTimePartition {
        members = Collections.unmodifiableMap(new TreeMap<>(members));
    }

    /**
     * A member.
     *
     * @param isAtIndex0 whether the P_Key goes to index 0 of the port's table
     */
    public record Member(Membership membership, boolean isAtIndex0) {}

    /**
     * What its broadcast group and its paths are like.
     *
     * @param mtu MTU code, 1 (256 bytes) to 5 (4096 bytes)
     * @param rate rate code (IBA 15.2.5.16)
     * @param sl that its paths are routed for, 0 to 15
     */
    public record Qos(int mtu, int rate, int sl) {
        /** 2048 bytes, 10 Gb/s, SL 0: what partitions.conf gives, too. */
        public static final Qos USUAL = new Qos(PartitionStatement.DEFAULT_MTU, PartitionStatement.DEFAULT_RATE, 0);
    }

    RunTimePartition with(Map<Long, Member> others) {
        return new RunTimePartition(pKey, name, isIpoib, qos, others);
    }
}
