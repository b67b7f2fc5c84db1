package io.torussm.view;

import io.torussm.fabric.Fabric;
import io.torussm.partition.PartitionPlan;
import io.torussm.routing.MulticastTree;
import io.torussm.routing.Plan;
import io.torussm.subnet.Subnet;
import org.jspecify.annotations.Nullable;

/**
 * The subnet as it is programmed. PortInfo in its fabric is the last answer of each device, after activation.
 *
 * @param subnet the routed subnet with PortInfo after activation; the same indexes and LIDs as
 * {@code plan.subnet()}
 * @param plan the active routes; its SLs belong to the programmed tables
 * @param multicast the tree of all multicast groups; null if multicast is off, because no tree is safe
 * @param partitions members of partitions; their P_Keys are in the ports' tables
 * @param smPortGuid GUID of the SM's port
 * @param subnetTimeout PortInfo.SubnetTimeOut, and the PacketLifeTime of paths between different ports, a
 * time value
 * @param responseTimeValue RespTimeValue of ClassPortInfo
 * @param qos whether QoS tables are programmed
 * @param qosTables the programmed QoS tables
 * @param sweep number of the heavy sweep that made it, from 1; {@link #REMEMBERED} if a former master made it
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
    /** The number of the sweep of a view that this SM has from the state directory or from its former master. */
    public static final long REMEMBERED = 0;

    /** Checks whether a former master made the view, and this SM has not programmed it yet. */
    public boolean isRemembered() {
        return sweep == REMEMBERED;
    }

    /** Returns the subnet with the coordinates that its engine assigned to switches. */
    public PlacedSubnet placed() {
        return new PlacedSubnet(subnet, plan.explainer());
    }

    /** Returns the view with other members of partitions. */
    public PublishedView with(PartitionPlan other) {
        return new PublishedView(
                subnet, plan, multicast, other, smPortGuid, subnetTimeout, responseTimeValue, qos, qosTables, sweep);
    }

    /** Returns the view with newer answers of devices; indexes and cables are unchanged. */
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
}
