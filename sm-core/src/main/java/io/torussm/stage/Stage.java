package io.torussm.stage;

import java.util.function.Consumer;

/**
 * One step of a sweep.
 *
 * @param <I> what it works on
 * @param <O> what comes of it
 */
public interface Stage<I, O> {
    /** The phase to which its time belongs. */
    Phase phase();

    /**
     * Starts. Confined to the loop.
     *
     * @param context opens the scopes of what is sent; when the sweep ends they are closed
     * @param then called once, on the loop, perhaps within this call; not at all if the stage fails or the sweep ends before
     */
    void start(StageContext context, I input, Consumer<O> then);
}
