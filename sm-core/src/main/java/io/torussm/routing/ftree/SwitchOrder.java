package io.torussm.routing.ftree;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Set;

/**
 * Finds the order of switches from left to right. Each gets a tuple: its rank, and then a number for each
 * rank below. Neighbours have equal tuples but for their rank and the number of the upper one's rank plus
 * one, which is the smallest that is free. A search from one leaf gives them; groups of cables are sorted by
 * them as it goes along.
 */
final class SwitchOrder {
    private static final int BYTES = 8;
    private static final long NONE = -1;
    private static final int LAST = 254;

    private final FatTree tree;

    /** By switch: the tuple, its first number in the highest byte. */
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
     * Assigns the switches of a tree their places, and sorts their groups of cables.
     *
     * @param isQuasi true if the search begins at all roots in turn, false if at one leaf
     */
    static void find(FatTree tree, boolean isQuasi) {
        SwitchOrder places = new SwitchOrder(tree);
        int starts = 0;
        for (int sw : tree.links.order()) {
            boolean begins = isQuasi ? tree.ranks.of(sw) == 0 : starts == 0 && tree.leaves.get(sw);
            if (begins) {
                starts += places.begin(sw, starts) ? 1 : 0;
                places.search(sw);
            }
        }
        for (int sw = 0; isQuasi && sw < places.tuples.length; sw++) {
            if (tree.leaves.get(sw)) {
                places.sort(tree.up[sw]);
            }
        }
        tree.place = places.numbers();
    }

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

    /** Gives the first switch of a search its tuple; false if it had one. */
    private boolean begin(int sw, int before) {
        if (tuples[sw] != NONE) {
            return false;
        }
        long tuple = with(NONE, 0, tree.ranks.of(sw));
        for (int i = 1; i <= tree.leafRank; i++) {
            tuple = with(tuple, i, 0);
        }
        if (tree.ranks.of(sw) == 0 && tree.leafRank > 1) {
            tuple = with(tuple, tree.leafRank, before & 0xff);
        }
        return take(sw, tuple, 1);
    }

    private void search(int first) {
        int tail = 0;
        queue[tail++] = first;
        for (int head = 0; head < tail; head++) {
            int sw = queue[head];
            int rank = tree.ranks.of(sw);
            if (rank < tree.leafRank) {
                tail = spread(sw, tree.down[sw], 1, tail);
            }
            if (rank != 0 && (tree.ranks.of(first) != 0 || !tree.leaves.get(sw))) {
                tail = spread(sw, tree.up[sw], -1, tail);
            }
        }
    }

    /** Gives tuples to the neighbours of a switch that have none, and appends them to the queue. */
    private int spread(int sw, PortGroup[] groups, int step, int end) {
        int tail = end;
        int rank = tree.ranks.of(sw);
        for (PortGroup group : groups) {
            boolean isNew = tuples[group.peer] == NONE
                    && take(group.peer, with(tuples[sw], 0, rank + step), step > 0 ? rank + 1 : rank);
            if (isNew) {
                queue[tail++] = group.peer;
            }
        }
        sort(groups);
        return tail;
    }

    /** Takes the tuple, or the first free one after it in one number; returns false if none is free. */
    private boolean take(int sw, long tuple, int varied) {
        for (int number = 0; number <= LAST; number++) {
            long varying = with(tuple, varied, number);
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

    private static long with(long tuple, int index, int number) {
        int shift = (BYTES - 1 - index) * Byte.SIZE;
        return tuple & ~(0xffL << shift) | (long) number << shift;
    }
}
