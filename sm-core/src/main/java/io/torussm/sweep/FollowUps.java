package io.torussm.sweep;

import io.torussm.transport.Loop;
import java.util.concurrent.TimeUnit;

/**
 * The limit of consecutive sweeps that are started only because the previous sweep requires another. The
 * first of them follow immediately, further ones after growing pauses. Then no more follow, because a device
 * that fails in every sweep would keep the SM busy. Owner thread: the loop.
 */
final class FollowUps {
    /** Number of sweeps that follow immediately. */
    private static final int AT_ONCE = 4;

    /**
     * Number of sweeps that follow after a pause of 1, 2, 4 and 8 s; after those only light sweeps continue.
     */
    private static final int LATER = 4;

    private final Loop loop;
    private final Runnable sweepHeavy;
    private int inARow;

    /**
     * Creates the limit.
     *
     * @param sweepHeavy callback, called for sweeps that follow after a pause
     */
    FollowUps(Loop loop, Runnable sweepHeavy) {
        this.loop = loop;
        this.sweepHeavy = sweepHeavy;
    }

    /**
     * Handles the end of a sweep.
     *
     * @param mustFollow whether it requires another sweep
     * @return whether the other sweep begins immediately
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
