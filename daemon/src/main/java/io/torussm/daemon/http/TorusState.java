package io.torussm.daemon.http;

import io.torussm.fabric.Fabric;
import io.torussm.routing.Lattice;
import io.torussm.view.PublishedView;
import java.util.ArrayList;
import java.util.List;

/** How much of a torus is there: cables between neighbours, and rings that lack some. Immutable. */
final class TorusState {
    static final List<String> DIMENSIONS = List.of("x", "y", "z");

    /** How a ring, or the line of a mesh, does. */
    enum RingState {
        /** All of it is there. */
        INTACT,
        /** One gap: packets go the long way round; or a mesh has lost a switch at its edge. */
        DEGRADED,
        /** In pieces: packets leave it to get from one to the other, or do not arrive. */
        CUT
    }

    /**
     * Two neighbouring positions, the second next to the first in direction +d.
     *
     * @param cables between their switches; 0 if the link is down or a switch is missing
     */
    record Link(int from, int to, int d, int cables) {}

    /**
     * A ring or line in dimension d.
     *
     * @param position its first
     */
    record Ring(int d, int position, RingState state) {}

    private final Lattice lattice;
    private final List<Link> links = new ArrayList<>();
    private final List<Ring> rings = new ArrayList<>();
    private final int[][] cables;

    /** Looks at every port once, and at every position. */
    TorusState(Lattice lattice, PublishedView view) {
        this.lattice = lattice;
        this.cables = count(lattice, view.subnet().fabric());
        for (int d = 0; d < DIMENSIONS.size(); d++) {
            for (int position = 0; position < lattice.positions(); position++) {
                int next = lattice.next(position, d);
                if (next != Fabric.NONE) {
                    links.add(new Link(position, next, d, cables[d][position]));
                }
                if (lattice.size(d) > 1 && lattice.coordinate(position, d) == 0) {
                    rings.add(new Ring(d, position, judge(position, d)));
                }
            }
        }
    }

    /** By dimension and position: cables to the next. */
    private static int[][] count(Lattice lattice, Fabric fabric) {
        int[][] counts = new int[DIMENSIONS.size()][lattice.positions()];
        for (int position = 0; position < lattice.positions(); position++) {
            int sw = lattice.switchAt(position);
            for (int portNum = 1; sw != Fabric.NONE && portNum <= fabric.numPorts(sw); portNum++) {
                int far = fabric.peer(fabric.port(sw, portNum));
                for (int d = 0; far != Fabric.NONE && d < DIMENSIONS.size(); d++) {
                    int next = lattice.next(position, d);
                    if (next != Fabric.NONE && lattice.switchAt(next) == fabric.nodeOf(far)) {
                        counts[d][position]++;
                    }
                }
            }
        }
        return counts;
    }

    /** Links that are missing side by side because a switch between them is are one gap. */
    private RingState judge(int first, int d) {
        int missing = 0;
        int absent = 0;
        int position = first;
        for (int i = 0; i < lattice.size(d); i++) {
            int next = lattice.next(position, d);
            missing += next != Fabric.NONE && cables[d][position] == 0 ? 1 : 0;
            absent += lattice.switchAt(position) == Fabric.NONE ? 1 : 0;
            position = next;
        }
        int gaps = missing - absent;
        if (missing == 0) {
            return RingState.INTACT;
        }
        return absent < lattice.size(d) && gaps <= (lattice.wraps(d) ? 1 : 0) ? RingState.DEGRADED : RingState.CUT;
    }

    Lattice lattice() {
        return lattice;
    }

    /** All neighbours. */
    List<Link> links() {
        return links;
    }

    /** All rings, and all lines of dimensions that do not wrap. */
    List<Ring> rings() {
        return rings;
    }

    /** Positions without a switch. */
    long missingSwitches() {
        long missing = 0;
        for (int position = 0; position < lattice.positions(); position++) {
            missing += lattice.switchAt(position) == Fabric.NONE ? 1 : 0;
        }
        return missing;
    }

    /** Neighbours that are there both, without a cable between them. */
    long missingLinks() {
        return links.stream()
                .filter(link -> link.cables() == 0
                        && lattice.switchAt(link.from()) != Fabric.NONE
                        && lattice.switchAt(link.to()) != Fabric.NONE)
                .count();
    }
}
