package io.torussm.deadlock.incremental;

import io.torussm.deadlock.Channels;
import io.torussm.deadlock.DestinationGroups;
import io.torussm.fabric.Fabric;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The differences between the paths of two plans: by LID the switches whose entries change, new switches
 * included, and LIDs that were added, removed or moved to another port. Immutable.
 */
final class ChangedColumns {
    private static final int NONE = Fabric.NONE;
    private static final int[] NO_LIDS = {};

    private final SameChannels same;
    private final byte[][] lfts;

    /**
     * By LID: new indexes of switches, ascending, in {@code switches[first[lid]]} to {@code
     * switches[first[lid + 1] - 1]}.
     */
    private final int[] first;

    private final int[] switches;

    /** LIDs that have an end port in one of the plans, but not the same one in both. */
    final BitSet moved;

    /** Old indexes of switches that were removed. */
    final int[] gone;

    private ChangedColumns(SameChannels same, byte[][] lfts, BitSet moved, int[] first, int[] switches) {
        this.same = same;
        this.lfts = lfts;
        this.moved = moved;
        this.first = first;
        this.switches = switches;
        gone = IntStream.range(0, same.oldChannels.switchCount)
                .filter(old -> same.newSwitch[old] == NONE)
                .toArray();
    }

    /** A collector of changes, row by row. */
    private static final class Collector {
        private final SameChannels same;
        private final BitSet moved;
        private final long max;
        private final int[] count;
        private int[] lids = new int[1024];
        private int[] at = new int[1024];
        private int size;

        Collector(SameChannels same, BitSet moved, long max, int top) {
            this.same = same;
            this.moved = moved;
            this.max = max;
            count = new int[top + 2];
        }

        boolean isUsable() {
            return size <= max;
        }

        void row(int sw, byte @Nullable [] previous, byte[] current) {
            int old = same.oldSwitch[sw];
            if (previous == null) {
                for (int lid = 1; lid < current.length; lid++) {
                    add(sw, lid);
                }
                return;
            }
            if (!same.hasKeptOuts(sw)) {
                for (int lid = 1; lid < Math.min(previous.length, current.length); lid++) {
                    if (previous[lid] != current[lid] || !same.leadsAlike(old, sw, current[lid] & 0xff)) {
                        add(sw, lid);
                    }
                }
                return;
            }
            int end = Math.min(previous.length, current.length);
            int lid = previous == current ? -1 : Arrays.mismatch(previous, 0, end, current, 0, end);
            while (lid >= 0 && isUsable()) {
                add(sw, lid);
                int next = Arrays.mismatch(previous, lid + 1, end, current, lid + 1, end);
                lid = next < 0 ? -1 : lid + 1 + next;
            }
        }

        private void add(int sw, int lid) {
            int home = same.newChannels.subnet.switchOfLid(lid);
            if (home == NONE || home == sw || moved.get(lid)) {
                return;
            }
            if (size == lids.length) {
                lids = Arrays.copyOf(lids, 2 * size);
                at = Arrays.copyOf(at, 2 * size);
            }
            lids[size] = lid;
            at[size++] = sw;
            count[lid + 1]++;
        }
    }

    /**
     * Compares the tables of two plans.
     *
     * @param max upper limit of changing entries
     * @return null if there are more, or if a switch does not deliver a LID of its own
     */
    static @Nullable ChangedColumns of(SameChannels same, byte[][] previous, byte[][] current, long max) {
        int top = Math.max(same.oldChannels.subnet.topLid(), same.newChannels.subnet.topLid());
        BitSet moved = new BitSet();
        for (int lid = 1; lid <= top; lid++) {
            boolean isAny = same.oldChannels.subnet.switchOfLid(lid) != NONE
                    || same.newChannels.subnet.switchOfLid(lid) != NONE;
            moved.set(lid, isAny && !same.isSameDestination(lid));
        }
        if (!isDelivered(same.newChannels, current)) {
            return null;
        }
        Collector changes = new Collector(same, moved, max, top);
        for (int sw = 0; sw < current.length && changes.isUsable(); sw++) {
            int old = same.oldSwitch[sw];
            changes.row(sw, old == NONE ? null : previous[old], current[sw]);
        }
        if (!changes.isUsable()) {
            return null;
        }
        int[] first = changes.count;
        Arrays.parallelPrefix(first, Integer::sum);
        int[] next = first.clone();
        int[] switches = new int[changes.size];
        for (int i = 0; i < changes.size; i++) {
            switches[next[changes.lids[i]]++] = changes.at[i];
        }
        return new ChangedColumns(same, current, moved, first, switches);
    }

    /**
     * Returns the new indexes of switches in the order of their distance from a change, changed switches
     * first.
     */
    int[] around() {
        Channels channels = same.newChannels;
        BitSet seen = new BitSet();
        IntStream.of(switches).forEach(seen::set);
        for (int old : gone) {
            for (int link = same.oldChannels.firstLink[old]; link < same.oldChannels.firstLink[old + 1]; link++) {
                int beside = same.newSwitch[same.oldChannels.linkTo[link]];
                if (beside != NONE) {
                    seen.set(beside);
                }
            }
        }
        int[] order = new int[channels.switchCount];
        int tail = 0;
        for (int sw = seen.nextSetBit(0); sw >= 0; sw = seen.nextSetBit(sw + 1)) {
            order[tail++] = sw;
        }
        for (int head = 0; head < tail; head++) {
            for (int link = channels.firstLink[order[head]]; link < channels.firstLink[order[head] + 1]; link++) {
                if (!seen.get(channels.linkTo[link])) {
                    seen.set(channels.linkTo[link]);
                    order[tail++] = channels.linkTo[link];
                }
            }
        }
        return Arrays.copyOf(order, tail);
    }

    private static boolean isDelivered(Channels channels, byte[][] lfts) {
        for (int lid = 1; lid <= channels.subnet.topLid(); lid++) {
            int home = channels.subnet.switchOfLid(lid);
            if (home != NONE && (lfts[home][lid] & 0xff) != channels.subnet.deliveryPort(lid)) {
                return false;
            }
        }
        return true;
    }

    /** Returns the new indexes of switches whose entries for a LID change, ascending. */
    int[] at(int lid) {
        return Arrays.copyOfRange(switches, first[lid], first[lid + 1]);
    }

    boolean isChanged(int lid) {
        return first[lid] < first[lid + 1];
    }

    /**
     * Returns the LIDs of the new plan in groups that all switches but their own forward alike in both plans.
     *
     * @param previous groups of the old plan
     */
    int[][] groups(DestinationGroups previous) {
        List<int[]> groups = new ArrayList<>();
        for (int group = 0; group < previous.count(); group++) {
            if (isAsBefore(previous.members(group))) {
                groups.add(previous.members(group));
                continue;
            }
            int[] left = which(previous.members(group), lid -> !moved.get(lid));
            while (left.length > 0) {
                int one = left[0];
                int[] alike = which(left, lid -> isAlike(one, lid));
                groups.add(alike);
                left = alike == left ? NO_LIDS : which(left, lid -> !isAlike(one, lid));
            }
        }
        moved.stream()
                .filter(lid -> same.newChannels.subnet.switchOfLid(lid) != NONE)
                .forEach(lid -> groups.add(new int[] {lid}));
        groups.sort(Comparator.comparingInt(lids -> lids[0]));
        return groups.toArray(int[][]::new);
    }

    /** Returns the LIDs that a predicate accepts; the same array if these are all. */
    private static int[] which(int[] lids, IntPredicate wanted) {
        int[] found = new int[lids.length];
        int count = 0;
        for (int lid : lids) {
            if (wanted.test(lid)) {
                found[count++] = lid;
            }
        }
        return count == lids.length ? lids : Arrays.copyOf(found, count);
    }

    private boolean isAsBefore(int[] lids) {
        for (int lid : lids) {
            if (isChanged(lid) || moved.get(lid)) {
                return false;
            }
        }
        return true;
    }

    private boolean isAlike(int one, int other) {
        int count = first[one + 1] - first[one];
        if (count != first[other + 1] - first[other]) {
            return false;
        }
        for (int i = 0; i < count; i++) {
            int sw = switches[first[one] + i];
            if (sw != switches[first[other] + i] || lfts[sw][one] != lfts[sw][other]) {
                return false;
            }
        }
        return true;
    }
}
