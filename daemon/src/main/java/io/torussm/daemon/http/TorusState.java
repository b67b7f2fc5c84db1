package io.torussm.daemon.http;

import io.torussm.fabric.Fabric;
import io.torussm.routing.Lattice;
import io.torussm.routing.Ring;
import io.torussm.view.PlacedSubnet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The present and missing parts of a torus: the switch of each position, the cables between neighbours, and the
 * state of rings according to the engine. Immutable.
 */
public final class TorusState {
    public static final List<String> DIMENSIONS = List.of("x", "y", "z");

    /**
     * A link between two neighbouring positions.
     *
     * @param from position
     * @param to next position in direction +d
     * @param d dimension, an index of {@link #DIMENSIONS}
     * @param cables number of cables between their switches; 0 if the link is down or a switch is missing
     */
    public record Link(int from, int to, int d, int cables) {}

    private final Lattice lattice;

    /** Switch index in the fabric, by position; {@link Fabric#NONE} if the switch is missing. */
    private final int[] switches;

    private final List<Link> links = new ArrayList<>();
    private final List<Ring> rings;

    /** Returns the torus in which the engine placed switches; empty if the engine has no torus. */
    public static Optional<TorusState> of(PlacedSubnet placed) {
        return placed.explainer().lattice().map(lattice -> new TorusState(lattice, placed));
    }

    private TorusState(Lattice lattice, PlacedSubnet placed) {
        this.lattice = lattice;
        switches = lattice.switchesIn(placed.fabric());
        rings = placed.explainer().rings();
        int[][] cables = countCables(placed.fabric());
        for (int d = 0; d < DIMENSIONS.size(); d++) {
            for (int position = 0; position < lattice.positions(); position++) {
                int next = lattice.next(position, d);
                if (next != Fabric.NONE) {
                    links.add(new Link(position, next, d, cables[d][position]));
                }
            }
        }
    }

    /** Returns the number of cables to the next position, as {@code [dimension][position]}. */
    private int[][] countCables(Fabric fabric) {
        int[][] counts = new int[DIMENSIONS.size()][lattice.positions()];
        for (int position = 0; position < lattice.positions(); position++) {
            int sw = switches[position];
            int ports = sw == Fabric.NONE ? 0 : fabric.numPorts(sw);
            for (int portNum = 1; portNum <= ports; portNum++) {
                int far = fabric.peer(fabric.port(sw, portNum));
                if (far != Fabric.NONE) {
                    countCable(counts, position, fabric.nodeOf(far));
                }
            }
        }
        return counts;
    }

    /** Counts a cable from a position to a node for each dimension in which the node is at the next position. */
    private void countCable(int[][] counts, int position, int farNode) {
        for (int d = 0; d < DIMENSIONS.size(); d++) {
            int next = lattice.next(position, d);
            if (next != Fabric.NONE && switches[next] == farNode) {
                counts[d][position]++;
            }
        }
    }

    public Lattice lattice() {
        return lattice;
    }

    /** Returns the switch index at a position; {@link Fabric#NONE} if the switch is missing. */
    public int switchAt(int position) {
        return switches[position];
    }

    /** Returns the links between all neighbouring positions. */
    public List<Link> links() {
        return links;
    }

    /** Returns all rings, and all lines of dimensions that do not wrap. */
    public List<Ring> rings() {
        return rings;
    }

    /** Returns a position in the form for operators, such as {@code (2,3,0)}. */
    public String place(int position) {
        return "(" + lattice.coordinate(position, 0) + "," + lattice.coordinate(position, 1) + ","
                + lattice.coordinate(position, 2) + ")";
    }

    /** Returns the number of positions without a switch. */
    public long missingSwitches() {
        long missing = 0;
        for (int position = 0; position < lattice.positions(); position++) {
            missing += switches[position] == Fabric.NONE ? 1 : 0;
        }
        return missing;
    }

    /** Returns the number of pairs of neighbours that are present, without a cable between them. */
    public long missingLinks() {
        return links.stream()
                .filter(link -> link.cables() == 0
                        && switches[link.from()] != Fabric.NONE
                        && switches[link.to()] != Fabric.NONE)
                .count();
    }
}
