package io.torussm.routing;

import io.torussm.fabric.Fabric;
import java.util.Arrays;

/**
 * The three-dimensional grid in which an engine has placed switches. Switches are identified by NodeGUID, since
 * a lattice outlives the fabric in which it was found. For indexes, a caller passes a fabric. A position is
 * {@code x + X * (y + Y * z)}. Immutable.
 */
public final class Lattice {
    private static final int DIMENSIONS = 3;

    private final int[] sizes;
    private final boolean[] wraps;
    private final long[] guidAt;

    /**
     * Creates a lattice; the arrays are kept, not copied.
     *
     * @param sizes number of switches in x, y and z, at least 1 each
     * @param wraps true by dimension if the last switch is a neighbour of the first
     * @param guidAt NodeGUID of the switch by position, 0 if the position is empty
     */
    public Lattice(int[] sizes, boolean[] wraps, long[] guidAt) {
        if (sizes.length != DIMENSIONS
                || wraps.length != DIMENSIONS
                || guidAt.length != sizes[0] * sizes[1] * sizes[2]) {
            throw new IllegalArgumentException("three dimensions, and a switch or none for every position");
        }
        this.sizes = sizes;
        this.wraps = wraps;
        this.guidAt = guidAt;
    }

    /**
     * Returns the number of switches in a dimension.
     *
     * @param d dimension, 0 to 2
     */
    public int size(int d) {
        return sizes[d];
    }

    /** Checks whether the last switch of a dimension is a neighbour of the first. */
    public boolean wraps(int d) {
        return wraps[d];
    }

    /** Returns the number of positions, with a switch or without. */
    public int positions() {
        return guidAt.length;
    }

    /** Returns the NodeGUID of the switch at a position, 0 if it is missing. */
    public long guidAt(int position) {
        return guidAt[position];
    }

    /**
     * Returns the switch index in a fabric by position; {@link Fabric#NONE} if the position is empty or the fabric
     * lacks the switch.
     */
    public int[] switchesIn(Fabric fabric) {
        return Arrays.stream(guidAt).mapToInt(guid -> switchIn(fabric, guid)).toArray();
    }

    private static int switchIn(Fabric fabric, long guid) {
        int node = guid == 0 ? Fabric.NONE : fabric.nodeByGuid(guid);
        return node != Fabric.NONE && fabric.isSwitch(node) ? node : Fabric.NONE;
    }

    /** Returns the position by switch index of a fabric; {@link Fabric#NONE} for a switch without a position. */
    public int[] positionsIn(Fabric fabric) {
        int[] positions = new int[fabric.switchCount()];
        Arrays.fill(positions, Fabric.NONE);
        int[] switches = switchesIn(fabric);
        for (int position = 0; position < switches.length; position++) {
            if (switches[position] != Fabric.NONE) {
                positions[switches[position]] = position;
            }
        }
        return positions;
    }

    /** Returns one coordinate of a position. */
    public int coordinate(int position, int d) {
        return position / stride(d) % sizes[d];
    }

    /**
     * Returns the next position in direction +d; {@link Fabric#NONE} over an edge, and in a dimension of one switch.
     */
    public int next(int position, int d) {
        boolean isLast = coordinate(position, d) == sizes[d] - 1;
        if (sizes[d] == 1 || (isLast && !wraps[d])) {
            return Fabric.NONE;
        }
        return isLast ? position - (sizes[d] - 1) * stride(d) : position + stride(d);
    }

    private int stride(int d) {
        return d == 0 ? 1 : d == 1 ? sizes[0] : sizes[0] * sizes[1];
    }
}
