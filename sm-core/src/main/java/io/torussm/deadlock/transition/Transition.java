package io.torussm.deadlock.transition;

import java.util.Arrays;

/**
 * What must wait for what while the tables of a plan take the place of those that switches hold. Immutable. The argument
 * is in {@code docs/developer/order-of-change.md}.
 *
 * <p>Three steps. What is {@link #early} or {@link #dropped} is written before anything else; then everything else but what
 * is {@link #late}; then that, and what was dropped. Packets on other ways are given time to leave the
 * fabric between one step and the next. Within a step the order does not matter. {@link #FREE} needs no steps. What is left of LIDs that are
 * gone can wait for all of it, as a rule ({@link #isGoneLast}).
 */
public final class Transition {
    /** Anything may be written at any time. */
    public static final Transition FREE = new Transition(true, new int[0][], new int[0][], new int[0][], true);

    private static final int[] NO_LIDS = {};

    private final boolean isFree;
    private final int[][] early;
    private final int[][] late;
    private final int[][] dropped;
    private final boolean isGoneLast;

    private Transition(boolean isFree, int[][] early, int[][] late, int[][] dropped, boolean isGoneLast) {
        this.isFree = isFree;
        this.early = early;
        this.late = late;
        this.dropped = dropped;
        this.isGoneLast = isGoneLast;
    }

    /**
     * A change in steps; all by switch, and then LIDs in ascending order.
     *
     * @param early what goes before all others, to what the plan has
     * @param late what is left for the end, because it leads nowhere as it is
     * @param dropped what is set to NO_PATH first, and to what the plan has at the end
     * @param isGoneLast whether entries of LIDs that nobody has any more may stay until all of that is done
     */
    public static Transition inSteps(int[][] early, int[][] late, int[][] dropped, boolean isGoneLast) {
        return new Transition(false, early, late, dropped, isGoneLast);
    }

    /** Whether there is nothing to wait for. */
    public boolean isFree() {
        return isFree;
    }

    /** LIDs whose entry at a switch is written before all others, ascending. Must not be written. */
    public int[] early(int sw) {
        return of(early, sw);
    }

    /** LIDs whose entry at a switch is written after all others and is left as it is until then, ascending. */
    public int[] late(int sw) {
        return of(late, sw);
    }

    /** LIDs whose entry at a switch is set to NO_PATH before all others and to what the plan has after them, ascending. */
    public int[] dropped(int sw) {
        return of(dropped, sw);
    }

    /** Whether entries of LIDs that nobody has any more may be taken away after everything else. */
    public boolean isGoneLast() {
        return isGoneLast;
    }

    private static int[] of(int[][] lids, int sw) {
        return sw < lids.length ? lids[sw] : NO_LIDS;
    }

    /** Entries of all switches that are dropped for a time though they lead somewhere before and after. */
    public int droppedCount() {
        return Arrays.stream(dropped).mapToInt(lids -> lids.length).sum();
    }
}
