package io.torussm.sweep;

import io.torussm.transport.Loop;
import java.util.concurrent.TimeUnit;

/**
 * Sweeps in a row that are begun only because the one before asks for another: at once at first, then after longer and longer pauses,
 * and then no more. Owner thread: the loop.
 */
final class FollowUps {
    private static final int AT_ONCE = 4;

    /** Those that follow after a pause of 1, 2, 4 and 8 s; then it is left to light sweeps. */
    private static final int LATER = 4;

    private final Loop loop;
    private final Runnable sweepHeavy;
    private int inARow;

    /** @param sweepHeavy called for those that follow after a pause */
    FollowUps(Loop loop, Runnable sweepHeavy) {
        this.loop = loop;
        this.sweepHeavy = sweepHeavy;
    }

    /**
     * A sweep is over.
     *
     * @param mustFollow whether it asks for another
     * @return whether that one is to begin at once
     */
    boolean ended(boolean mustFollow) {
        inARow = mustFollow ? inARow + 1 : 0;
        int later = inARow - AT_ONCE - 1;
        if (later >= 0 && later < LATER) {
            loop.schedule(TimeUnit.SECONDS.toNanos(1) << later, sweepHeavy);
        }
        return mustFollow && later < 0;
    }
}
