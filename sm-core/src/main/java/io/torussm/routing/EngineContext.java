package io.torussm.routing;

import io.torussm.subnet.Subnet;
import io.torussm.subnet.WholeTree;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One run of an engine. Immutable.
 *
 * @param standing the plan in force, as its engine made it, which may have been another; null if there is none. Engines
 *     whose tables depend on nothing but subnet and configuration leave it alone
 * @param places by node GUID, where switches stood in the last plan whose engine knew places, such as {@code (2,3,0)}
 * @param tree the fat tree that the subnet is when nothing is absent; null if none is known
 * @param similar a plan, of any engine, for a subnet that may differ little, whose tables may be taken over where they would be
 *     the same; null if there is none. It saves work, and no result depends on it
 */
public record EngineContext(
        Subnet subnet,
        RoutingOptions options,
        EngineConfig config,
        @Nullable Plan standing,
        Map<Long, String> places,
        @Nullable WholeTree tree,
        @Nullable Plan similar) {
    /** A run on a subnet without a known tree. */
    public EngineContext(
            Subnet subnet,
            RoutingOptions options,
            EngineConfig config,
            @Nullable Plan standing,
            Map<Long, String> places,
            @Nullable Plan similar) {
        this(subnet, options, config, standing, places, null, similar);
    }

    /** A run from nothing. */
    public EngineContext(
            Subnet subnet,
            RoutingOptions options,
            EngineConfig config,
            @Nullable Plan standing,
            Map<Long, String> places) {
        this(subnet, options, config, standing, places, null, null);
    }

    /** A run without known places. */
    public EngineContext(Subnet subnet, RoutingOptions options, EngineConfig config, @Nullable Plan standing) {
        this(subnet, options, config, standing, Map.of());
    }

    /**
     * The same run without plans. Whatever a plan holds on to for later must hold on to this one only: plans would hold on to
     * each other else, and memory would run out in the end.
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
