package io.torussm.partition;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * The run-time additions of one P_Key: to a partition of partitions.conf, or a separate partition. Immutable.
 *
 * @param pKey 15 bits, 1 to 0x7fff
 * @param name name of a separate partition, at most {@link #MAX_NAME_CHARS} characters; empty if there is none
 * @param isIpoib whether it has the broadcast group of IPoIB, if the file defines none
 * @param qos QoS settings of a separate partition
 * @param members by port GUID, sorted
 */
public record RunTimePartition(int pKey, String name, boolean isIpoib, Qos qos, Map<Long, Member> members) {
    /** The maximum length of a name. */
    public static final int MAX_NAME_CHARS = 64;

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
     * The attributes of its broadcast group and its paths.
     *
     * @param mtu MTU code, 1 (256 bytes) to 5 (4096 bytes)
     * @param rate rate code (IBA 15.2.5.16)
     * @param sl SL of its paths, 0 to 15
     */
    public record Qos(int mtu, int rate, int sl) {
        /** 2048 bytes, 10 Gb/s, SL 0: the defaults of partitions.conf. */
        public static final Qos DEFAULT = new Qos(PartitionStatement.DEFAULT_MTU, PartitionStatement.DEFAULT_RATE, 0);
    }

    RunTimePartition with(Map<Long, Member> others) {
        return new RunTimePartition(pKey, name, isIpoib, qos, others);
    }
}
