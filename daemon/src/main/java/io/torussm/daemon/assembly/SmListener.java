package io.torussm.daemon.assembly;

import io.torussm.sweep.state.SweepListener;

/** A listener to the events of an SM, called after the SM's own parts; on the {@code sm} loop. */
public interface SmListener extends SweepListener {
    /** The port is gone for good. */
    void portLost(String why);

    /**
     * The port cannot be used for now, or can be used again.
     *
     * @param why one line; empty if it can be used
     */
    default void portChanged(boolean isUsable, String why) {}

    /** This SM is not master any more. */
    default void mastershipEnded() {}
}
