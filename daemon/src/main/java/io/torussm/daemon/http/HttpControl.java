package io.torussm.daemon.http;

import io.torussm.daemon.control.SmStatistics;
import io.torussm.daemon.journal.Journal;
import io.torussm.view.PublishedView;
import org.jspecify.annotations.Nullable;

/** What can be asked of the SM over HTTP. Called on threads of this package; nothing waits for the wire. */
public interface HttpControl {
    /** What is published; null until the first subnet is up. */
    @Nullable
    PublishedView view();

    /** State and counters; null until the SM has begun. */
    @Nullable
    SmStatistics figures();

    /** What happened lately. */
    Journal journal();

    /** Name and version of the program. */
    String version();

    /** Runs a task on the SM's own loop, as soon as that gets to it. */
    void pulse(Runnable task);
}
