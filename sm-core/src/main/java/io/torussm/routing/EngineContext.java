package io.torussm.routing;

import io.torussm.subnet.Subnet;
import org.jspecify.annotations.Nullable;

/**
 * One run of an engine. Immutable.
 *
 * @param standing the plan in force, as its engine made it, which may have been another; null if there is none. Engines
 *     whose tables depend on nothing but subnet and configuration leave it alone
 */
public record EngineContext(
        Subnet subnet,
        RoutingOptions options,
        EngineConfig config,
        @Nullable Plan standing) {}
