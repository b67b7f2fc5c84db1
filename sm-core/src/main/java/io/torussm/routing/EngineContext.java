package io.torussm.routing;

import io.torussm.subnet.CoordinateStore.Place;
import io.torussm.subnet.Subnet;
import io.torussm.subnet.WholeTree;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The input of one run of an engine. Immutable.
 *
 * @param standing the active plan, as its engine (perhaps another one) made it; null if there is none.
 *     Engines whose tables depend only on subnet and configuration ignore it
 * @param places by node GUID: place and description of each switch of the last plan with coordinates
 * @param tree the fat tree of the subnet without losses; null if none is known
 * @param similar a plan, of any engine, for a subnet that may differ little, from which equal tables may be
 *     reused; null if there is none. It saves work, and no result depends on it
 */
public record EngineContext(
        Subnet subnet,
        RoutingOptions options,
        EngineConfig config,
        @Nullable Plan standing,
        Map<Long, Place> places,
        @Nullable WholeTree tree,
        @Nullable Plan similar) {
    /** Creates a run on a subnet without a known tree. */
    public EngineContext(
            Subnet subnet,
            RoutingOptions options,
            EngineConfig config,
            @Nullable Plan standing,
            Map<Long, Place> places,
            @Nullable Plan similar) {
        this(subnet, options, config, standing, places, null, similar);
    }

    /** Makes a run without previous plans. */
    public EngineContext(
            Subnet subnet,
            RoutingOptions options,
            EngineConfig config,
            @Nullable Plan standing,
            Map<Long, Place> places) {
        this(subnet, options, config, standing, places, null, null);
    }

    /** Creates a run without known coordinates. */
    public EngineContext(Subnet subnet, RoutingOptions options, EngineConfig config, @Nullable Plan standing) {
        this(subnet, options, config, standing, Map.of());
    }

    /**
     * Returns the same run without previous plans. A plan that keeps its context must keep this one: else it
     * would refer to the plan before it, and so on, and no old plan could be freed.
     */
    public EngineContext withoutStanding() {
        return new EngineContext(subnet, options, config, null, places, tree, null);
    }

    /**
     * Returns the same run, with its plans, on the same subnet without some cables.
     *
     * @param less has the same indexes
     */
    public EngineContext leaving(Subnet less) {
        return new EngineContext(less, options, config, standing, places, tree, similar);
    }

    /** Returns the same run on another subnet, without plans. */
    public EngineContext on(Subnet other) {
        return new EngineContext(other, options, config, null, places, tree, null);
    }
}
