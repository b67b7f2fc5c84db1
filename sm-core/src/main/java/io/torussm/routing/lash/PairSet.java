package io.torussm.routing.lash;

import java.util.Arrays;
import java.util.BitSet;

/**
 * The pairs of switches (ids) in a lane. Pairs that fit into no other lane can be set aside. A pair is the
 * number {@code from * size + to}.
 */
final class PairSet {
    private final int size;
    private final BitSet pairs;

    /** The switches at which a pair begins. */
    private final BitSet rows = new BitSet();

    /** By switch: the number of pairs that begin there. */
    private final int[] counts;

    private int[] aside = new int[16];

    private int asideCount;

    /** @param size number of switches */
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

    /** Removes a pair, in both directions. */
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

    /** Removes a pair, in both directions, until {@link #takeBack}. */
    void setAside(int from, int to) {
        remove(from, to);
        if (asideCount == aside.length) {
            aside = Arrays.copyOf(aside, 2 * asideCount);
        }
        aside[asideCount++] = from * size + to;
    }

    /** Adds again all pairs that were set aside. */
    void takeBack() {
        while (asideCount > 0) {
            int pair = aside[--asideCount];
            add(pair / size, pair % size);
        }
    }

    /**
     * Returns the next pair in the order of OpenSM's search. The first switch runs from {@code from} to the last id,
     * then from 0 on. For each first switch, the second switch runs from {@code to} to the last id, then from 0 on.
     *
     * @return pair; -1 if the set is empty
     */
    int next(int from, int to) {
        int row = rows.nextSetBit(from);
        int first = row < 0 ? rows.nextSetBit(0) : row;
        if (first < 0) {
            return -1;
        }
        int pair = pairs.nextSetBit(first * size + to);
        return pair >= 0 && pair < (first + 1) * size ? pair : pairs.nextSetBit(first * size);
    }
}
