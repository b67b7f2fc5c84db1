package io.torussm.partition;

/**
 * What the operator decided about partitions.
 *
 * @param conf who is in which, with what was added at run time
 * @param enforcement what switches check at ports to hosts
 * @param keepsIndexes whether a P_Key stays at its index as long as it is wanted
 * @param allowsBoth whether a port may hold a partition's full and its limited P_Key at once
 * @param file {@code conf} without what was added at run time
 */
public record PartitionSettings(
        PartitionConf conf, Enforcement enforcement, boolean keepsIndexes, boolean allowsBoth, PartitionConf file) {

    /** Without a file, everything as OpenSM does it when nothing is said. */
    public static final PartitionSettings DEFAULT =
            new PartitionSettings(PartitionConf.NONE, Enforcement.BOTH, true, false);

    /** Nothing was added at run time. */
    public PartitionSettings(PartitionConf conf, Enforcement enforcement, boolean keepsIndexes, boolean allowsBoth) {
        this(conf, enforcement, keepsIndexes, allowsBoth, conf);
    }

    /**
     * The same file with something else added at run time.
     *
     * @param qos false makes every SL 0
     */
    public PartitionSettings with(RunTimePartitions added, boolean qos) {
        return new PartitionSettings(added.over(file, qos), enforcement, keepsIndexes, allowsBoth, file);
    }

    /** What a switch checks at a port that leads to an end port (IBA 14.2.5.6, PartitionEnforcement). */
    public enum Enforcement {
        OFF(false, false),
        /** Packets that come from the host. */
        IN(true, false),
        /** Packets that go to the host. */
        OUT(false, true),
        BOTH(true, true);

        private final boolean inbound;
        private final boolean outbound;

        Enforcement(boolean inbound, boolean outbound) {
            this.inbound = inbound;
            this.outbound = outbound;
        }

        public boolean isInbound() {
            return inbound;
        }

        public boolean isOutbound() {
            return outbound;
        }
    }
}
