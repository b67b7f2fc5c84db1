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
 * The differences between the forwarding tables of two plans: for each LID the switches whose entries change, new
 * switches included, and the LIDs that were added, removed or moved to another port. Immutable.
 */
final class ChangedColumns {
    private static final int NONE = Fabric.NONE;
    private static final int[] NO_LIDS = {};

    private final SameChannels sameChannels;

    /** [new switch][LID] egress port number in the new plan. */
    private final byte[][] lfts;

    /** [LID] index of its first switch in {@link #switches}; one element more than LIDs. */
    private final int[] first;

    /** New indexes of switches whose entry changes, LID by LID, ascending for each LID. */
    private final int[] switches;

    /** LIDs that are not at the same port of the same switch in both plans: added, removed or moved. */
    final BitSet movedLids;

    /** Old indexes of switches that were removed. */
    final int[] removedSwitches;

    private ChangedColumns(SameChannels same, byte[][] lfts, BitSet moved, int[] first, int[] switches) {
        this.sameChannels = same;
        this.lfts = lfts;
        this.movedLids = moved;
        this.first = first;
        this.switches = switches;
        removedSwitches = IntStream.range(0, same.oldChannels.switchCount)
                .filter(old -> same.newSwitch[old] == NONE)
                .toArray();
    }

    /** A collector of changed entries, row by row. */
    private static final class Collector {
        private final SameChannels sameChannels;
        private final BitSet movedLids;
        private final long max;

        /** [LID + 1] number of changed entries for the LID. */
        private final int[] count;

        /** LIDs of the changed entries: the first {@link #size} elements. */
        private int[] lids = new int[1024];

        /** Switches of the changed entries: the first {@link #size} elements. */
        private int[] changedSwitches = new int[1024];

        private int size;

        Collector(SameChannels same, BitSet moved, long max, int top) {
            this.sameChannels = same;
            this.movedLids = moved;
            this.max = max;
            count = new int[top + 2];
        }

        /** Checks whether the number of changed entries is within the limit. */
        boolean isUsable() {
            return size <= max;
        }

        /**
         * Adds the changed entries of a switch.
         *
         * @param previous [LID] egress port number in the old plan; null for a new switch
         */
        void addRow(int sw, byte @Nullable [] previous, byte[] current) {
            int old = sameChannels.oldSwitch[sw];
            if (previous == null) {
                for (int lid = 1; lid < current.length; lid++) {
                    add(sw, lid);
                }
                return;
            }
            if (!sameChannels.hasKeptOuts(sw)) {
                for (int lid = 1; lid < Math.min(previous.length, current.length); lid++) {
                    if (previous[lid] != current[lid] || !sameChannels.hasSameLink(old, sw, current[lid] & 0xff)) {
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
            int home = sameChannels.newChannels.subnet.switchOfLid(lid);
            if (home == NONE || home == sw || movedLids.get(lid)) {
                return;
            }
            if (size == lids.length) {
                lids = Arrays.copyOf(lids, 2 * size);
                changedSwitches = Arrays.copyOf(changedSwitches, 2 * size);
            }
            lids[size] = lid;
            changedSwitches[size++] = sw;
            count[lid + 1]++;
        }
    }

    /**
     * Compares the tables of two plans.
     *
     * @param previous [old switch][LID] egress port number in the old plan
     * @param current [new switch][LID] egress port number in the new plan
     * @param max upper limit of changed entries
     * @return null if more entries change, or if a switch does not deliver a LID of its own
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
            changes.addRow(sw, old == NONE ? null : previous[old], current[sw]);
        }
        if (!changes.isUsable()) {
            return null;
        }
        int[] first = changes.count;
        Arrays.parallelPrefix(first, Integer::sum);
        int[] next = first.clone();
        int[] switches = new int[changes.size];
        for (int i = 0; i < changes.size; i++) {
            switches[next[changes.lids[i]]++] = changes.changedSwitches[i];
        }
        return new ChangedColumns(same, current, moved, first, switches);
    }

    /**
     * Returns the new indexes of switches in ascending order of their distance from a change. Switches with a changed
     * entry or beside a removed switch have distance 0.
     */
    int[] switchesByDistance() {
        Channels channels = sameChannels.newChannels;
        BitSet seen = new BitSet();
        IntStream.of(switches).forEach(seen::set);
        for (int old : removedSwitches) {
            for (int link = sameChannels.oldChannels.firstLink[old];
                    link < sameChannels.oldChannels.firstLink[old + 1];
                    link++) {
                int neighbour = sameChannels.newSwitch[sameChannels.oldChannels.linkTo[link]];
                if (neighbour != NONE) {
                    seen.set(neighbour);
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

    /** Checks whether each switch forwards its own LIDs to their delivery port. */
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
    int[] switchesOf(int lid) {
        return Arrays.copyOfRange(switches, first[lid], first[lid + 1]);
    }

    boolean isChanged(int lid) {
        return first[lid] < first[lid + 1];
    }

    /**
     * Returns the LIDs of the new plan in groups that all switches but the switch of the LIDs forward alike in both
     * plans. A moved LID forms a group alone.
     *
     * @param previous groups of the old plan
     * @return [group] LIDs, ascending; groups ascend in their first LID
     */
    int[][] groups(DestinationGroups previous) {
        List<int[]> groups = new ArrayList<>();
        for (int group = 0; group < previous.count(); group++) {
            if (isUnchanged(previous.members(group))) {
                groups.add(previous.members(group));
                continue;
            }
            int[] remaining = filter(previous.members(group), lid -> !movedLids.get(lid));
            while (remaining.length > 0) {
                int firstLid = remaining[0];
                int[] alike = filter(remaining, lid -> isAlike(firstLid, lid));
                groups.add(alike);
                remaining = alike == remaining ? NO_LIDS : filter(remaining, lid -> !isAlike(firstLid, lid));
            }
        }
        movedLids.stream()
                .filter(lid -> sameChannels.newChannels.subnet.switchOfLid(lid) != NONE)
                .forEach(lid -> groups.add(new int[] {lid}));
        groups.sort(Comparator.comparingInt(lids -> lids[0]));
        return groups.toArray(int[][]::new);
    }

    /** Returns the LIDs that a predicate accepts; {@code lids} itself if it accepts all LIDs. */
    private static int[] filter(int[] lids, IntPredicate wanted) {
        int[] accepted = new int[lids.length];
        int count = 0;
        for (int lid : lids) {
            if (wanted.test(lid)) {
                accepted[count++] = lid;
            }
        }
        return count == lids.length ? lids : Arrays.copyOf(accepted, count);
    }

    /** Checks whether no LID moved and no entry for the LIDs changes. */
    private boolean isUnchanged(int[] lids) {
        for (int lid : lids) {
            if (isChanged(lid) || movedLids.get(lid)) {
                return false;
            }
        }
        return true;
    }

    /** Checks whether the entries of two LIDs change at the same switches, to the same ports. */
    private boolean isAlike(int lid, int otherLid) {
        int count = first[lid + 1] - first[lid];
        if (count != first[otherLid + 1] - first[otherLid]) {
            return false;
        }
        for (int i = 0; i < count; i++) {
            int sw = switches[first[lid] + i];
            if (sw != switches[first[otherLid] + i] || lfts[sw][lid] != lfts[sw][otherLid]) {
                return false;
            }
        }
        return true;
    }
}
