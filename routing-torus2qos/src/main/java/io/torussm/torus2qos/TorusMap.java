package io.torussm.torus2qos;

import io.torussm.fabric.Fabric;
import io.torussm.routing.Plan;
import io.torussm.routing.RetainedPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A routed torus as operators look at it: sizes, which switch stands where, cables, and lines that are not whole. Immutable. */
public final class TorusMap {
    /** Dimensions: 0 is x, 1 is y, 2 is z. */
    public static final int DIMENSIONS = Dim.COUNT;

    /** No switch stands there, or no neighbour belongs there. */
    public static final int NONE = -1;

    private final Torus torus;
    private final int[] widest = new int[Dim.COUNT];

    /**
     * A line of switches that lacks something.
     *
     * @param name as operators write it, such as {@code (*,1,0)}
     * @param dimension 0 to 2
     * @param isFailed whether it is interrupted, so that packets go the other way round; else it only lacks parallel cables
     * @param causes what is missing, in words
     */
    public record Line(String name, int dimension, boolean isFailed, List<String> causes) {
        public Line {
            causes = List.copyOf(causes);
        }
    }

    private TorusMap(Torus torus) {
        this.torus = torus;
        for (int d = 0; d < Dim.COUNT; d++) {
            for (int slot = 0; slot < torus.slots(); slot++) {
                widest[d] = Math.max(widest[d], torus.group(slot, 2 * d + 1).length);
            }
        }
    }

    /** The torus of a plan; empty if the plan is another engine's. */
    public static Optional<TorusMap> of(Plan plan) {
        return RetainedPlan.routed(plan) instanceof TorusPlan routed
                ? Optional.of(new TorusMap(routed.torus()))
                : Optional.empty();
    }

    /** Switches in a dimension, at least 1. */
    public int radix(int d) {
        return torus.radix(d);
    }

    /** Whether a dimension does not wrap. */
    public boolean isMesh(int d) {
        return torus.isMesh(d);
    }

    /** Sizes as torus-2QoS.conf has them: {@code torus 6 5 4m}. */
    public String sizes() {
        return torus.conf().describe();
    }

    /** The file with sizes and seeds. */
    public String file() {
        return torus.conf().file();
    }

    /** The seed that is in use, counted from 0. */
    public int seed() {
        return torus.conf().seeds().indexOf(torus.seed());
    }

    /** The line of the file where that seed begins. */
    public int seedLine() {
        return torus.seed().line();
    }

    /** How many seeds the file has. */
    public int seeds() {
        return torus.conf().seeds().size();
    }

    /** Switches that have a place. */
    public int placed() {
        return torus.slots();
    }

    /** Places for switches, taken or not; each is known by a position, counted from 0. */
    public int positions() {
        return torus.positions();
    }

    /** The position of a place. */
    public int position(int x, int y, int z) {
        return with(with(with(0, 0, x), 1, y), 2, z);
    }

    /** One coordinate of a position. */
    public int coordinate(int position, int d) {
        return torus.coordinateAt(position, d);
    }

    /** The position that differs in one coordinate, which is taken modulo the radix. */
    public int with(int position, int d, int coordinate) {
        return torus.with(position, d, coordinate);
    }

    /** The switch (index in the fabric) at a position, {@link #NONE} if it is missing. */
    public int switchAt(int position) {
        int slot = torus.slotAt(position);
        return slot < 0 ? NONE : torus.switchOf(slot);
    }

    /** Cables from a position to the next one in + direction; {@link #NONE} if a line ends there by its nature. */
    public int cables(int position, int d) {
        return torus.hasNeighbour(position, 2 * d + 1) ? plusPorts(position, d).length : NONE;
    }

    /** The port numbers by which a position has cables to the next one in + direction. */
    public int[] plusPorts(int position, int d) {
        int slot = torus.slotAt(position);
        return slot < 0 ? new int[0] : torus.group(slot, 2 * d + 1).clone();
    }

    /** The dimension that the cable at a switch port belongs to; {@link #DIMENSIONS} if to none. */
    public int dimension(int port) {
        return torus.portClass(port);
    }

    /** Cables that any two neighbours of a dimension are joined by at most. */
    public int widest(int d) {
        return widest[d];
    }

    /** The dimension and direction in which a switch port leads to a neighbour, such as {@code +x}; empty if in none. */
    public String direction(int port) {
        int group = torus.groupOf(port);
        return group == Dim.LOCAL ? "" : Dim.groupName(group);
    }

    /** Lines that are interrupted or have fewer cables somewhere than elsewhere; along x first. */
    public List<Line> deficientLines() {
        TorusCheck check = new TorusCheck(torus);
        List<Line> lines = new ArrayList<>();
        for (int d = 0; d < Dim.COUNT; d++) {
            for (int position = 0; position < torus.positions() && torus.radix(d) > 1; position++) {
                if (torus.coordinateAt(position, d) == 0) {
                    List<String> gaps = check.gaps(position, d);
                    List<String> thin = thin(position, d);
                    if (gaps.size() + thin.size() > 0) {
                        List<String> causes = new ArrayList<>(gaps);
                        causes.addAll(thin);
                        lines.add(new Line(torus.line(position, d), d, !gaps.isEmpty(), causes));
                    }
                }
            }
        }
        return lines;
    }

    /** Places without a switch, as operators write them. */
    public List<String> emptyPlaces() {
        List<String> places = new ArrayList<>();
        for (int position = 0; position < torus.positions(); position++) {
            if (torus.slotAt(position) < 0) {
                places.add(torus.place(position));
            }
        }
        return places;
    }

    private List<String> thin(int line, int d) {
        List<String> texts = new ArrayList<>();
        Fabric fabric = torus.fabric();
        for (int i = 0; i < torus.radix(d); i++) {
            int slot = torus.slotAt(torus.with(line, d, i));
            int cables = slot < 0 ? 0 : torus.group(slot, 2 * d + 1).length;
            if (cables > 0 && cables < widest[d]) {
                texts.add(cables + " of " + widest[d] + " cables from " + torus.place(torus.positionOf(slot)) + " "
                        + fabric.name(torus.switchOf(slot)) + " in " + Dim.groupName(2 * d + 1));
            }
        }
        return texts;
    }
}
