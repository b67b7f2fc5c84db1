package io.torussm.deadlock;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ForkJoinTask;
import java.util.stream.IntStream;

/**
 * The groups of destinations in an order in which most switches forward neighbouring groups alike, and the forwarding
 * entries of all switches in that order. {@link InTrees} walks neighbouring trees together. The groups are sorted by
 * the entries of sample switches that are spread over the fabric. Immutable.
 */
final class SimilarTrees {
    /** Max number of sample switches. Their entries are the sort key of a group, eight octets to a word. */
    private static final int SAMPLES = 256;

    private final DestinationGroups groups;

    /** [position] group. */
    private final int[] order;

    /** [switch][position] egress port number. */
    private final byte[][] entries;

    private SimilarTrees(DestinationGroups groups, int[] order, byte[][] entries) {
        this.groups = groups;
        this.order = order;
        this.entries = entries;
    }

    /**
     * Sorts the groups.
     *
     * @param tasks number of parallel parts, at least 1
     */
    static SimilarTrees of(byte[][] lfts, DestinationGroups groups, int tasks) {
        int[] lids = IntStream.range(0, groups.count())
                .map(group -> groups.members(group)[0])
                .toArray();
        int[] order = order(lfts, lids);
        int[] ordered = IntStream.of(order).map(group -> lids[group]).toArray();
        byte[][] entries = new byte[lfts.length][];
        List<ForkJoinTask<?>> work = new ArrayList<>();
        for (int task = 0; task < tasks; task++) {
            int from = (int) ((long) lfts.length * task / tasks);
            int to = (int) ((long) lfts.length * (task + 1) / tasks);
            work.add(ForkJoinTask.adapt(() -> {
                for (int sw = from; sw < to; sw++) {
                    entries[sw] = row(lfts[sw], ordered);
                }
            }));
        }
        ForkJoinTask.invokeAll(work);
        return new SimilarTrees(groups, order, entries);
    }

    private static byte[] row(byte[] lft, int[] lids) {
        byte[] row = new byte[lids.length];
        for (int i = 0; i < row.length; i++) {
            row[i] = lft[lids[i]];
        }
        return row;
    }

    /** Returns the indexes of {@code lids}, sorted by the entries of the sample switches. */
    private static int[] order(byte[][] lfts, int[] lids) {
        int words = (Math.min(SAMPLES, lfts.length) + Long.BYTES - 1) / Long.BYTES;
        int samples = Math.min(SAMPLES, lfts.length);
        long[][] keys = new long[lids.length][words];
        for (int sample = 0; sample < samples; sample++) {
            byte[] lft = lfts[(int) ((long) sample * lfts.length / samples)];
            int shift = 56 - sample % Long.BYTES * Byte.SIZE;
            for (int i = 0; i < lids.length; i++) {
                keys[i][sample / Long.BYTES] |= (lft[lids[i]] & 0xffL) << shift;
            }
        }
        return IntStream.range(0, lids.length)
                .boxed()
                .sorted((a, b) -> Arrays.compare(keys[a], keys[b]))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    int count() {
        return order.length;
    }

    /** Returns the group at a position. */
    int group(int at) {
        return order[at];
    }

    /** Returns one LID of the group at a position. */
    int lid(int at) {
        return groups.members(order[at])[0];
    }

    /** Returns the destination switch of the group at a position. */
    int destination(int at) {
        return groups.destination(order[at]);
    }

    /** Returns the entries of a switch for all groups, by position. Callers must not write them. */
    byte[] entries(int sw) {
        return entries[sw];
    }
}
