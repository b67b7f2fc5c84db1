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
    private static final int IMMEDIATE_SWEEPS = 4;

    /**
     * Number of sweeps that follow after a pause of 1, 2, 4 and 8 s; after those only light sweeps continue.
     */
    private static final int DELAYED_SWEEPS = 4;

    private final Loop loop;
    private final Runnable sweepHeavy;
    private int consecutive;

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
    boolean onSweepEnd(boolean mustFollow) {
        consecutive = mustFollow ? consecutive + 1 : 0;
        int later = consecutive - IMMEDIATE_SWEEPS - 1;
        if (later >= 0 && later < DELAYED_SWEEPS) {
            loop.schedule(TimeUnit.SECONDS.toNanos(1) << later, sweepHeavy);
        }
        return mustFollow && later < 0;
    }
}
