package io.torussm.daemon.system;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * The counter and log of unexpected exceptions. The first exceptions are logged with their stacks, all later without.
 */
public final class Defects implements Consumer<Throwable> {
    private static final EventLog EVENTS = EventLog.of(Defects.class);

    /** Number of exceptions that are logged with their stacks. */
    private static final int MAX_STACKS = 10;

    private final AtomicLong count = new AtomicLong();

    @Override
    public void accept(Throwable defect) {
        long number = count.incrementAndGet();
        String thread = Thread.currentThread().getName();
        if (number <= MAX_STACKS) {
            EVENTS.report(
                    SmEvent.DEFECT,
                    defect,
                    EventField.COUNT.of(number),
                    EventField.THREAD.of(thread),
                    EventField.REASON.of(defect));
        } else {
            EVENTS.report(
                    SmEvent.DEFECT,
                    EventField.COUNT.of(number),
                    EventField.THREAD.of(thread),
                    EventField.REASON.of(defect));
        }
    }

    /** Returns the number of exceptions. */
    public long count() {
        return count.get();
    }
}
