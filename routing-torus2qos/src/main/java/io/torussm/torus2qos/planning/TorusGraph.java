package io.torussm.torus2qos.planning;

import io.torussm.fabric.Fabric;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The graph of switches and their cables. Parallel cables count as one edge; cables from a switch to itself do
 * not count. Switches are indexes of the fabric.
 */
final class TorusGraph {
    private final Fabric fabric;
    private final int[][] neighbours;

    TorusGraph(Fabric fabric) {
        this.fabric = fabric;
        neighbours = new int[fabric.switchCount()][];
        for (int sw = 0; sw < neighbours.length; sw++) {
            int current = sw;
            neighbours[sw] = cables(sw)
                    .map(port -> fabric.nodeOf(fabric.peer(port)))
                    .filter(far -> far != current)
                    .sorted()
                    .distinct()
                    .toArray();
        }
    }

    Fabric fabric() {
        return fabric;
    }

    int switchCount() {
        return neighbours.length;
    }

    /** Returns the neighbours of a switch in ascending order; must not be written. */
    int[] neighbours(int sw) {
        return neighbours[sw];
    }

    boolean areNeighbours(int a, int b) {
        return Arrays.binarySearch(neighbours[a], b) >= 0;
    }

    /** Checks whether the cables from the middle to two of its neighbours are sides of a square. */
    boolean isSquare(int a, int middle, int b) {
        for (int far : neighbours[a]) {
            if (far != middle && areNeighbours(far, b)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the indexes of the ports of a switch that have a cable to any switch, in ascending order. */
    IntStream cables(int sw) {
        return IntStream.rangeClosed(fabric.port(sw, 0) + 1, fabric.port(sw, fabric.numPorts(sw)))
                .filter(port -> fabric.peer(port) != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(fabric.peer(port))));
    }

    /** Returns the numbers of the ports of a switch that have a cable to another switch, in ascending order. */
    int[] ports(int from, int to) {
        return cables(from)
                .filter(port -> fabric.nodeOf(fabric.peer(port)) == to)
                .map(fabric::portNum)
                .toArray();
    }
}
