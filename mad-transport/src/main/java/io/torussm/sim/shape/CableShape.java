package io.torussm.sim.shape;

import io.torussm.sim.topology.Topology;

/**
 * The shapes {@code pair} and {@code loop}: one cable without a switch, between two hosts or the two ports of one host.
 */
final class CableShape {
    private CableShape() {}

    /** Returns two hosts with one port each, connected by a cable. */
    static Topology pair(SpecWords words) {
        words.checkSize(0, 0);
        ShapeBuilder builder = new ShapeBuilder();
        builder.addHost("host-0", 1);
        builder.addHost("host-1", 1);
        builder.joinHosts(0, 1, 1, 1);
        return builder.build();
    }

    /** Returns one host with two ports, connected by a cable. */
    static Topology loop(SpecWords words) {
        words.checkSize(0, 0);
        ShapeBuilder builder = new ShapeBuilder();
        builder.addHost("host-0", 2);
        builder.joinHosts(0, 1, 0, 2);
        return builder.build();
    }
}
