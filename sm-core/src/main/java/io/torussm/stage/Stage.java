package io.torussm.stage;

import java.util.function.Consumer;

/**
 * One step of a sweep.
 *
 * @param <I> its input
 * @param <O> its output
 */
public interface Stage<I, O> {
    /** Returns the phase to which its time belongs. */
    Phase phase();

    /**
     * Starts. Confined to the loop.
     *
     * @param context opens scopes for SMPs; they are closed when the sweep ends
     * @param then callback, called once, on the loop, perhaps within this call; not at all if the stage fails or the
     *     sweep ends before
     */
    void start(StageContext context, I input, Consumer<O> then);
}
