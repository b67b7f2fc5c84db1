package io.torussm.sweep.state;

import io.torussm.view.PublishedView;
import java.util.function.Consumer;

/** A consumer of sweep events on the loop, and of views before their publication. */
public interface SweepListener extends Consumer<SweepEvent> {
    /** Prepares for the view that is published next. Called on the pool; the publication waits for the return. */
    default void prepare(PublishedView next) {}
}
