package io.torussm.sweep.idle;

import io.torussm.event.DeviceText;
import io.torussm.event.EventField;
import io.torussm.fabric.Fabric;
import io.torussm.fabric.NodePort;
import io.torussm.routing.Lattice;
import io.torussm.routing.Plan;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Cables whose loss would leave no routes or worse ones, and the effects. Immutable.
 *
 * @param effects the effect of the loss as a clause, by cable; a cable is named by one of its ends, in the order in
 *     which the cables were found
 */
record CriticalCables(Map<NodePort, String> effects) {
    static final CriticalCables NONE = new CriticalCables(Map.of());

    CriticalCables {
        effects = Collections.unmodifiableMap(new LinkedHashMap<>(effects));
    }

    boolean isEmpty() {
        return effects.isEmpty();
    }

    Set<NodePort> cables() {
        return effects.keySet();
    }

    /** Returns a copy with a further cable. */
    CriticalCables with(NodePort cable, String effect) {
        Map<NodePort, String> more = new LinkedHashMap<>(effects);
        more.put(cable, effect);
        return new CriticalCables(more);
    }

    /** Returns the cables that are present in a fabric. */
    CriticalCables presentIn(Fabric fabric) {
        Map<NodePort, String> some = new LinkedHashMap<>(effects);
        some.keySet()
                .removeIf(cable -> fabric.port(cable) == Fabric.NONE || fabric.peer(fabric.port(cable)) == Fabric.NONE);
        return new CriticalCables(some);
    }

    /** Returns the cables whose effects fulfil a condition. */
    CriticalCables where(Predicate<String> condition) {
        Map<NodePort, String> some = new LinkedHashMap<>(effects);
        some.values().removeIf(condition.negate());
        return new CriticalCables(some);
    }

    /**
     * Returns the other cables of the ring or line of a cable, each by its end with the lower port index.
     *
     * @param limit max number of returned cables
     * @return cables; empty if the engine of the plan has no coordinates, or the cable is in no ring
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
     * Returns the identity of the ring of a cable: the coordinates (x, y, z) that its ends share, and NONE for the
     * dimension in which they differ. Empty if the ends do not differ in exactly one dimension.
     */
    private static List<Integer> ring(Lattice lattice, int[] positions, Fabric fabric, int port) {
        int position = position(positions, fabric.nodeOf(port));
        int peerPosition = position(positions, fabric.nodeOf(fabric.peer(port)));
        List<Integer> ring = new ArrayList<>();
        int differences = 0;
        for (int d = 0; d < 3 && position != Fabric.NONE && peerPosition != Fabric.NONE; d++) {
            boolean isShared = lattice.coordinate(position, d) == lattice.coordinate(peerPosition, d);
            ring.add(isShared ? lattice.coordinate(position, d) : Fabric.NONE);
            differences += isShared ? 0 : 1;
        }
        return differences == 1 ? ring : List.of();
    }

    private static int position(int[] positions, int node) {
        return node < positions.length ? positions[node] : Fabric.NONE;
    }

    /**
     * Returns a sentence on the cables for an event; the first cable is the device of the event. If the effects differ,
     * the sentence has that of the first cable. All cables must be present in the fabric of the plan.
     *
     * @param limit max number of named cables
     */
    DeviceText text(Plan plan, int limit) {
        Fabric fabric = plan.subnet().fabric();
        List<NodePort> ports = List.copyOf(cables());
        String names = ports.stream()
                .limit(limit)
                .map(cable -> end(plan, fabric.port(cable)) + " to " + end(plan, fabric.peer(fabric.port(cable))))
                .collect(Collectors.joining("; "));
        String more = ports.size() > limit ? "; and " + (ports.size() - limit) + " more" : "";
        String effect = effects.get(ports.get(0))
                + (ports.stream().map(effects::get).distinct().count() > 1 ? " (figures of the first)" : "");
        String text = ports.size() == 1
                ? "if the cable from " + names + " were lost, " + effect
                : "if any one of these " + ports.size() + " cables were lost, " + effect + ": " + names + more;
        return plan.subnet()
                .devicePort(fabric.port(ports.get(0)))
                .withText(text)
                .with(coordinates(plan, fabric.port(ports.get(0))));
    }

    private static EventField.Value[] coordinates(Plan plan, int port) {
        String at = plan.coordinates(plan.subnet().fabric().nodeOf(port));
        return at.isEmpty() ? new EventField.Value[0] : new EventField.Value[] {EventField.COORDINATES.of(at)};
    }

    /** Returns the name of a port, after the coordinates of its switch if the plan has coordinates. */
    private static String end(Plan plan, int port) {
        Fabric fabric = plan.subnet().fabric();
        String at = plan.coordinates(fabric.nodeOf(port));
        return (at.isEmpty() ? "" : at + " ") + fabric.portName(port);
    }
}
