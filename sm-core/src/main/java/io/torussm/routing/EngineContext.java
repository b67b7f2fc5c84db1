package io.torussm.routing;

import io.torussm.subnet.CoordinateStore.Place;
import io.torussm.subnet.Subnet;
import io.torussm.subnet.WholeTree;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The input of one run of an engine. Immutable.
 *
 * @param subnet the subnet to route
 * @param config the settings of this engine
 * @param active the active plan, as its engine (perhaps another one) returned it; null if there is none. Engines keep
 *     its routes where they can. Engines whose tables depend only on subnet and configuration ignore it
 * @param places by node GUID: coordinates and description of each switch of the last plan with coordinates
 * @param tree the fat tree of the subnet without losses; null if none is known
 * @param similar a plan of any engine for a subnet that may differ little, whose equal tables may be reused; null if
 *     there is none. It saves work, and no result depends on it
 */
public record EngineContext(
        Subnet subnet,
        RoutingOptions options,
        EngineConfig config,
        @Nullable Plan active,
        Map<Long, Place> places,
        @Nullable WholeTree tree,
        @Nullable Plan similar) {
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
     * Returns this run without previous plans. A plan that keeps its context must keep this one: otherwise it
     * would refer to the plan before it, and so on, and no old plan could be freed.
     */
    public EngineContext withoutActivePlan() {
        return new EngineContext(subnet, options, config, null, places, tree, null);
    }

    /**
     * Returns this run with the same previous plans, on the subnet without some cables.
     *
     * @param less the subnet with the same indexes and fewer cables
     */
    public EngineContext leaving(Subnet less) {
        return new EngineContext(less, options, config, active, places, tree, similar);
    }

    /** Returns this run on another subnet, without previous plans. */
    public EngineContext on(Subnet other) {
        return new EngineContext(other, options, config, null, places, tree, null);
    }
}
