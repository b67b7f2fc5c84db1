package io.torussm.routing;

import io.torussm.fabric.Fabric;

/** The grid of three dimensions that an engine has placed switches in. Immutable. */
public final class Lattice {
    private static final int DIMENSIONS = 3;

    private final int[] sizes;
    private final boolean[] wraps;
    private final int[] switchAt;

    /**
     * A lattice; the arrays are kept, not copied.
     *
     * @param sizes switches in x, y and z, at least 1 each
     * @param wraps by dimension, whether the last neighbours the first
     * @param switchAt by position {@code x + X * (y + Y * z)}: a switch index, {@link Fabric#NONE} where none stands
     */
    public Lattice(int[] sizes, boolean[] wraps, int[] switchAt) {
        if (sizes.length != DIMENSIONS
                || wraps.length != DIMENSIONS
                || switchAt.length != sizes[0] * sizes[1] * sizes[2]) {
            throw new IllegalArgumentException("three dimensions, and a switch or none for every position");
        }
        this.sizes = sizes;
        this.wraps = wraps;
        this.switchAt = switchAt;
    }

    /** Switches in a dimension, 0 to 2. */
    public int size(int d) {
        return sizes[d];
    }

    /** Whether the last of a dimension neighbours the first. */
    public boolean wraps(int d) {
        return wraps[d];
    }

    /** Places, occupied or not. */
    public int positions() {
        return switchAt.length;
    }

    /** The switch at a position, {@link Fabric#NONE} if it is missing. */
    public int switchAt(int position) {
        return switchAt[position];
    }

    /** One coordinate of a position. */
    public int coordinate(int position, int d) {
        return position / stride(d) % sizes[d];
    }

    /** The neighbour in direction +d; {@link Fabric#NONE} over an edge, and in a dimension of one switch. */
    public int next(int position, int d) {
        boolean isLast = coordinate(position, d) == sizes[d] - 1;
        if (sizes[d] == 1 || isLast && !wraps[d]) {
            return Fabric.NONE;
        }
        return isLast ? position - (sizes[d] - 1) * stride(d) : position + stride(d);
    }

    private int stride(int d) {
        return d == 0 ? 1 : d == 1 ? sizes[0] : sizes[0] * sizes[1];
    }
}
