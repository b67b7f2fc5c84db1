package io.torussm.view;

import io.torussm.fabric.Fabric;
import io.torussm.partition.PartitionPlan;
import io.torussm.routing.MulticastTree;
import io.torussm.routing.Plan;
import io.torussm.subnet.Subnet;
import org.jspecify.annotations.Nullable;

/**
 * The subnet as it is programmed. PortInfo in its fabric is what the devices answered last, after activation.
 *
 * @param subnet the routed subnet with PortInfo after activation; the same indexes and LIDs as {@code plan.subnet()}
 * @param plan the routing in force; the SLs that it gives belong to the tables that the switches hold
 * @param multicast the tree of all multicast groups; null if multicast is off, since no tree is safe
 * @param partitions who may talk with whom; the P_Keys that it names are in the ports' tables
 * @param smPortGuid GUID of the SM's port
 * @param subnetTimeout PortInfo.SubnetTimeOut, and the PacketLifeTime of paths between different ports, a time value
 * @param responseTimeValue RespTimeValue of ClassPortInfo
 * @param qos whether QoS tables are programmed
 * @param qosTables the QoS tables that are programmed
 * @param sweep number of the heavy sweep that made it, from 1
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

    /** The subnet with the places that its engine gave to switches. */
    public PlacedSubnet placed() {
        return new PlacedSubnet(subnet, plan.explainer());
    }

    /** The same with other members of partitions. */
    public PublishedView with(PartitionPlan other) {
        return new PublishedView(
                subnet, plan, multicast, other, smPortGuid, subnetTimeout, responseTimeValue, qos, qosTables, sweep);
    }

    /** The same with newer words of devices about themselves; indexes and cables are as before. */
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
