package io.torussm.torus2qos;

import io.torussm.fabric.Fabric;
import io.torussm.routing.MulticastTree;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A multicast tree over the positions of a torus, computed in the simplest way; switches as in {@link TestTorus}. */
final class NaiveMulticast {
    final DamagedTorus torus;
    final int root;
    /** Child to parent. */
    final Map<Integer, Integer> parent = new TreeMap<>();
    /** Child to the ports of the parent that lead to it, in the order in which groups are dealt out over them. */
    private final Map<Integer, List<Integer>> cables = new TreeMap<>();

    /** The cable that carries a group from a switch to another one. */
    record Hop(int from, int outPort, int to, int inPort) {}

    private NaiveMulticast(DamagedTorus torus, int root) {
        this.torus = torus;
        this.root = root;
    }

    /** Returns the tree that OpenSM grows; null if it finds no root, or does not reach all switches. */
    static @Nullable NaiveMulticast ofReference(DamagedTorus damaged) {
        int root = root(damaged);
        if (root < 0) {
            return null;
        }
        NaiveMulticast tree = new NaiveMulticast(damaged, root);
        int[] radix = damaged.torus.radix;
        int[] at = damaged.torus.at(root);
        tree.branch(root, 0);
        for (int i = 0; i < radix[0]; i++) {
            int spine = damaged.torus.index(i, at[1], at[2]);
            if (!damaged.isPresent(spine)) {
                continue;
            }
            tree.branch(spine, 1);
            for (int j = 0; j < radix[1]; j++) {
                int rib = damaged.torus.index(i, j, at[2]);
                if (damaged.isPresent(rib)) {
                    tree.branch(rib, 2);
                }
            }
        }
        return tree.parent.size() == damaged.switches().size() - 1 ? tree : null;
    }

    /** Returns a given tree. */
    static NaiveMulticast of(DamagedTorus damaged, MulticastTree tree, Fabric fabric) {
        Map<Integer, Integer> numbers = new TreeMap<>();
        for (int sw : damaged.switches()) {
            numbers.put(fabric.nodeByGuid(damaged.torus.guid(damaged.torus.at(sw))), sw);
        }
        NaiveMulticast copy = new NaiveMulticast(damaged, numbers.getOrDefault(tree.root(), -1));
        numbers.forEach((index, sw) -> {
            int above = tree.parent(index);
            if (above != Fabric.NONE) {
                int up = numbers.getOrDefault(above, -1);
                copy.parent.put(sw, up);
                List<Integer> ports = new ArrayList<>();
                for (int cable = 0; cable < tree.cableCount(index); cable++) {
                    ports.add(fabric.portNum(tree.portAtParent(index, cable)));
                }
                copy.cables.put(sw, ports);
            }
        });
        return copy;
    }

    private static int root(DamagedTorus damaged) {
        int depth = damaged.torus.radix[2];
        int middle = depth / 2;
        for (int away = 0; away <= middle; away++) {
            List<Integer> planes = away == 0 ? List.of(middle) : List.of(middle - away, (middle + away) % depth);
            for (int z : planes) {
                if (areAllPresent(damaged, plane(damaged, z))) {
                    return middleOf(damaged, z);
                }
            }
        }
        return middleOf(damaged, middle);
    }

    private static int middleOf(DamagedTorus damaged, int z) {
        int width = damaged.torus.radix[0];
        int height = damaged.torus.radix[1];
        List<Integer> tries = new ArrayList<>();
        tries.add(damaged.torus.index(width / 2, height / 2, z));
        for (int away = 1; away <= width / 2 && away <= height / 2; away++) {
            tries.add(damaged.torus.index(width / 2 - away, height / 2 - away, z));
            tries.add(damaged.torus.index((width / 2 + away) % width, (height / 2 + away) % height, z));
        }
        for (int sw : tries) {
            List<Integer> cross = new ArrayList<>();
            for (int other : plane(damaged, z)) {
                int[] a = damaged.torus.at(sw);
                int[] b = damaged.torus.at(other);
                if (a[0] == b[0] || a[1] == b[1]) {
                    cross.add(other);
                }
            }
            if (areAllPresent(damaged, cross)) {
                return sw;
            }
        }
        return -1;
    }

    private static List<Integer> plane(DamagedTorus damaged, int z) {
        List<Integer> plane = new ArrayList<>();
        for (int sw = 0; sw < damaged.torus.count(); sw++) {
            if (damaged.torus.at(sw)[2] == z) {
                plane.add(sw);
            }
        }
        return plane;
    }

    private static boolean areAllPresent(DamagedTorus damaged, List<Integer> switches) {
        return switches.stream().allMatch(damaged::isPresent);
    }

    private void branch(int from, int d) {
        int coordinate = torus.torus.at(from)[d];
        int radix = torus.torus.radix[d];
        int minus = from;
        int plus = from;
        for (int i = 0; i < coordinate && minus >= 0; i++) {
            minus = attach(minus, 2 * d);
        }
        for (int i = 0; i < radix - 1 - coordinate && plus >= 0; i++) {
            plus = attach(plus, 2 * d + 1);
        }
        if (minus >= 0 && plus >= 0) {
            return;
        }
        for (int round = 0; round < radix; round++) {
            minus = minus >= 0 ? attach(minus, 2 * d) : -1;
            plus = plus >= 0 ? attach(plus, 2 * d + 1) : -1;
        }
    }

    private int attach(int tip, int group) {
        int next = torus.neighbour(tip, group);
        if (next < 0 || parent.containsKey(next)) {
            return -1;
        }
        parent.put(next, tip);
        cables.put(next, torus.ports(tip, group));
        return next;
    }

    /** Checks whether every present switch is connected to the root, each by cables from its parent. */
    boolean spansEverything() {
        for (int sw : torus.switches()) {
            int at = sw;
            for (int steps = 0; at != root && steps <= torus.torus.count(); steps++) {
                int up = parent.getOrDefault(at, -1);
                if (up < 0 || !areCables(up, at)) {
                    return false;
                }
                at = up;
            }
            if (at != root) {
                return false;
            }
        }
        return true;
    }

    private boolean areCables(int up, int child) {
        List<Integer> ports = cables.getOrDefault(child, List.of());
        return !ports.isEmpty()
                && ports.stream()
                        .map(port -> torus.group(up, port))
                        .allMatch(group -> group < DamagedTorus.LOCAL && torus.adjacentPosition(up, group) == child);
    }

    /** Returns the hop by which a group reaches a child. */
    private Hop hopTo(int child, int mlid) {
        List<Integer> ports = cables.getOrDefault(child, List.of());
        return hopBy(child, ports.get(mlid % ports.size()));
    }

    private Hop hopBy(int child, int out) {
        int up = parent.getOrDefault(child, -1);
        return new Hop(up, out, child, torus.farPort(up, out));
    }

    /** Returns the hops of a group between switches, down and up, by switch. */
    Map<Integer, List<Hop>> hops(int mlid) {
        return inBothDirections(
                parent.keySet().stream().map(child -> hopTo(child, mlid)).toList());
    }

    /** Returns the hops by all cables of the tree, down and up, by switch. */
    Map<Integer, List<Hop>> hops() {
        List<Hop> downs = new ArrayList<>();
        cables.forEach((child, ports) -> ports.forEach(port -> downs.add(hopBy(child, port))));
        return inBothDirections(downs);
    }

    private static Map<Integer, List<Hop>> inBothDirections(List<Hop> downs) {
        Map<Integer, List<Hop>> hops = new TreeMap<>();
        for (Hop down : downs) {
            hops.computeIfAbsent(down.from, any -> new ArrayList<>()).add(down);
            hops.computeIfAbsent(down.to, any -> new ArrayList<>())
                    .add(new Hop(down.to, down.inPort, down.from, down.outPort));
        }
        return hops;
    }

    /**
     * The entries of a group.
     *
     * @param members by switch, the numbers of ports with a member
     * @return by switch, the numbers of ports that packets leave by
     */
    Map<Integer, Set<Integer>> entries(int mlid, Map<Integer, Set<Integer>> members) {
        Map<Integer, Set<Integer>> entries = new TreeMap<>();
        descend(root, mlid, members, entries);
        return entries;
    }

    private boolean descend(int sw, int mlid, Map<Integer, Set<Integer>> members, Map<Integer, Set<Integer>> entries) {
        Set<Integer> ports = new TreeSet<>();
        for (Map.Entry<Integer, Integer> edge : parent.entrySet()) {
            if (edge.getValue() == sw && descend(edge.getKey(), mlid, members, entries)) {
                Hop hop = hopTo(edge.getKey(), mlid);
                ports.add(hop.outPort);
                entries.computeIfAbsent(hop.to, any -> new TreeSet<>()).add(hop.inPort);
            }
        }
        ports.addAll(members.getOrDefault(sw, Set.of()));
        if (!ports.isEmpty()) {
            entries.computeIfAbsent(sw, any -> new TreeSet<>()).addAll(ports);
        }
        return !ports.isEmpty();
    }

    /** Returns each child and its parent as coordinates, with the ports at the parent; the root with itself. */
    Map<String, String> edges() {
        Map<String, String> edges = new LinkedHashMap<>();
        edges.put(torus.name(root), torus.name(root));
        parent.forEach((child, up) -> edges.put(torus.name(child), torus.name(up) + cables.get(child)));
        return edges;
    }
}
