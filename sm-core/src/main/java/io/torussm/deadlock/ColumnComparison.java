package io.torussm.deadlock;

import io.torussm.fabric.Fabric;
import io.torussm.routing.Plan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ForkJoinTask;
import java.util.function.IntPredicate;

/**
 * The search for {@link DestinationGroups}: the comparison of the columns of forwarding tables. A row is the table of
 * one switch, a column the entries of all switches for one LID.
 *
 * <p>The comparison is exact. It reads the tables row by row, in the order of memory, and refines a partition of the
 * LIDs. LIDs of one switch start in one part and are separated at the first row in which they differ. Tasks refine
 * ranges of rows independently; LIDs are in one group if no range separates them. If a plan chooses SLs by LID, the
 * sets of SLs from each switch are two more rows (low and high octet), which are computed for the comparison and not
 * stored.
 */
final class ColumnComparison {
    private final Plan plan;
    private final int switchCount;

    /** All LIDs of end ports at switches, sorted by switch, then by LID. "Index" below is an index of this array. */
    private final int[] lids;

    /** [index] switch of the LID. */
    private final int[] switchOf;

    /** [plan * switches + switch][LID] egress port number. */
    private final byte[][] lfts;

    /** Number of rows: the forwarding tables, then two rows of SLs for each switch if a plan chooses SLs by LID. */
    private final int rowCount;

    private final IntPredicate isAlone;

    /** Creates a comparison with the parameters of {@link DestinationGroups#of}. */
    ColumnComparison(Channels channels, byte[][] lfts, IntPredicate isAlone) {
        this.lfts = lfts;
        this.isAlone = isAlone;
        plan = channels.plan;
        switchCount = channels.switchCount;
        rowCount = lfts.length + (plan.isSlMaskBySwitch() ? 0 : 2 * switchCount);
        lids = lidsBySwitch(channels);
        switchOf = new int[lids.length];
        Arrays.setAll(switchOf, i -> channels.subnet.switchOfLid(lids[i]));
    }

    /** Returns all LIDs of end ports at switches, sorted by switch, then by LID: a counting sort. */
    private static int[] lidsBySwitch(Channels channels) {
        // [switch] first the number of LIDs of the switch before, then the position of the next LID of this switch
        int[] next = new int[channels.switchCount + 1];
        for (int lid = 1; lid <= channels.subnet.topLid(); lid++) {
            int sw = channels.subnet.switchOfLid(lid);
            if (sw != Fabric.NONE) {
                next[sw + 1]++;
            }
        }
        for (int sw = 0; sw < channels.switchCount; sw++) {
            next[sw + 1] += next[sw];
        }
        int[] sorted = new int[next[channels.switchCount]];
        for (int lid = 1; lid <= channels.subnet.topLid(); lid++) {
            int sw = channels.subnet.switchOfLid(lid);
            if (sw != Fabric.NONE) {
                sorted[next[sw]++] = lid;
            }
        }
        return sorted;
    }

    /**
     * Returns [group, ascending by first LID] its LIDs, ascending.
     *
     * @param tasks number of parallel parts, at least 1
     */
    int[][] groups(int tasks) {
        int ranges = Math.max(1, Math.min(tasks, rowCount));
        int[][] leaders = new int[ranges][];
        List<ForkJoinTask<?>> work = new ArrayList<>();
        for (int range = 0; range < ranges; range++) {
            int rangeIndex = range;
            int from = (int) ((long) rowCount * range / ranges);
            int to = (int) ((long) rowCount * (range + 1) / ranges);
            work.add(ForkJoinTask.adapt(() -> leaders[rangeIndex] = new Refinement().refineByRows(from, to)));
        }
        ForkJoinTask.invokeAll(work);
        int[] common = leaders[0];
        for (int range = 1; range < ranges; range++) {
            common = meet(common, leaders[range]);
        }
        return collect(common);
    }

    /** Returns the coarsest partition that is finer than both. An entry is the lowest index of its part. */
    private static int[] meet(int[] a, int[] b) {
        Map<Long, Integer> lowestIndexes = new HashMap<>();
        int[] both = new int[a.length];
        for (int i = 0; i < a.length; i++) {
            Integer leader = lowestIndexes.putIfAbsent((long) a[i] << 32 | b[i], i);
            both[i] = leader == null ? i : leader;
        }
        return both;
    }

    /** Returns [group] LIDs, from [index] lowest index of the same part. */
    private int[][] collect(int[] leader) {
        Map<Integer, List<Integer>> byFirstLid = new TreeMap<>();
        for (int i = 0; i < lids.length; i++) {
            byFirstLid
                    .computeIfAbsent(lids[leader[i]], lid -> new ArrayList<>())
                    .add(lids[i]);
        }
        return byFirstLid.values().stream()
                .map(list -> list.stream().mapToInt(Integer::intValue).toArray())
                .toArray(int[][]::new);
    }

    /**
     * The partition by one range of rows. {@code leader[i]} is the lowest index whose LID has the same entries as the
     * LID of index {@code i} in all rows so far. Only followers (indexes with another leader) need a comparison.
     */
    private final class Refinement {
        private final int[] leader = new int[lids.length];

        // ascending indexes i with leader[i] != i; lids[i] and lids[leader[i]] are copied for the inner loop
        private int[] follower = new int[0];
        private int[] followerLid = new int[0];
        private int[] leaderLid = new int[0];

        Refinement() {
            int previous = -1;
            for (int i = 0; i < leader.length; i++) {
                leader[i] = i;
                if (!isAlone.test(lids[i])) {
                    leader[i] = previous >= 0 && switchOf[i] == switchOf[previous] ? leader[previous] : i;
                    previous = i;
                }
            }
            gather();
        }

        /** Refines the partition by some rows, and returns the leaders. */
        int[] refineByRows(int from, int to) {
            for (int row = from; row < Math.min(to, lfts.length); row++) {
                // the row of the LIDs' own switch distinguishes the end ports, not the paths to them
                int ownSwitch = row % switchCount;
                refine(lfts[row], firstFollowerOf(ownSwitch), firstFollowerOf(ownSwitch + 1));
            }
            for (int row = Math.max(from, lfts.length); row < to; row++) {
                refine(slRow(row - lfts.length), follower.length, follower.length);
            }
            return leader;
        }

        /**
         * Separates followers that differ from their leader in a row. Followers at positions {@code ownFrom} to
         * {@code ownTo - 1} are not compared.
         *
         * @param row [LID] entry
         */
        private void refine(byte[] row, int ownFrom, int ownTo) {
            int firstDifferent = firstDifference(row, 0, ownFrom);
            if (firstDifferent == ownFrom) {
                firstDifferent = firstDifference(row, ownTo, follower.length);
            }
            if (firstDifferent < follower.length) {
                split(row, firstDifferent, ownFrom, ownTo);
            }
        }

        /**
         * Returns [LID] one octet of the set of SLs from a switch, filled for followers and their leaders only.
         *
         * @param octetRow 2 * switch for SLs 0 to 7, 2 * switch + 1 for SLs 8 to 15
         */
        private byte[] slRow(int octetRow) {
            byte[] row = new byte[plan.subnet().topLid() + 1];
            for (int i = 0; i < follower.length; i++) {
                row[followerLid[i]] = slOctet(octetRow, followerLid[i]);
                row[leaderLid[i]] = slOctet(octetRow, leaderLid[i]);
            }
            return row;
        }

        private byte slOctet(int octetRow, int lid) {
            return (byte) (plan.slMask(octetRow / 2, lid) >> 8 * (octetRow % 2));
        }

        /** Returns the first position of a follower that differs from its leader; {@code to} if none differs. */
        private int firstDifference(byte[] row, int from, int to) {
            for (int i = from; i < to; i++) {
                if (row[followerLid[i]] != row[leaderLid[i]]) {
                    return i;
                }
            }
            return to;
        }

        /** Returns the position of the first follower whose switch is {@code sw} or a higher one. */
        private int firstFollowerOf(int sw) {
            int low = 0;
            int high = follower.length;
            while (low < high) {
                int middle = (low + high) >>> 1;
                if (switchOf[follower[middle]] < sw) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            return low;
        }

        /**
         * Gives new leaders to followers that differ from their leader in a row. Followers at positions {@code ownFrom}
         * to {@code ownTo - 1} are not compared.
         *
         * @param from position of the first follower that differs
         */
        private void split(byte[] row, int from, int ownFrom, int ownTo) {
            Map<Long, Integer> newLeaders = new HashMap<>();
            for (int i = from; i < follower.length; i++) {
                boolean isCompared = i < ownFrom || i >= ownTo;
                if (isCompared && row[followerLid[i]] != row[leaderLid[i]]) {
                    int index = follower[i];
                    long key = (long) leader[index] << 8 | (row[followerLid[i]] & 0xff);
                    Integer newLeader = newLeaders.putIfAbsent(key, index);
                    leader[index] = newLeader == null ? index : newLeader;
                }
            }
            gather();
        }

        /** Collects the followers after a change of leaders. */
        private void gather() {
            int count = 0;
            int[] indexes = new int[leader.length];
            for (int i = 0; i < leader.length; i++) {
                if (leader[i] != i) {
                    indexes[count++] = i;
                }
            }
            follower = Arrays.copyOf(indexes, count);
            followerLid = new int[count];
            leaderLid = new int[count];
            for (int i = 0; i < count; i++) {
                followerLid[i] = lids[follower[i]];
                leaderLid[i] = lids[leader[follower[i]]];
            }
        }
    }
}
