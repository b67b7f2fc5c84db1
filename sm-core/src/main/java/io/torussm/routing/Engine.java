package io.torussm.routing;

import io.torussm.event.Finding;
import io.torussm.fabric.Fabric;
import io.torussm.subnet.Subnet;
import java.util.List;
import java.util.Map;

/**
 * A routing algorithm: a pure function without I/O, clock or logging. Its result depends on its configuration and the
 * subnet only, never on the number of threads or the order of discovery. An engine is a package with one such class, and
 * one line in the daemon's list of engines.
 */
public interface Engine {
    /** The name in {@code routing_engine}, such as {@code torus-2QoS}; its settings stand in an object of this name. */
    String name();

    /** The settings that it has besides those of all engines. */
    default List<EngineSetting> settings() {
        return List.of();
    }

    /** Whether its plans decide themselves which VLs a link carries, so that the operator's SL2VL tables do not count. */
    default boolean hasOwnSl2Vl() {
        return false;
    }

    /**
     * Checks a configuration before there is a subnet.
     *
     * @return errors for what would be refused at every sweep, warnings for what may not be as the operator thinks
     */
    default List<Finding> check(EngineConfig config, RoutingOptions options) {
        return List.of();
    }

    /**
     * Routes a subnet, or says why it will not.
     *
     * @param context of a subnet with at least one switch; without any, {@link Unswitched} has the plan
     */
    RoutingResult route(EngineContext context);

    /**
     * Places the switches of a fabric without routing it. Pure.
     *
     * @return by NodeGUID, such as {@code (2,3,0)}; none if the engine knows no places, or cannot tell
     */
    default Map<Long, String> places(Fabric fabric, EngineConfig config) {
        return Map.of();
    }

    /** Routes a subnet with no settings of the engine's own. */
    default RoutingResult route(Subnet subnet, RoutingOptions options) {
        return route(new EngineContext(subnet, options, EngineConfig.NONE, null));
    }
}
