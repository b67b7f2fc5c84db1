package io.torussm.view;

import io.torussm.fabric.Fabric;
import io.torussm.partition.PartitionPlan;
import io.torussm.routing.MulticastTree;
import io.torussm.routing.Plan;
import io.torussm.subnet.Subnet;
import org.jspecify.annotations.Nullable;

/**
 * The subnet as it is programmed. PortInfo in its fabric is the last response of each device, after activation.
 * Immutable.
 *
 * @param subnet routed subnet with PortInfo after activation; its indexes and LIDs are those of {@code
 *     plan.subnet()}
 * @param plan active routes; its SLs match the programmed tables
 * @param multicast tree of all multicast groups; null if multicast is off, because no tree is safe
 * @param partitions members of partitions; the P_Key tables of ports contain their P_Keys
 * @param smPortGuid port GUID of the SM
 * @param subnetTimeout PortInfo.SubnetTimeOut, and the PacketLifeTime of paths between different ports: a value
 *     n of 4.096 us * 2^n
 * @param responseTimeValue RespTimeValue of ClassPortInfo: a value n of 4.096 us * 2^n
 * @param qos true if QoS tables are programmed
 * @param qosTables programmed QoS tables
 * @param sweep number of the whole sweep that made the view, from 1; {@link #REMEMBERED} if a former master made
 *     it
 */
public record PublishedView(
        Subnet subnet,
        Plan plan,
        @Nullable MulticastTree multicast,
        PartitionPlan partitions,
        long smPortGuid,
        int subnetTimeout,
        int responseTimeValue,
        boolean qos,
        QosTables qosTables,
        long sweep) {
    /** The sweep number of a view from the state directory or from the former master. */
    public static final long REMEMBERED = 0;

    /** Checks whether a former master made the view, and this SM has not programmed it yet. */
    public boolean isRemembered() {
        return sweep == REMEMBERED;
    }

    /** Returns the subnet with the coordinates that its engine assigned to switches. */
    public PlacedSubnet placed() {
        return new PlacedSubnet(subnet, plan.explainer());
    }

    /** Returns a copy with other members of partitions. */
    public PublishedView with(PartitionPlan other) {
        return new PublishedView(
                subnet, plan, multicast, other, smPortGuid, subnetTimeout, responseTimeValue, qos, qosTables, sweep);
    }

    /**
     * Returns a copy with newer responses of devices.
     *
     * @param newer fabric with the same indexes and cables
     */
    public PublishedView on(Fabric newer) {
        return new PublishedView(
                subnet.with(newer),
                plan,
                multicast,
                partitions,
                smPortGuid,
                subnetTimeout,
                responseTimeValue,
                qos,
                qosTables,
                sweep);
    }

    /**
     * Returns the SL from the SM to an end port; negative if the SM or the port has no LID, or there is no path.
     *
     * @param port port index
     */
    public int slFromSm(int port) {
        int lid = subnet.lid(port);
        return lid == 0 || subnet.smLid() == 0 ? -1 : plan.pathSl(subnet.smLid(), lid, 0);
    }
}
