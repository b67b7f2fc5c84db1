package io.torussm.torus2qos;

import io.torussm.routing.Plan;
import io.torussm.routing.PlanExplainer;
import io.torussm.routing.Ring;
import io.torussm.routing.RingState;
import io.torussm.torus2qos.conf.Balance;
import io.torussm.torus2qos.conf.Dim;
import io.torussm.torus2qos.discovery.Torus;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * A routed torus for operators: sizes, positions of switches, cables, and rings with missing parts. A dimension
 * {@code d} is 0 (x), 1 (y) or 2 (z). A position is a number from 0 to {@link #positions} - 1 that stands for
 * three coordinates. Immutable.
 */
public final class TorusMap {
    /** The number of dimensions. */
    public static final int DIMENSIONS = Dim.COUNT;

    /** No switch is at a position, or a line ends at a position. */
    public static final int NONE = -1;

    private final Torus torus;
    private final LidPaths paths;
    private final TorusRings rings;

    private TorusMap(TorusExplainer explainer) {
        this.torus = explainer.torus();
        this.paths = explainer.paths();
        this.rings = new TorusRings(torus);
    }

    /** Returns the torus of a plan; empty if another engine made the plan. */
    public static Optional<TorusMap> of(Plan plan) {
        return of(plan.explainer());
    }

    /**
     * Returns the torus that an engine placed, even if it was not routed; empty for an explainer of another engine.
     */
    public static Optional<TorusMap> of(PlanExplainer placed) {
        return placed instanceof TorusExplainer explainer ? Optional.of(new TorusMap(explainer)) : Optional.empty();
    }

    /** Returns the number of switches in a dimension, at least 1. */
    public int radix(int d) {
        return torus.radix(d);
    }

    /** Checks whether a dimension does not wrap. */
    public boolean isMesh(int d) {
        return torus.isMesh(d);
    }

    /** Returns the sizes as torus-2QoS.conf has them: {@code torus 6 5 4m}. */
    public String sizes() {
        return torus.conf().describe();
    }

    /** Returns the file with sizes and seeds. */
    public String file() {
        return torus.conf().file();
    }

    /** Returns the index of the seed that is in use, from 0. */
    public int seed() {
        return torus.conf().seeds().indexOf(torus.seed());
    }

    /** Returns the line of the file where the seed that is in use begins. */
    public int seedLine() {
        return torus.seed().line();
    }

    /** Returns the NodeGUIDs that each seed of the file names. */
    public List<Set<Long>> seeds() {
        return torus.conf().seeds().stream().map(torus.conf()::nodes).toList();
    }

    /**
     * Checks whether a seed of the file names a switch.
     *
     * @param sw index in the fabric
     */
    public boolean isNamedBySeed(int sw) {
        return seeds().stream().anyMatch(nodes -> nodes.contains(torus.fabric().nodeGuid(sw)));
    }

    /**
     * Checks whether a multicast tree is certain to be free of credit loops together with the routes after the loss
     * of any one cable. This requires a torus without gaps and an SL that marks every crossing of a dateline; {@link
     * TorusTree} has the proof.
     */
    public boolean hasTreeAfterCableLoss() {
        boolean isWhole = torus.slots() == torus.positions() && deficientRings().isEmpty();
        for (int d = 0; d < DIMENSIONS; d++) {
            isWhole &= radix(d) == 1 || (radix(d) > 2 && !isMesh(d));
        }
        return isWhole
                && torus.conf().balance() == Balance.OFF
                && paths.hasEqualPaths()
                && !paths.hasOrders()
                && IntStream.range(0, torus.fabric().switchCount()).allMatch(torus.fabric()::hasMulticast);
    }

    /** Returns the number of switches that have a place. */
    public int placedCount() {
        return torus.slots();
    }

    /** Returns the number of positions, with a switch or without. */
    public int positions() {
        return torus.positions();
    }

    /** Returns the position of coordinates, each taken modulo the radix. */
    public int position(int x, int y, int z) {
        return withCoordinate(withCoordinate(withCoordinate(0, 0, x), 1, y), 2, z);
    }

    /** Returns one coordinate of a position. */
    public int coordinate(int position, int d) {
        return torus.coordinateAt(position, d);
    }

    /** Returns the position that differs in one coordinate, which is taken modulo the radix. */
    public int withCoordinate(int position, int d, int coordinate) {
        return torus.withCoordinate(position, d, coordinate);
    }

    /** Returns the switch (index in the fabric) at a position, {@link #NONE} if it is missing. */
    public int switchAt(int position) {
        int slot = torus.slotAt(position);
        return slot < 0 ? NONE : torus.switchOf(slot);
    }

    /**
     * Returns the number of cables from a position to the next position in + direction; {@link #NONE} at the end of
     * a line that does not wrap, and in a dimension of one switch.
     */
    public int cables(int position, int d) {
        return torus.hasNeighbour(position, Dim.plus(d)) ? plusPorts(position, d).length : NONE;
    }

    /**
     * Returns the port numbers of the cables from a position to the next position in + direction; empty if the
     * switch is missing.
     */
    public int[] plusPorts(int position, int d) {
        int slot = torus.slotAt(position);
        return slot < 0 ? new int[0] : torus.group(slot, Dim.plus(d)).clone();
    }

    /**
     * Returns the dimension that the cable at a switch port belongs to; {@link #DIMENSIONS} if it leads to no
     * neighbour.
     *
     * @param port index of the port in the fabric
     */
    public int dimension(int port) {
        return torus.portClass(port);
    }

    /** Returns the maximum number of cables between two neighbours in a dimension. */
    public int maxCables(int d) {
        return rings.maxCables(d);
    }

    /**
     * Returns the dimension and direction in which a switch port leads to a neighbour, such as {@code +x}; empty if
     * the port leads to no neighbour.
     *
     * @param port index of the port in the fabric
     */
    public String direction(int port) {
        int group = torus.groupOf(port);
        return group == Dim.LOCAL ? "" : Dim.groupName(group);
    }

    /** Returns the rings, and the lines of dimensions that do not wrap, with missing parts; along x first. */
    public List<Ring> deficientRings() {
        return rings.all().stream()
                .filter(ring -> ring.state() != RingState.WHOLE)
                .toList();
    }

    /** Returns the coordinates without a switch, as text such as {@code (2,1,0)}. */
    public List<String> emptyPlaces() {
        return IntStream.range(0, torus.positions())
                .filter(position -> torus.slotAt(position) < 0)
                .mapToObj(torus::formatPosition)
                .toList();
    }
}
