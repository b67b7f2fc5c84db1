package io.torussm.routing;

import io.torussm.subnet.CoordinateStore.Place;
import io.torussm.subnet.Subnet;
import io.torussm.subnet.VPortLids;
import io.torussm.subnet.WholeTree;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The input of one run of an engine. Immutable.
 *
 * @param subnet the subnet to route
 * @param config the settings of this engine
 * @param active active plan, as its engine (perhaps another engine) returned it; null before the first plan.
 *     Engines keep its routes if possible. Engines whose tables depend only on subnet and configuration ignore
 *     it
 * @param places coordinates and description of each switch of the last plan with coordinates, by node GUID
 * @param tree fat tree of the subnet without losses; null if it is unknown
 * @param similarPlan plan of any engine for a subnet that may differ little. Engines reuse those of its tables that
 *     a computation would give, so it saves work only. Null without such a plan
 */
public record EngineContext(
        Subnet subnet,
        RoutingOptions options,
        EngineConfig config,
        @Nullable Plan active,
        Map<Long, Place> places,
        @Nullable WholeTree tree,
        @Nullable Plan similarPlan) {
    /** Creates a run without a known fat tree. */
    public EngineContext(
            Subnet subnet,
            RoutingOptions options,
            EngineConfig config,
            @Nullable Plan active,
            Map<Long, Place> places,
            @Nullable Plan similar) {
        this(subnet, options, config, active, places, null, similar);
    }

    /** Creates a run without a similar plan and without a known fat tree. */
    public EngineContext(
            Subnet subnet,
            RoutingOptions options,
            EngineConfig config,
            @Nullable Plan active,
            Map<Long, Place> places) {
        this(subnet, options, config, active, places, null, null);
    }

    /** Creates a run without coordinates, a similar plan and a known fat tree. */
    public EngineContext(Subnet subnet, RoutingOptions options, EngineConfig config, @Nullable Plan active) {
        this(subnet, options, config, active, Map.of());
    }

    /**
     * Returns this run without previous plans. A plan that keeps its context must keep the context that this method
     * returns. Otherwise each plan would refer to the previous plan, and no old plan could be freed.
     */
    public EngineContext withoutActivePlan() {
        return new EngineContext(subnet, options, config, null, places, tree, null);
    }

    /**
     * Returns a copy of this run with fewer cables and the same previous plans.
     *
     * @param less subnet with the same indexes and fewer cables
     */
    public EngineContext withFewerCables(Subnet less) {
        return new EngineContext(less, options, config, active, places, tree, similarPlan);
    }

    /**
     * Returns a copy of this run without LIDs of virtual ports, also in previous plans. No engine routes these LIDs:
     * they have the routes of their physical ports.
     */
    public EngineContext withoutVPortLids() {
        Plan before = active == null ? null : active.withoutVPortLids();
        Plan similar = similarPlan == null
                ? null
                : similarPlan == active ? before : similarPlan.withoutVPortLids(); // the tables are copied once
        return new EngineContext(subnet.with(VPortLids.NONE), options, config, before, places, tree, similar);
    }

    /** Returns a copy of this run for another subnet, without previous plans. */
    public EngineContext forSubnet(Subnet other) {
        return new EngineContext(other, options, config, null, places, tree, null);
    }
}
