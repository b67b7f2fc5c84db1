package io.torussm.torus2qos;

import io.torussm.fabric.Fabric;
import io.torussm.routing.RoutingPlan;
import java.util.Optional;

/** Where a torus that was routed has its switches and cables, for readers outside the engine. */
public final class TorusLayout {
    /** Dimensions of every torus; those without extent have one switch. */
    public static final int DIMENSIONS = Dim.COUNT;

    private final Torus torus;

    private TorusLayout(Torus torus) {
        this.torus = torus;
    }

    /** The torus of a plan; empty if the plan is another engine's. */
    public static Optional<TorusLayout> of(RoutingPlan plan) {
        return plan instanceof TorusPlan routed ? Optional.of(new TorusLayout(routed.torus())) : Optional.empty();
    }

    /** Switches in a dimension, at least 1. */
    public int radix(int d) {
        return torus.radix(d);
    }

    /** Places for switches, taken or not. */
    public int positions() {
        return torus.positions();
    }

    /** The switch at a position; {@link Fabric#NONE} if it is missing. */
    public int switchAt(int position) {
        int slot = torus.slotAt(position);
        return slot < 0 ? Fabric.NONE : torus.switchOf(slot);
    }

    /** One coordinate of a position. */
    public int coordinate(int position, int d) {
        return torus.coordinateAt(position, d);
    }

    /** The position that differs in one coordinate, which is taken modulo the radix. */
    public int with(int position, int d, int coordinate) {
        return torus.with(position, d, coordinate);
    }

    /** The line through a position, such as {@code (*,1,0)}. */
    public String line(int position, int d) {
        return torus.line(position, d);
    }

    /** The dimension that the cable at a port index belongs to; {@link #DIMENSIONS} if it belongs to none. */
    public int dimension(int port) {
        return torus.portClass(port);
    }

    /** Whether a position has a cable to the next one in the plus direction, or should have none there. */
    public boolean isJoined(int position, int d) {
        int slot = torus.slotAt(position);
        int plus = 2 * d + 1;
        return !torus.hasNeighbour(position, plus) || slot >= 0 && torus.group(slot, plus).length > 0;
    }

    /** The port numbers by which a position has cables to the next one in the plus direction. */
    public int[] plusPorts(int position, int d) {
        int slot = torus.slotAt(position);
        return slot < 0 ? new int[0] : torus.group(slot, 2 * d + 1).clone();
    }
}
