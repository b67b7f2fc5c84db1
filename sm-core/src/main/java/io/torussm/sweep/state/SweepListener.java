package io.torussm.sweep.state;

import io.torussm.view.PublishedView;
import java.util.function.Consumer;

/** A consumer of sweep events, which comes on the loop, and of views before their publication. */
public interface SweepListener extends Consumer<SweepEvent> {
    /** Prepares for a view that is published next, on the pool; the publication waits for the return. */
    default void prepare(PublishedView next) {}
}
