package io.torussm.deadlock;

import io.torussm.routing.RoutingOptions;
import org.jspecify.annotations.Nullable;

/** The traffic of a plan that loses no packets, and its dependencies: the input of a {@link Certificate}. */
public interface PlanTraffic {
    /** Returns the SLs of packets by switch, ingress class, out and next hop. */
    SlUsage traffic();

    /** Returns the groups of LIDs that were walked together. */
    DestinationGroups groups();

    /** Returns the options that the tables are programmed with. */
    RoutingOptions options();

    /** Checks whether a part of the traffic comes from an earlier proof, without a walk of its trees. */
    boolean isIncremental();

    /** Returns the dependencies of unicast. */
    ChannelDependencyGraph graph();

    /** Checks whether a switch discards packets, since it maps their SL to VL15. */
    boolean isAnyDiscarded();

    /**
     * Numbers the channels so that all dependencies lead upward.
     *
     * @param unicast the graph of this traffic
     * @param groupTraffic dependencies of multicast; null to number those of unicast alone
     * @return [channel] number, {@link io.torussm.fabric.Fabric#NONE} if no packet uses the channel; null if there is
     *     a cycle
     */
    int @Nullable [] numbering(ChannelDependencyGraph unicast, @Nullable MulticastDependencies groupTraffic);
}
