package io.torussm.deadlock.transition;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The entries that change, by LID. The list pays off only if they are few. */
final class ChangedEntries {
    private static final int[] NOWHERE = {};

    private final MixedDestinations destinations;

    /**
     * By LID: the switches, ascending, in {@code switches[first[lid]]} to {@code switches[first[lid + 1] -
     * 1]}.
     */
    private final int[] first;

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
     * @return null if there are more than {@code max}
     */
    static @Nullable ChangedEntries of(MixedDestinations destinations, int top, long max) {
        int[] first = new int[top + 2];
        for (int sw = 0; sw < destinations.held.length; sw++) {
            int at = sw;
            destinations.forEachChange(sw, lid -> first[lid + 1] += destinations.isOnTheWay(at, lid) ? 1 : 0);
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
        for (int sw = 0; sw < destinations.held.length; sw++) {
            int at = sw;
            destinations.forEachChange(sw, lid -> {
                if (destinations.isOnTheWay(at, lid)) {
                    switches[next[lid]++] = at;
                }
            });
        }
        return new ChangedEntries(destinations, first, switches);
    }

    /**
     * Splits LIDs that the new tables forward alike into groups that the old tables forward alike, too.
     *
     * @param lids ascending
     * @param groups receives the groups with entries that change, and {@code changedAt} their switches
     * @param steady receives the groups without entries that change
     */
    void split(int[] lids, List<int[]> groups, List<int[]> changedAt, List<int[]> steady) {
        int[] left = lids;
        while (left.length > 0) {
            int one = left[0];
            int[] alike = Arrays.stream(left).filter(lid -> isAlike(one, lid)).toArray();
            int[] others = alike.length == left.length
                    ? NOWHERE
                    : Arrays.stream(left).filter(lid -> !isAlike(one, lid)).toArray();
            if (first[one] == first[one + 1]) {
                steady.add(alike);
            } else {
                groups.add(alike);
                changedAt.add(Arrays.copyOfRange(switches, first[one], first[one + 1]));
            }
            left = others;
        }
    }

    /** Checks whether the entries of two LIDs change at the same switches, and have the same old values there. */
    private boolean isAlike(int one, int other) {
        int count = first[one + 1] - first[one];
        boolean isAlike = count == first[other + 1] - first[other];
        for (int i = 0; i < count && isAlike; i++) {
            int sw = switches[first[one] + i];
            byte[] held = destinations.held[sw];
            isAlike = sw == switches[first[other] + i] && held[one] == held[other];
        }
        return isAlike;
    }
}
