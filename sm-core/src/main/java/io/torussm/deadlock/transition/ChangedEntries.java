package io.torussm.deadlock.transition;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The switches whose entry changes, for each LID. The list saves time only if few entries change. Immutable. */
final class ChangedEntries {
    private static final int[] NO_SWITCHES = {};

    private final MixedDestinations destinations;

    /** [LID] index of its first switch in {@link #switches}; one element more than LIDs. */
    private final int[] first;

    /** Switches whose entry changes, LID by LID, ascending for each LID. */
    private final int[] switches;

    private ChangedEntries(MixedDestinations destinations, int[] first, int[] switches) {
        this.destinations = destinations;
        this.first = first;
        this.switches = switches;
    }

    /**
     * Lists the entries that change.
     *
     * @param top the highest LID
     * @param max upper limit of changed entries
     * @return null if more than {@code max} entries change
     */
    static @Nullable ChangedEntries of(MixedDestinations destinations, int top, long max) {
        int[] first = new int[top + 2];
        for (int sw = 0; sw < destinations.oldLfts.length; sw++) {
            int current = sw;
            destinations.forEachChange(sw, lid -> first[lid + 1] += destinations.isOnTheWay(current, lid) ? 1 : 0);
        }
        long all = 0;
        for (int lid = 0; lid <= top; lid++) {
            all += first[lid + 1];
            if (all > max) {
                return null;
            }
            first[lid + 1] = (int) all;
        }
        int[] next = first.clone();
        int[] switches = new int[(int) all];
        for (int sw = 0; sw < destinations.oldLfts.length; sw++) {
            int current = sw;
            destinations.forEachChange(sw, lid -> {
                if (destinations.isOnTheWay(current, lid)) {
                    switches[next[lid]++] = current;
                }
            });
        }
        return new ChangedEntries(destinations, first, switches);
    }

    /**
     * Splits LIDs that the new tables forward alike into groups that the old tables also forward alike.
     *
     * @param lids LIDs, ascending
     * @param groups receives the groups with changed entries
     * @param changedAt receives the switches of these entries, one array for each of {@code groups}, ascending
     * @param steady receives the groups without changed entries
     */
    void split(int[] lids, List<int[]> groups, List<int[]> changedAt, List<int[]> steady) {
        int[] remaining = lids;
        while (remaining.length > 0) {
            int firstLid = remaining[0];
            int[] alike = Arrays.stream(remaining)
                    .filter(lid -> isAlike(firstLid, lid))
                    .toArray();
            int[] others = alike.length == remaining.length
                    ? NO_SWITCHES
                    : Arrays.stream(remaining)
                            .filter(lid -> !isAlike(firstLid, lid))
                            .toArray();
            if (first[firstLid] == first[firstLid + 1]) {
                steady.add(alike);
            } else {
                groups.add(alike);
                changedAt.add(Arrays.copyOfRange(switches, first[firstLid], first[firstLid + 1]));
            }
            remaining = others;
        }
    }

    /** Checks whether the entries of two LIDs change at the same switches, and have the same old values there. */
    private boolean isAlike(int lid, int otherLid) {
        int count = first[lid + 1] - first[lid];
        boolean isAlike = count == first[otherLid + 1] - first[otherLid];
        for (int i = 0; i < count && isAlike; i++) {
            int sw = switches[first[lid] + i];
            byte[] held = destinations.oldLfts[sw];
            isAlike = sw == switches[first[otherLid] + i] && held[lid] == held[otherLid];
        }
        return isAlike;
    }
}
