package io.torussm.torus2qos.planning;

import io.torussm.torus2qos.conf.Dim;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * The choice of dimensions and directions of a recognised torus by port numbers. The dimension with the lowest
 * port numbers becomes x, and the direction with the lower port number becomes plus.
 */
final class DirectionPorts {
    private static final int PORT_NUMBERS = 256;

    private final Embedding embedding;

    /**
     * By {@code 2 d + (plus ? 1 : 0)}: the port number that more than half of the switches use, or {@link
     * #PORT_NUMBERS} without a majority.
     */
    private final int[] majorityPorts = new int[2 * TorusShape.DIMENSIONS];

    DirectionPorts(Embedding embedding) {
        this.embedding = embedding;
        for (int group = 0; group < majorityPorts.length; group++) {
            majorityPorts[group] = findMajorityPort(Dim.dimension(group), Dim.sign(group));
        }
    }

    private int findMajorityPort(int d, int sign) {
        int[] count = new int[PORT_NUMBERS];
        int total = 0;
        for (int position = 0; position < embedding.shape().positions(); position++) {
            int next = embedding.shape().step(position, d, sign);
            int from = embedding.switchAt(position);
            int to = next < 0 ? -1 : embedding.switchAt(next);
            if (from >= 0 && to >= 0 && embedding.graph().areNeighbours(from, to)) {
                count[embedding.graph().ports(from, to)[0]]++;
                total++;
            }
        }
        int half = total / 2;
        return IntStream.range(0, PORT_NUMBERS)
                .filter(port -> count[port] > half)
                .findFirst()
                .orElse(PORT_NUMBERS);
    }

    /**
     * Returns the port number that more than half of the switches use for a direction; {@link #PORT_NUMBERS} without
     * a majority.
     *
     * @param sign 1 for plus, -1 for minus
     */
    int majorityPort(int d, int sign) {
        return majorityPorts[Dim.groupTowards(d, sign)];
    }

    /**
     * Returns by dimension whether the usual port of minus is lower than that of plus, so that the directions must
     * be exchanged.
     */
    boolean[] flipped() {
        boolean[] flipped = new boolean[TorusShape.DIMENSIONS];
        for (int d = 0; d < flipped.length; d++) {
            flipped[d] = majorityPort(d, -1) < majorityPort(d, 1);
        }
        return flipped;
    }

    /** Returns the dimensions in the order x, y, z; dimensions of size 1 come last. */
    int[] order() {
        Integer[] order = {0, 1, 2};
        Arrays.sort(
                order,
                Comparator.comparingInt((Integer d) -> embedding.shape().radix(d) > 1 ? 0 : 1)
                        .thenComparingInt(d -> Math.min(majorityPort(d, -1), majorityPort(d, 1))));
        return Arrays.stream(order).mapToInt(Integer::intValue).toArray();
    }

    /**
     * Returns the torus with the dimensions in a given order, and with the direction of the lower usual port as
     * plus.
     *
     * @param order previous index of each dimension
     * @param origin switch that gets coordinate 0 in all dimensions that wrap
     */
    Embedding oriented(int[] order, int origin) {
        return embedding.oriented(order, flipped(), origin);
    }

    /**
     * Returns the torus with the dimensions in the order of their ports, unless this order would change the sizes of
     * x, y and z. Coordinate 0 is at the first switch that has a position.
     */
    Embedding oriented() {
        int origin = 0;
        while (embedding.positionOf(origin) < 0) {
            origin++;
        }
        Embedding inPortOrder = oriented(order(), origin);
        boolean hasSameSizes =
                inPortOrder.shape().confLine().equals(embedding.shape().confLine());
        return hasSameSizes ? inPortOrder : oriented(new int[] {0, 1, 2}, origin);
    }
}
