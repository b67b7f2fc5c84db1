package io.torussm.sweep;

import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * Sweeps in a row that are begun only because the one before asks for another: at once at first, then after longer and longer pauses,
 * and then no more. Owner thread: the loop.
 */
final class FollowUps {
    private static final int AT_ONCE = 4;

    /** Those that follow after a pause of 1, 2, 4 and 8 s; then it is left to light sweeps. */
    private static final int LATER = 4;

    private int inARow;

    /**
     * A sweep is over.
     *
     * @param mustFollow whether it asks for another
     * @return nanoseconds until that one; empty if there is none
     */
    OptionalLong after(boolean mustFollow) {
        inARow = mustFollow ? inARow + 1 : 0;
        int later = inARow - AT_ONCE - 1;
        if (!mustFollow || later >= LATER) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(later < 0 ? 0 : TimeUnit.SECONDS.toNanos(1) << later);
    }
}
