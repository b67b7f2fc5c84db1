package io.torussm.stage;

import java.util.function.Consumer;

/**
 * One step of a sweep.
 *
 * @param <I> immutable input of the step
 * @param <O> immutable output of the step
 */
public interface Stage<I, O> {
    /** Returns the phase to which the time of the stage belongs. */
    Phase phase();

    /**
     * Starts the stage. Called on the loop.
     *
     * @param context opens scopes for SMPs, which are closed when the sweep ends
     * @param then callback that receives the output; called once, on the loop, perhaps within this call. Not called if
     *     the stage fails or the sweep ends earlier
     */
    void start(StageContext context, I input, Consumer<O> then);
}
