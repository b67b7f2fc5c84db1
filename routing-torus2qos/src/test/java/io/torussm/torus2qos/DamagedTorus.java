package io.torussm.torus2qos;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A torus after failures. It takes all positions from {@link TestTorus}, which cabled it, without a search.
 * Switches have the numbers of {@link TestTorus}; group {@code 2 * d} is the - side, {@code 2 * d + 1} the +
 * side.
 */
final class DamagedTorus {
    static final int LOCAL = 6;

    final TestTorus torus;
    private final Set<Integer> lostSwitches = new TreeSet<>();
    private final Set<Cable> lostCables = new LinkedHashSet<>();

    /** A cable that leaves a switch on the + side, one of {@link TestTorus#links}. */
    record Cable(int from, int d, int number) {}

    DamagedTorus(TestTorus torus) {
        this.torus = torus;
    }

    /** Returns this torus as if some switches had failed as well. The switches stay in the fabric. */
    DamagedTorus without(Collection<Integer> switches) {
        DamagedTorus view = new DamagedTorus(torus);
        view.lostSwitches.addAll(lostSwitches);
        view.lostSwitches.addAll(switches);
        view.lostCables.addAll(lostCables);
        return view;
    }

    /** Fails a switch, and takes it off the fabric. */
    DamagedTorus failSwitch(int... at) {
        if (lostSwitches.add(torus.index(at))) {
            torus.fabric.remove(torus.guid(at));
        }
        return this;
    }

    /** Fails a cable, and takes it off the fabric. */
    void failCable(Cable cable) {
        if (isWired(cable.from, cable.d) && lostCables.add(cable)) {
            torus.fabric.unplug(torus.guid(torus.at(cable.from)), torus.plusPort(cable.from, cable.d, cable.number));
        }
    }

    /** Fails all cables from a switch to its neighbour on the + side of a dimension. */
    DamagedTorus failLink(int d, int... at) {
        for (int number = 0; number < torus.links; number++) {
            failCable(new Cable(torus.index(at), d, number));
        }
        return this;
    }

    boolean isPresent(int sw) {
        return !lostSwitches.contains(sw);
    }

    boolean isWhole() {
        return lostSwitches.isEmpty() && lostCables.isEmpty();
    }

    List<Integer> switches() {
        List<Integer> there = new ArrayList<>();
        for (int sw = 0; sw < torus.count(); sw++) {
            if (isPresent(sw)) {
                there.add(sw);
            }
        }
        return there;
    }

    /** Returns the largest set of switches that cables still connect. */
    Set<Integer> largestPart() {
        Set<Integer> largest = Set.of();
        Set<Integer> seen = new TreeSet<>();
        for (int start : switches()) {
            Set<Integer> part = new LinkedHashSet<>();
            Deque<Integer> queue = new ArrayDeque<>(seen.add(start) ? List.of(start) : List.of());
            while (!queue.isEmpty()) {
                int sw = queue.remove();
                part.add(sw);
                for (int group = 0; group < LOCAL; group++) {
                    int next = neighbour(sw, group);
                    if (next >= 0 && seen.add(next)) {
                        queue.add(next);
                    }
                }
            }
            largest = part.size() > largest.size() ? part : largest;
        }
        return largest;
    }

    /** Returns the position next to a switch, modulo the radix, empty or not. */
    int adjacentPosition(int sw, int group) {
        int[] at = torus.at(sw);
        int d = group / 2;
        at[d] = Math.floorMod(at[d] + (group % 2 == 0 ? -1 : 1), torus.radix[d]);
        return torus.index(at);
    }

    /** Returns the neighbour to which at least one cable leads; -1 if there is none. */
    int neighbour(int sw, int group) {
        return cables(sw, group).isEmpty() ? -1 : adjacentPosition(sw, group);
    }

    /** Returns the ports with working cables on a side of a switch, in the order in which cables are used. */
    List<Integer> ports(int sw, int group) {
        return cables(sw, group).stream()
                .map(cable -> group % 2 == 1
                        ? torus.plusPort(sw, cable.d, cable.number)
                        : torus.minusPort(sw, cable.d, cable.number))
                .toList();
    }

    /** Returns the side of a switch to which the working cable of a port leads; {@link #LOCAL} for all other ports. */
    int group(int sw, int portNum) {
        for (int group = 0; group < LOCAL; group++) {
            if (ports(sw, group).contains(portNum)) {
                return group;
            }
        }
        return LOCAL;
    }

    /** Returns the port at the other end of a working cable to a neighbour. */
    int farPort(int sw, int portNum) {
        int group = group(sw, portNum);
        for (Cable cable : cables(sw, group)) {
            int plus = torus.plusPort(cable.from, cable.d, cable.number);
            int minus = torus.minusPort(adjacentPosition(cable.from, 2 * cable.d + 1), cable.d, cable.number);
            if (portNum == (group % 2 == 1 ? plus : minus)) {
                return group % 2 == 1 ? minus : plus;
            }
        }
        throw new IllegalArgumentException("port " + portNum + " of " + name(sw) + " leads nowhere");
    }

    /**
     * Returns the cables on a side, in the order of the port numbers at the - end of a link, which is the + side of its
     * switch.
     */
    private List<Cable> cables(int sw, int group) {
        int d = group / 2;
        int from = group % 2 == 1 ? sw : adjacentPosition(sw, group);
        List<Cable> cables = new ArrayList<>();
        if (isWired(from, d) && isPresent(sw) && isPresent(adjacentPosition(sw, group))) {
            for (int number = 0; number < torus.links; number++) {
                Cable cable = new Cable(from, d, number);
                if (!lostCables.contains(cable)) {
                    cables.add(cable);
                }
            }
        }
        cables.sort(Comparator.comparing(cable -> torus.plusPort(cable.from, cable.d, cable.number)));
        return cables;
    }

    /** Checks whether a link leads to the + side in a complete fabric. */
    private boolean isWired(int from, int d) {
        boolean isLast = torus.at(from)[d] == torus.radix[d] - 1;
        return torus.radix[d] > 1 && !(isLast && (torus.mesh[d] || torus.radix[d] == 2));
    }

    String name(int sw) {
        int[] at = torus.at(sw);
        return "(" + at[0] + "," + at[1] + "," + at[2] + ")";
    }

    @Override
    public String toString() {
        return torus.sizes().strip() + ", " + torus.links + " cables a link, " + torus.hosts
                + " hosts a switch; failed: "
                + lostSwitches.stream().map(this::name).collect(Collectors.joining(" ")) + "; cables: "
                + lostCables.stream()
                        .map(cable -> name(cable.from) + "+" + "xyz".charAt(cable.d) + "#" + cable.number)
                        .collect(Collectors.joining(" "));
    }
}
