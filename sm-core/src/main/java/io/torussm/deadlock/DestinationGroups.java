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
 * Groups of destination LIDs with one walk each. The LIDs of a group are attached to one switch, all other switches
 * forward them alike, and their packets have the same SLs from each switch. Immutable.
 *
 * <p>A row is the forwarding table of one switch, a column the entries of all switches for one LID. The comparison of
 * columns is exact. It reads the tables row by row, in the order of memory, and refines a partition. LIDs of one switch
 * start in one part and are separated at the first row in which they differ. Tasks refine ranges of rows independently;
 * LIDs are in one group if no range separates them. If a plan chooses SLs by LID, the sets of SLs from each switch are
 * two more rows (low and high octet), which are computed for the comparison and not stored.
 */
public final class DestinationGroups {
    /** All LIDs of end ports at switches, sorted by switch, then by LID. "Index" below is an index of this array. */
    private final int[] lids;

    /** [index] switch of the LID. */
    private final int[] switchOf;

    /** [switch, or plan * switches + switch][LID] egress port number. */
    private final byte[][] lfts;

    /** Number of rows: the forwarding tables, then two rows of SLs for each switch if the SLs depend on the LID. */
    private final int rowCount;

    private final Plan plan;
    private final int switchCount;
    private final IntPredicate isAlone;

    /** By group, ascending in its first LID: its LIDs, ascending. */
    private final int[][] members;

    /** [group] switch of its LIDs. */
    private final int[] destination;

    public DestinationGroups(Channels channels, byte[][] lfts, int tasks) {
        this(channels, lfts, tasks, lid -> false);
    }

    /**
     * Creates the groups of LIDs that the tables of several plans forward alike.
     *
     * @param lfts [plan * switches + switch][LID] egress port number; the SLs are those of the plan of {@code channels}
     * @param tasks number of parallel parts, at least 1
     * @param isAlone predicate of LIDs that each form a group alone
     */
    public DestinationGroups(Channels channels, byte[][] lfts, int tasks, IntPredicate isAlone) {
        this.lfts = lfts;
        this.plan = channels.plan;
        this.switchCount = channels.switchCount;
        this.rowCount = lfts.length + (plan.isSlMaskBySwitch() ? 0 : 2 * switchCount);
        this.isAlone = isAlone;
        var subnet = channels.subnet;
        int[] counts = new int[channels.switchCount + 1];
        for (int lid = 1; lid <= subnet.topLid(); lid++) {
            int sw = subnet.switchOfLid(lid);
            if (sw != Fabric.NONE) {
                counts[sw + 1]++;
            }
        }
        Arrays.parallelPrefix(counts, Integer::sum);
        lids = new int[counts[channels.switchCount]];
        switchOf = new int[lids.length];
        for (int lid = 1; lid <= subnet.topLid(); lid++) {
            int sw = subnet.switchOfLid(lid);
            if (sw != Fabric.NONE) {
                switchOf[counts[sw]] = sw;
                lids[counts[sw]++] = lid;
            }
        }
        members = collect(refineAll(Math.max(1, Math.min(tasks, rowCount))));
        destination = new int[members.length];
        for (int group = 0; group < members.length; group++) {
            destination[group] = subnet.switchOfLid(members[group][0]);
        }
    }

    /**
     * Creates groups without a comparison of tables.
     *
     * @param members [group] LIDs of one switch, ascending; groups ascend in their first LID
     */
    public DestinationGroups(Channels channels, byte[][] lfts, int[][] members) {
        this.lfts = lfts;
        this.plan = channels.plan;
        this.switchCount = channels.switchCount;
        this.rowCount = 0;
        this.isAlone = lid -> false;
        this.members = members;
        lids = Arrays.stream(members).flatMapToInt(Arrays::stream).toArray();
        switchOf = new int[0];
        destination = new int[members.length];
        for (int group = 0; group < members.length; group++) {
            destination[group] = channels.subnet.switchOfLid(members[group][0]);
        }
    }

    public int count() {
        return members.length;
    }

    public int lidCount() {
        return lids.length;
    }

    public int[] members(int group) {
        return members[group];
    }

    /** Returns the switch of a group: its LIDs belong to port 0 or to end ports that are attached there. */
    public int destination(int group) {
        return destination[group];
    }

    private int[] refineAll(int ranges) {
        int[][] leaders = new int[ranges][];
        List<ForkJoinTask<?>> work = new ArrayList<>();
        for (int range = 0; range < ranges; range++) {
            int rangeIndex = range;
            int from = (int) ((long) rowCount * range / ranges);
            int to = (int) ((long) rowCount * (range + 1) / ranges);
            work.add(ForkJoinTask.adapt(() -> leaders[rangeIndex] = new Refinement().rows(from, to)));
        }
        ForkJoinTask.invokeAll(work);
        int[] common = leaders[0];
        for (int range = 1; range < ranges; range++) {
            common = meet(common, leaders[range]);
        }
        return common;
    }

    /** Returns the coarsest partition that is finer than both. An entry is the lowest index of its part. */
    private static int[] meet(int[] a, int[] b) {
        Map<Long, Integer> first = new HashMap<>();
        int[] both = new int[a.length];
        for (int i = 0; i < a.length; i++) {
            Integer leader = first.putIfAbsent((long) a[i] << 32 | b[i], i);
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
            int known = -1;
            for (int i = 0; i < leader.length; i++) {
                leader[i] = i;
                if (!isAlone.test(lids[i])) {
                    leader[i] = known >= 0 && switchOf[i] == switchOf[known] ? leader[known] : i;
                    known = i;
                }
            }
            gather();
        }

        int[] rows(int from, int to) {
            for (int rowIndex = from; rowIndex < to; rowIndex++) {
                byte[] row = rowIndex < lfts.length ? lfts[rowIndex] : slRow(rowIndex - lfts.length);
                int sw = rowIndex % switchCount;
                // the row of the LIDs' own switch distinguishes the end ports, not the paths to them
                int own = rowIndex < lfts.length ? firstFollowerOf(sw) : follower.length;
                int after = rowIndex < lfts.length ? firstFollowerOf(sw + 1) : follower.length;
                int first = firstDifference(row, 0, own);
                if (first == own) {
                    first = firstDifference(row, after, follower.length);
                }
                if (first < follower.length) {
                    split(row, first, own, after);
                }
            }
            return leader;
        }

        /**
         * Returns [LID] one octet of the set of SLs from a switch, filled for followers and their leaders only.
         *
         * @param half 2 * switch for SLs 0 to 7, 2 * switch + 1 for SLs 8 to 15
         */
        private byte[] slRow(int half) {
            byte[] row = new byte[plan.subnet().topLid() + 1];
            for (int i = 0; i < follower.length; i++) {
                row[followerLid[i]] = half(half, followerLid[i]);
                row[leaderLid[i]] = half(half, leaderLid[i]);
            }
            return row;
        }

        private byte half(int half, int lid) {
            return (byte) (plan.slMask(half / 2, lid) >> 8 * (half % 2));
        }

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
         * Gives new leaders to followers that differ from their leader in a row. Followers at positions {@code own} to
         * {@code after - 1} are not compared.
         *
         * @param first position of the first follower that differs
         */
        private void split(byte[] row, int first, int own, int after) {
            Map<Long, Integer> newLeaders = new HashMap<>();
            for (int i = first; i < follower.length; i++) {
                boolean compared = i < own || i >= after;
                if (compared && row[followerLid[i]] != row[leaderLid[i]]) {
                    int index = follower[i];
                    long key = (long) leader[index] << 8 | (row[followerLid[i]] & 0xff);
                    Integer known = newLeaders.putIfAbsent(key, index);
                    leader[index] = known == null ? index : known;
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
