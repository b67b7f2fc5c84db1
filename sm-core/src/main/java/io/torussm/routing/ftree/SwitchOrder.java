package io.torussm.routing.ftree;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Set;

/**
 * The search for the order of switches from left to right, by OpenSM's algorithm. Each switch gets a tuple of
 * bytes: its rank, then a number for each further rank. The tuples of two neighbours differ in the rank and in
 * one number, at the index of the upper rank plus one; this number is the smallest for which the tuple is free.
 * A breadth-first search from one leaf assigns the tuples, and sorts the groups of cables by them.
 */
final class SwitchOrder {
    private static final int BYTES = 8;
    /** The tuple of a switch that the search has not reached. */
    private static final long NONE = -1;
    /** The largest number in a tuple; 255 is the byte of {@link #NONE}. */
    private static final int LAST = 254;

    private final FatTree tree;

    /** By switch: the tuple, with its first number in the highest byte; {@link #NONE} without one. */
    private final long[] tuples;

    private final Set<Long> used = new HashSet<>();
    private final int[] queue;

    private SwitchOrder(FatTree tree) {
        this.tree = tree;
        tuples = new long[tree.fabric.switchCount()];
        queue = new int[tuples.length];
        Arrays.fill(tuples, NONE);
    }

    /**
     * Sets {@link FatTree#position}, and sorts the groups of cables of all switches.
     *
     * @param isQuasi true if the search begins at all roots in turn, false if at one leaf
     */
    static void find(FatTree tree, boolean isQuasi) {
        SwitchOrder places = new SwitchOrder(tree);
        int starts = 0;
        for (int sw : tree.links.order()) {
            boolean begins = isQuasi ? tree.ranks.of(sw) == 0 : starts == 0 && tree.leaves.get(sw);
            if (begins) {
                starts += places.assignFirst(sw, starts) ? 1 : 0;
                places.search(sw);
            }
        }
        for (int sw = 0; isQuasi && sw < places.tuples.length; sw++) {
            if (tree.leaves.get(sw)) {
                places.sort(tree.up[sw]);
            }
        }
        tree.position = places.numbers();
    }

    /** Returns the rank of each tuple among all tuples, by switch. */
    private int[] numbers() {
        long[] sorted = Arrays.stream(tuples)
                .boxed()
                .sorted(Long::compareUnsigned)
                .distinct()
                .mapToLong(tuple -> tuple)
                .toArray();
        int[] place = new int[tuples.length];
        for (int sw = 0; sw < place.length; sw++) {
            int low = 0;
            for (int high = sorted.length - 1; low < high; ) {
                int middle = (low + high) >>> 1;
                if (Long.compareUnsigned(sorted[middle], tuples[sw]) < 0) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            place[sw] = low;
        }
        return place;
    }

    /**
     * Assigns a tuple to the first switch of a search; returns false if the switch already has one.
     *
     * @param before number of previous searches
     */
    private boolean assignFirst(int sw, int before) {
        if (tuples[sw] != NONE) {
            return false;
        }
        long tuple = withNumber(NONE, 0, tree.ranks.of(sw));
        for (int i = 1; i <= tree.leafRank; i++) {
            tuple = withNumber(tuple, i, 0);
        }
        if (tree.ranks.of(sw) == 0 && tree.leafRank > 1) {
            tuple = withNumber(tuple, tree.leafRank, before & 0xff);
        }
        return assignFree(sw, tuple, 1);
    }

    private void search(int first) {
        int tail = 0;
        queue[tail++] = first;
        for (int head = 0; head < tail; head++) {
            int sw = queue[head];
            int rank = tree.ranks.of(sw);
            if (rank < tree.leafRank) {
                tail = assignNeighbours(sw, tree.down[sw], 1, tail);
            }
            if (rank != 0 && (tree.ranks.of(first) != 0 || !tree.leaves.get(sw))) {
                tail = assignNeighbours(sw, tree.up[sw], -1, tail);
            }
        }
    }

    /**
     * Assigns tuples to the neighbours of a switch that have none, and appends these neighbours to the queue.
     *
     * @param step rank of the neighbours minus rank of the switch
     * @param end length of the queue
     * @return new length of the queue
     */
    private int assignNeighbours(int sw, PortGroup[] groups, int step, int end) {
        int tail = end;
        int rank = tree.ranks.of(sw);
        for (PortGroup group : groups) {
            boolean isNew = tuples[group.peer] == NONE
                    && assignFree(group.peer, withNumber(tuples[sw], 0, rank + step), step > 0 ? rank + 1 : rank);
            if (isNew) {
                queue[tail++] = group.peer;
            }
        }
        sort(groups);
        return tail;
    }

    /**
     * Assigns to a switch the first free tuple that differs from a given tuple in one number only; returns false if
     * no tuple is free.
     *
     * @param varied index of this number
     */
    private boolean assignFree(int sw, long tuple, int varied) {
        for (int number = 0; number <= LAST; number++) {
            long varying = withNumber(tuple, varied, number);
            if (used.add(varying)) {
                tuples[sw] = varying;
                return true;
            }
        }
        return false;
    }

    private void sort(PortGroup[] groups) {
        Arrays.sort(groups, Comparator.comparing(group -> tuples[group.peer], Long::compareUnsigned));
    }

    /** Returns a tuple with another number at an index. */
    private static long withNumber(long tuple, int index, int number) {
        int shift = (BYTES - 1 - index) * Byte.SIZE;
        return tuple & ~(0xffL << shift) | (long) number << shift;
    }
}
