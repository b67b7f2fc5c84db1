package io.torussm.routing;

import io.torussm.subnet.Subnet;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One run of an engine. Immutable.
 *
 * @param standing the plan in force, as its engine made it, which may have been another; null if there is none. Engines
 *     whose tables depend on nothing but subnet and configuration leave it alone
 * @param places by node GUID, where switches stood in the last plan whose engine knew places, such as {@code (2,3,0)}
 */
public record EngineContext(
        Subnet subnet,
        RoutingOptions options,
        EngineConfig config,
        @Nullable Plan standing,
        Map<Long, String> places) {
    /** A run without known places. */
    public EngineContext(Subnet subnet, RoutingOptions options, EngineConfig config, @Nullable Plan standing) {
        this(subnet, options, config, standing, Map.of());
    }

    /**
     * The same run without a plan in force. Whatever a plan holds on to for later must hold on to this one only: plans would hold on to
     * each other else, and memory would run out in the end.
     */
    public EngineContext withoutStanding() {
        return new EngineContext(subnet, options, config, null, places);
    }
}
