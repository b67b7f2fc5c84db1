package io.torussm.routing.lash;

import java.util.Arrays;
import java.util.BitSet;

/** The pairs of switches in a lane. Pairs that fit into no other lane can be set aside. */
final class PairSet {
    private final int size;
    private final BitSet pairs;

    /** Switches that a pair begins at. */
    private final BitSet rows = new BitSet();

    /** By switch: pairs that begin there. */
    private final int[] counts;

    private int[] aside = new int[16];

    private int asideCount;

    /** @param size switches */
    PairSet(int size) {
        this.size = size;
        pairs = new BitSet(size * size);
        counts = new int[size];
    }

    /** Adds a pair, in both directions. */
    void add(int from, int to) {
        set(from * size + to);
        set(to * size + from);
    }

    private void set(int pair) {
        pairs.set(pair);
        counts[pair / size]++;
        rows.set(pair / size);
    }

    /** Takes a pair out, in both directions. */
    void remove(int from, int to) {
        clear(from * size + to);
        clear(to * size + from);
    }

    private void clear(int pair) {
        pairs.clear(pair);
        if (--counts[pair / size] == 0) {
            rows.clear(pair / size);
        }
    }

    /** Takes a pair out until {@link #takeBack}. */
    void setAside(int from, int to) {
        remove(from, to);
        if (asideCount == aside.length) {
            aside = Arrays.copyOf(aside, 2 * asideCount);
        }
        aside[asideCount++] = from * size + to;
    }

    /** Adds all again that were set aside. */
    void takeBack() {
        while (asideCount > 0) {
            int pair = aside[--asideCount];
            add(pair / size, pair % size);
        }
    }

    /**
     * Returns the first pair from one on, as OpenSM searches: switches to the end and from the first one again,
     * and for each of them the other ones from {@code to} on in the same way.
     *
     * @return {@code from * size + to}; -1 if there is none
     */
    int next(int from, int to) {
        int row = rows.nextSetBit(from);
        int found = row < 0 ? rows.nextSetBit(0) : row;
        if (found < 0) {
            return -1;
        }
        int after = pairs.nextSetBit(found * size + to);
        return after >= 0 && after < (found + 1) * size ? after : pairs.nextSetBit(found * size);
    }
}
