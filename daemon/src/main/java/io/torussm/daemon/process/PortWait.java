package io.torussm.daemon.process;

import io.torussm.daemon.system.ServiceManager;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import java.util.concurrent.TimeUnit;

/** A start that waits for its port: reported at its begin and end; the service manager counts it as ready. */
final class PortWait {
    /** From one look to the next. */
    static final long PERIOD_MS = 1000;

    private static final EventLog EVENTS = EventLog.of(PortWait.class);

    private final ServiceManager manager;
    private long beganNs;
    private boolean isWaiting;

    PortWait(ServiceManager manager) {
        this.manager = manager;
    }

    /** There is no port yet; to be called after each look. */
    void goesOn(String why) {
        if (!isWaiting) {
            isWaiting = true;
            beganNs = System.nanoTime();
            EVENTS.report(SmEvent.PORT_AWAITED, EventField.REASON.of(why));
        }
        manager.ended("", "waiting for a port: " + why);
        manager.beat(() -> "waiting for a port: " + why);
    }

    /** There is one, after a wait or at once. */
    void over() {
        if (isWaiting) {
            long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - beganNs);
            EVENTS.report(SmEvent.PORT_FOUND, EventField.SECONDS.of(seconds));
        }
    }
}
