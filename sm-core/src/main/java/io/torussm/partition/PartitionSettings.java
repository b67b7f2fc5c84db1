package io.torussm.partition;

import java.util.List;

/**
 * The settings of partitions.
 *
 * @param conf memberships, including run-time additions
 * @param enforcement checks of switches at ports to hosts
 * @param keepsIndexes whether a P_Key keeps its index as long as it is wanted
 * @param allowsBoth whether a port may have the full and the limited P_Key of a partition simultaneously
 * @param file {@code conf} without run-time additions
 * @param vports the virtual ports, looked up as they are at the moment of a plan
 */
public record PartitionSettings(
        PartitionConf conf,
        Enforcement enforcement,
        boolean keepsIndexes,
        boolean allowsBoth,
        PartitionConf file,
        VPortMembers vports) {
    private static final VPortMembers NO_VPORTS = portGuid -> List.of();

    /** The settings without a file, with the defaults of OpenSM. */
    public static final PartitionSettings DEFAULT =
            new PartitionSettings(PartitionConf.NONE, Enforcement.BOTH, true, false);

    /** Creates settings without run-time additions. */
    public PartitionSettings(PartitionConf conf, Enforcement enforcement, boolean keepsIndexes, boolean allowsBoth) {
        this(conf, enforcement, keepsIndexes, allowsBoth, conf, NO_VPORTS);
    }

    /**
     * Returns this file with other run-time additions.
     *
     * @param qos false makes every SL 0
     */
    public PartitionSettings with(RunTimePartitions added, boolean qos) {
        return new PartitionSettings(added.combineWith(file, qos), enforcement, keepsIndexes, allowsBoth, file, vports);
    }

    /** Returns a copy with virtual ports. */
    public PartitionSettings with(VPortMembers others) {
        return new PartitionSettings(conf, enforcement, keepsIndexes, allowsBoth, file, others);
    }

    /** The checks of a switch at a port to an end port (IBA 14.2.5.6, PartitionEnforcement). */
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
