package io.torussm.torus2qos;

import io.torussm.fabric.Fabric;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Places healthy switches that lie on no whole square any more and so escape the sweep: one of a flat torus that has
 * lost its cables in one dimension, one at the edge of a mesh with a broken cable, the partner of a failed switch where
 * the radix is 2. Left out, they and their hosts would vanish, and the fabric would be taken for one that lacks a switch
 * where in truth it has a broken line.
 *
 * <p>Nobody has to guess for a switch with free cables to two placed switches or more: a cable to a switch says that this
 * one belongs beside it, in a direction in which there is nobody yet. If all its cables have exactly one such position in
 * common, and no other switch wants it, it goes there. Nothing that was placed before is moved.
 */
final class Completion {
    private static final int NONE = Grid.NONE;

    private final Fabric fabric;
    private final Grid grid;
    private final int[] slotOf;

    Completion(Fabric fabric, Grid grid) {
        this.fabric = fabric;
        this.grid = grid;
        slotOf = new int[fabric.switchCount()];
    }

    /** Places what can be placed, until nothing more can; in the order of positions, whatever numbers switches have. */
    void run() {
        Arrays.fill(slotOf, NONE);
        for (int slot = 0; slot < grid.slots(); slot++) {
            slotOf[grid.switchOf(slot)] = slot;
        }
        int before;
        do {
            before = grid.slots();
            claims().forEach((position, claimants) -> {
                int sw = claimants.get(0);
                if (claimants.size() == 1 && onlyPosition(sw) == position) {
                    place(position, sw);
                }
            });
        } while (grid.slots() != before);
    }

    private Map<Integer, List<Integer>> claims() {
        Map<Integer, List<Integer>> claims = new TreeMap<>();
        for (int sw = 0; sw < slotOf.length && grid.slots() < grid.positions(); sw++) {
            int position = slotOf[sw] == NONE ? onlyPosition(sw) : NONE;
            if (position != NONE) {
                claims.computeIfAbsent(position, at -> new ArrayList<>()).add(sw);
            }
        }
        return claims;
    }

    /** The one empty position that all cables to placed switches allow, two of those at least; else {@link #NONE}. */
    private int onlyPosition(int sw) {
        Set<Integer> neighbours = new HashSet<>();
        Set<Integer> common = new HashSet<>();
        for (int port = fabric.port(sw, 1); port <= fabric.port(sw, fabric.numPorts(sw)); port++) {
            int far = grid.freeNeighbour(port);
            int slot = far == NONE ? NONE : slotOf[far];
            if (slot == NONE || !neighbours.add(slot)) {
                continue;
            }
            Set<Integer> beside = emptyBeside(grid.positionOf(slot));
            if (neighbours.size() == 1) {
                common.addAll(beside);
            } else {
                common.retainAll(beside);
            }
        }
        return neighbours.size() >= 2 && common.size() == 1 ? common.iterator().next() : NONE;
    }

    private Set<Integer> emptyBeside(int position) {
        Set<Integer> empty = new HashSet<>();
        for (int group = 0; group < Dim.LOCAL; group++) {
            int beside = grid.neighbour(position, group);
            if (beside != NONE && grid.slotAt(beside) == NONE) {
                empty.add(beside);
            }
        }
        return empty;
    }

    private void place(int position, int sw) {
        grid.place(position, sw);
        int slot = grid.slotAt(position);
        slotOf[sw] = slot;
        for (int group = 0; group < Dim.LOCAL; group++) {
            int beside = grid.neighbour(position, group);
            int other = beside == NONE ? NONE : grid.slotAt(beside);
            if (other != NONE) {
                boolean isPlus = group % 2 == 1;
                grid.connect(group / 2, isPlus ? slot : other, isPlus ? other : slot);
            }
        }
    }
}
