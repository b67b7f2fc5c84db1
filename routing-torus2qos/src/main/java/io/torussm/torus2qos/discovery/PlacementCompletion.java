package io.torussm.torus2qos.discovery;

import io.torussm.fabric.Fabric;
import io.torussm.torus2qos.conf.Dim;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The placement of the switches that {@link TorusDiscovery} misses: it places switches by squares of four cables, and
 * these switches are on no complete square. Examples are a switch of a flat torus that lost its cables in one
 * dimension, a switch at the edge of a mesh with a broken cable, and the partner of a failed switch where the radix is
 * 2. Without this step these switches and their hosts would be unreachable.
 *
 * <p>A switch with free cables to two or more placed switches is placed by its neighbours. Each cable shows that the
 * switch is a neighbour of a placed switch, in a direction in which no switch is placed yet. If all cables allow
 * exactly one common position, and no other switch claims that position, the switch is placed there. Placed switches
 * are not moved.
 *
 * <p>A single line or ring has no squares, and beyond the seed only one cable leads to the next switch. There a switch
 * with one such cable is placed, if no switch with two can be placed.
 */
final class PlacementCompletion {
    private static final int NONE = Grid.NONE;

    private final Fabric fabric;
    private final Grid grid;
    private final int[] slotOf;

    PlacementCompletion(Fabric fabric, Grid grid) {
        this.fabric = fabric;
        this.grid = grid;
        slotOf = new int[fabric.switchCount()];
    }

    /**
     * Places switches until no more can be placed. The order is that of positions, so it does not depend on
     * switch numbers.
     */
    void run() {
        Arrays.fill(slotOf, NONE);
        for (int slot = 0; slot < grid.placedCount(); slot++) {
            slotOf[grid.switchOf(slot)] = slot;
        }
        int placed;
        do {
            placed = grid.placedCount();
            placeByNeighbours(2);
            if (grid.placedCount() == placed && grid.isLine()) {
                placeByNeighbours(1);
            }
        } while (grid.placedCount() != placed);
    }

    /**
     * Places switches that have cables to enough placed switches.
     *
     * @param min minimum number of placed neighbours
     */
    private void placeByNeighbours(int min) {
        claims(min).forEach((position, claimants) -> {
            int sw = claimants.get(0);
            if (claimants.size() == 1 && onlyPosition(sw, min) == position) {
                place(position, sw);
            }
        });
    }

    /** Returns the switches with exactly one possible position, by that position. */
    private Map<Integer, List<Integer>> claims(int min) {
        Map<Integer, List<Integer>> claims = new TreeMap<>();
        for (int sw = 0; sw < slotOf.length && grid.placedCount() < grid.positions(); sw++) {
            int position = slotOf[sw] == NONE ? onlyPosition(sw, min) : NONE;
            if (position != NONE) {
                claims.computeIfAbsent(position, at -> new ArrayList<>()).add(sw);
            }
        }
        return claims;
    }

    /**
     * Returns the only empty position that all cables of a switch to placed switches allow; {@link #NONE} if not
     * exactly one position is left, or the switch has fewer than {@code min} placed neighbours.
     */
    private int onlyPosition(int sw, int min) {
        Set<Integer> neighbours = new HashSet<>();
        Set<Integer> common = new HashSet<>();
        for (int port = fabric.port(sw, 1); port <= fabric.port(sw, fabric.numPorts(sw)); port++) {
            int far = grid.freeNeighbour(port);
            int slot = far == NONE ? NONE : slotOf[far];
            if (slot == NONE || !neighbours.add(slot)) {
                continue;
            }
            Set<Integer> beside = emptyNeighbours(grid.positionOf(slot));
            if (neighbours.size() == 1) {
                common.addAll(beside);
            } else {
                common.retainAll(beside);
            }
        }
        return neighbours.size() >= min && common.size() == 1
                ? common.iterator().next()
                : NONE;
    }

    /** Returns the empty positions next to a position. */
    private Set<Integer> emptyNeighbours(int position) {
        Set<Integer> empty = new HashSet<>();
        for (int group = 0; group < Dim.LOCAL; group++) {
            int beside = grid.neighbour(position, group);
            if (beside != NONE && grid.slotAt(beside) == NONE) {
                empty.add(beside);
            }
        }
        return empty;
    }

    /** Places a switch, and connects it with its placed neighbours. */
    private void place(int position, int sw) {
        grid.place(position, sw);
        int slot = grid.slotAt(position);
        slotOf[sw] = slot;
        for (int group = 0; group < Dim.LOCAL; group++) {
            int beside = grid.neighbour(position, group);
            int other = beside == NONE ? NONE : grid.slotAt(beside);
            if (other != NONE) {
                boolean isPlus = Dim.sign(group) > 0;
                grid.connect(Dim.dimension(group), isPlus ? slot : other, isPlus ? other : slot);
            }
        }
    }
}
