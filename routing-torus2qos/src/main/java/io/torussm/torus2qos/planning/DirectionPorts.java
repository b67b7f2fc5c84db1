package io.torussm.torus2qos.planning;

import io.torussm.torus2qos.conf.Dim;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * The directions of a torus by port numbers: the dimension on the lowest ports is x, and the lower port of a
 * dimension leads to plus.
 */
final class DirectionPorts {
    private static final int PORT_NUMBERS = 256;

    private final Embedding embedding;

    /** By {@code 2 d + (plus ? 1 : 0)}: the port number that more than half of the switches use, else the highest. */
    private final int[] usual = new int[2 * TorusShape.DIMENSIONS];

    DirectionPorts(Embedding embedding) {
        this.embedding = embedding;
        for (int group = 0; group < usual.length; group++) {
            usual[group] = usual(group / 2, group % 2 == 0 ? -1 : 1);
        }
    }

    private int usual(int d, int sign) {
        int[] count = new int[PORT_NUMBERS];
        int all = 0;
        for (int position = 0; position < embedding.shape().positions(); position++) {
            int next = embedding.shape().step(position, d, sign);
            int from = embedding.switchAt(position);
            int to = next < 0 ? -1 : embedding.switchAt(next);
            if (from >= 0 && to >= 0 && embedding.graph().areNeighbours(from, to)) {
                count[embedding.graph().ports(from, to)[0]]++;
                all++;
            }
        }
        int least = all / 2;
        return IntStream.range(0, PORT_NUMBERS)
                .filter(port -> count[port] > least)
                .findFirst()
                .orElse(PORT_NUMBERS);
    }

    /** Returns the usual port of a direction; more than any port number if there is none. */
    int usualPort(int d, int sign) {
        return usual[Dim.towards(d, sign)];
    }

    /** Checks by dimension whether the usual port of minus is lower than the usual port of plus. */
    boolean[] flipped() {
        boolean[] flipped = new boolean[TorusShape.DIMENSIONS];
        for (int d = 0; d < flipped.length; d++) {
            flipped[d] = usualPort(d, -1) < usualPort(d, 1);
        }
        return flipped;
    }

    /** Returns the dimensions in the order x, y, z; dimensions of size 1 come last. */
    int[] order() {
        Integer[] order = {0, 1, 2};
        Arrays.sort(
                order,
                Comparator.comparingInt((Integer d) -> embedding.shape().radix(d) > 1 ? 0 : 1)
                        .thenComparingInt(d -> Math.min(usualPort(d, -1), usualPort(d, 1))));
        return Arrays.stream(order).mapToInt(Integer::intValue).toArray();
    }

    /**
     * Returns the torus with the dimensions in an order, and with the lower usual port as plus.
     *
     * @param order by dimension: its previous index
     * @param origin the switch at coordinate 0
     */
    Embedding oriented(int[] order, int origin) {
        return embedding.oriented(order, flipped(), origin);
    }

    /**
     * Returns the torus with the dimensions in the order of their ports. Coordinate 0 is at the first switch
     * that has a place. If that order changes the sizes of x, y and z, the dimensions keep their order.
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
