package io.torussm.sweep.idle;

import io.torussm.event.DeviceText;
import io.torussm.event.EventField;
import io.torussm.fabric.Fabric;
import io.torussm.fabric.NodePort;
import io.torussm.routing.Lattice;
import io.torussm.routing.Plan;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Cables whose loss leaves no good routes, and the effect for the first of them. Immutable.
 *
 * @param effect the effect of the loss of one, as text; empty if there is none
 */
record CriticalCables(List<NodePort> cables, String effect) {
    static final CriticalCables NONE = new CriticalCables(List.of(), "");

    CriticalCables {
        cables = List.copyOf(cables);
    }

    boolean isEmpty() {
        return cables.isEmpty();
    }

    /** Returns these cables and a further one. */
    CriticalCables with(NodePort cable, String itsEffect) {
        List<NodePort> more = new ArrayList<>(cables);
        more.add(cable);
        return new CriticalCables(more, effect.isEmpty() ? itsEffect : effect);
    }

    /**
     * Returns the other cables of the ring or line of a cable.
     *
     * @param limit limit of their number
     * @return none if the plan's engine has no coordinates
     */
    static List<NodePort> sameRing(Plan plan, NodePort cable, int limit) {
        Lattice lattice = plan.explainer().lattice().orElse(null);
        Fabric fabric = plan.subnet().fabric();
        int port = fabric.port(cable);
        if (lattice == null || port == Fabric.NONE) {
            return List.of();
        }
        int[] positions = lattice.positionsIn(fabric);
        List<Integer> ring = ring(lattice, positions, fabric, port);
        List<NodePort> others = new ArrayList<>();
        for (int other = 0; other < fabric.portCount() && others.size() < limit && !ring.isEmpty(); other++) {
            boolean isCable = other != port && fabric.peer(other) > other && other != fabric.peer(port);
            if (isCable && ring.equals(ring(lattice, positions, fabric, other))) {
                others.add(fabric.nodePort(other));
            }
        }
        return others;
    }

    /**
     * Returns the dimension in which the ends of a cable differ, and their common coordinates; empty if they
     * are no neighbours.
     */
    private static List<Integer> ring(Lattice lattice, int[] positions, Fabric fabric, int port) {
        int from = position(positions, fabric.nodeOf(port));
        int to = position(positions, fabric.nodeOf(fabric.peer(port)));
        List<Integer> ring = new ArrayList<>();
        int differing = 0;
        for (int d = 0; d < 3 && from != Fabric.NONE && to != Fabric.NONE; d++) {
            boolean isShared = lattice.coordinate(from, d) == lattice.coordinate(to, d);
            ring.add(isShared ? lattice.coordinate(from, d) : Fabric.NONE);
            differing += isShared ? 0 : 1;
        }
        return differing == 1 ? ring : List.of();
    }

    private static int position(int[] positions, int node) {
        return node < positions.length ? positions[node] : Fabric.NONE;
    }

    /**
     * Returns a sentence with all of them; the first one is the device of the event.
     *
     * @param limit limit of the named cables
     */
    DeviceText text(Plan plan, int limit) {
        Fabric fabric = plan.subnet().fabric();
        List<NodePort> ports = cables.stream()
                .filter(cable -> fabric.port(cable) != Fabric.NONE && fabric.peer(fabric.port(cable)) != Fabric.NONE)
                .toList();
        String names = ports.stream()
                .limit(limit)
                .map(cable -> end(plan, fabric.port(cable)) + " to " + end(plan, fabric.peer(fabric.port(cable))))
                .collect(Collectors.joining("; "));
        String more = ports.size() > limit ? "; and " + (ports.size() - limit) + " more" : "";
        String text = ports.size() == 1
                ? "if the cable from " + names + " were lost, " + effect
                : "if any one of these " + ports.size() + " cables were lost, " + effect + ": " + names + more;
        return ports.isEmpty()
                ? DeviceText.of(text)
                : plan.subnet()
                        .devicePort(fabric.port(ports.get(0)))
                        .as(text)
                        .with(coordinates(plan, fabric.port(ports.get(0))));
    }

    private static EventField.Value[] coordinates(Plan plan, int port) {
        String at = plan.coordinates(plan.subnet().fabric().nodeOf(port));
        return at.isEmpty() ? new EventField.Value[0] : new EventField.Value[] {EventField.COORDINATES.of(at)};
    }

    /** Returns a port with the coordinates of its switch. */
    private static String end(Plan plan, int port) {
        Fabric fabric = plan.subnet().fabric();
        String at = plan.coordinates(fabric.nodeOf(port));
        return (at.isEmpty() ? "" : at + " ") + fabric.portName(port);
    }
}
