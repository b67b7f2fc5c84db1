package io.torussm.routing;

import io.torussm.subnet.Subnet;

/**
 * A routing algorithm: a pure function without I/O, clock or logging. Its result depends on its configuration and the
 * subnet only, never on the number of threads or the order of discovery.
 */
public interface Engine {
    /** The name in {@code routing_engine}, such as {@code torus-2QoS}. */
    String name();

    /** Routes a subnet, or says why it will not. */
    RoutingResult route(Subnet subnet, RoutingOptions options);
}
