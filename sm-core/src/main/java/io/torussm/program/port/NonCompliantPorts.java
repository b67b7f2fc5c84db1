package io.torussm.program.port;

import io.torussm.fabric.Fabric;
import io.torussm.fabric.NodePort;
import io.torussm.mad.FieldMask;
import io.torussm.mad.smp.PortInfo;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The ports that accept a Set(PortInfo) and ignore a part of it, each with the requested and the answered values. While
 * the port still reports the answered values, the same request is not repeated. Otherwise every sweep would write to
 * every such port. Fields that an SM does not write do not count: some of them are counters. Owner thread: the loop.
 */
public final class NonCompliantPorts {
    /** The fields that an SM writes. */
    private static final FieldMask WRITTEN_FIELDS = new FieldMask(
            PortInfo.TYPE,
            List.of(
                    PortInfo.M_KEY,
                    PortInfo.GID_PREFIX,
                    PortInfo.LID,
                    PortInfo.MASTER_SM_LID,
                    PortInfo.M_KEY_LEASE_PERIOD,
                    PortInfo.M_KEY_PROTECT_BITS,
                    PortInfo.LMC,
                    PortInfo.LINK_WIDTH_ENABLED,
                    PortInfo.LINK_SPEED_ENABLED,
                    PortInfo.LINK_SPEED_EXT_ENABLED,
                    PortInfo.NEIGHBOR_MTU,
                    PortInfo.MASTER_SM_SL,
                    PortInfo.VL_HIGH_LIMIT,
                    PortInfo.VL_STALL_COUNT,
                    PortInfo.HOQ_LIFE,
                    PortInfo.OPERATIONAL_VLS,
                    PortInfo.PARTITION_ENFORCEMENT_INBOUND,
                    PortInfo.PARTITION_ENFORCEMENT_OUTBOUND,
                    PortInfo.SUBNET_TIME_OUT,
                    PortInfo.LOCAL_PHY_ERRORS,
                    PortInfo.OVERRUN_ERRORS));

    private final Map<NodePort, Exchange> exchanges = new HashMap<>();

    private record Exchange(PortInfo wanted, PortInfo answered) {}

    /**
     * Records the response of a port to a Set, without error status.
     *
     * @return whether the port accepted all settings
     */
    boolean record(Fabric fabric, int port, PortInfo wanted, PortInfo answered) {
        boolean hasAll = wanted.isEqualIn(answered, WRITTEN_FIELDS);
        if (hasAll) {
            exchanges.remove(fabric.nodePort(port));
        } else {
            exchanges.put(fabric.nodePort(port), new Exchange(wanted, answered));
        }
        return hasAll;
    }

    /** Checks whether a port with its current values already ignored a part of these settings. */
    boolean hasRefused(Fabric fabric, int port, PortInfo wanted, PortInfo current) {
        Exchange previous = exchanges.isEmpty() ? null : exchanges.get(fabric.nodePort(port));
        return previous != null
                && previous.wanted.isEqualIn(wanted, WRITTEN_FIELDS)
                && previous.answered.isEqualIn(current, WRITTEN_FIELDS);
    }

    /** Removes the ports of a device, so that the next sweep tries their settings again. */
    public void forget(long nodeGuid) {
        exchanges.keySet().removeIf(port -> port.nodeGuid() == nodeGuid);
    }
}
