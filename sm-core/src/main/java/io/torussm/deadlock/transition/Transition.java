package io.torussm.deadlock.transition;

import java.util.Arrays;

/**
 * The order in which the tables of a plan replace those of the switches. Immutable. The proof of its safety is in
 * {@code docs/developer/order-of-change.md}.
 *
 * <p>There are three steps:
 *
 * <ol>
 *   <li>{@link #earlyLids} entries get their new value, and {@link #droppedLids} entries get NO_PATH (0xFF).
 *   <li>All other entries but {@link #lateLids} ones get their new value.
 *   <li>Late and dropped entries get their new value.
 * </ol>
 *
 * <p>Between two steps, packets on old paths have time to leave the fabric. Within a step, the order does not matter.
 * {@link #FREE} has no steps. Entries of LIDs that no port has any more are removed last, if {@link #isVanishedLast}.
 */
public final class Transition {
    /** A transition without steps: all writes in any order. */
    public static final Transition FREE = new Transition(true, new int[0][], new int[0][], new int[0][], true);

    private static final int[] NO_LIDS = {};

    private final boolean isFree;
    private final int[][] earlyLids;
    private final int[][] lateLids;
    private final int[][] droppedLids;
    private final boolean isVanishedLast;

    private Transition(boolean isFree, int[][] early, int[][] late, int[][] dropped, boolean isGoneLast) {
        this.isFree = isFree;
        this.earlyLids = early;
        this.lateLids = late;
        this.droppedLids = dropped;
        this.isVanishedLast = isGoneLast;
    }

    /**
     * Creates a transition in steps. Each array is [switch] LIDs, ascending; it may be empty.
     *
     * @param early entries that get their new value in the first step
     * @param late entries that get their new value in the last step, because their old port has no link
     * @param dropped entries that are set to NO_PATH in the first step, and get their new value in the last step
     * @param isGoneLast whether entries of LIDs that no port has any more may stay until all other entries are written
     */
    public static Transition inSteps(int[][] early, int[][] late, int[][] dropped, boolean isGoneLast) {
        return new Transition(false, early, late, dropped, isGoneLast);
    }

    /** Checks whether writes may have any order. */
    public boolean isFree() {
        return isFree;
    }

    /**
     * Returns LIDs whose entry at a switch is written before all others, ascending. Callers must not write the array.
     */
    public int[] earlyLids(int sw) {
        return of(earlyLids, sw);
    }

    /** Checks whether any switch has early LIDs. */
    public boolean hasEarlyLids() {
        return Arrays.stream(earlyLids).anyMatch(lids -> lids.length > 0);
    }

    /**
     * Returns LIDs whose entry at a switch keeps its old value until all others are written, ascending. Callers must
     * not write the array.
     */
    public int[] lateLids(int sw) {
        return of(lateLids, sw);
    }

    /**
     * Returns LIDs whose entry at a switch is set to NO_PATH before all other entries are written, and to its new value
     * after them, ascending. Callers must not write the array.
     */
    public int[] droppedLids(int sw) {
        return of(droppedLids, sw);
    }

    /** Checks whether entries of LIDs that no port has any more may be removed after all other entries are written. */
    public boolean isVanishedLast() {
        return isVanishedLast;
    }

    private static int[] of(int[][] lids, int sw) {
        return sw < lids.length ? lids[sw] : NO_LIDS;
    }

    /**
     * Returns the number of entries of all switches that are dropped in between, although they have a path before and
     * after the transition.
     */
    public int droppedCount() {
        return Arrays.stream(droppedLids).mapToInt(lids -> lids.length).sum();
    }
}
