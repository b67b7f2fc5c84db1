package io.torussm.routing;

import io.torussm.event.Finding;
import io.torussm.fabric.Fabric;
import io.torussm.subnet.Subnet;
import java.util.List;
import java.util.Map;

/**
 * A routing algorithm: a pure function without I/O, clock or logging. Its result depends on the {@link
 * EngineContext} only, never on the number of threads or the order of discovery. An engine is a package with one
 * such class, and one line in the daemon's list of engines.
 */
public interface Engine {
    /**
     * Returns the name in {@code routing_engine}, such as {@code torus-2QoS}; its settings are in an object of this
     * name.
     */
    String name();

    /** Returns the engine's own settings, besides those common to all engines. */
    default List<EngineSetting> settings() {
        return List.of();
    }

    /**
     * Checks whether the engine's plans choose the VLs of a link, so that the operator's SL2VL tables have no
     * effect.
     */
    default boolean hasOwnSl2Vl() {
        return false;
    }

    /**
     * Checks a configuration without a subnet.
     *
     * @return errors for settings that every sweep would refuse, warnings for settings with an unexpected effect
     */
    default List<Finding> check(EngineConfig config, RoutingOptions options) {
        return List.of();
    }

    /**
     * Routes a subnet, or refuses it with the reason.
     *
     * @param context context of a subnet with at least one switch; {@link Unswitched} plans a subnet without switches
     */
    RoutingResult route(EngineContext context);

    /**
     * Places the switches of a fabric without routing it. Pure.
     *
     * @return coordinates such as {@code (2,3,0)} by NodeGUID; empty if the engine has no coordinates, or cannot
     *     determine them
     */
    default Map<Long, String> places(Fabric fabric, EngineConfig config) {
        return Map.of();
    }

    /** Routes a subnet without settings of this engine and without previous plans. */
    default RoutingResult route(Subnet subnet, RoutingOptions options) {
        return route(new EngineContext(subnet, options, EngineConfig.NONE, null));
    }
}
