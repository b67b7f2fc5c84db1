package io.torussm.daemon.process;

import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.console.server.ConsoleServer;
import io.torussm.daemon.journal.Journal;
import io.torussm.daemon.system.ServiceManager;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A start that waits for its port. Its begin and end are reported, the console responds, and the service manager counts
 * it as ready.
 */
final class PortWait implements AutoCloseable {
    /** Interval of attempts to open the port. */
    static final long PERIOD_MS = 1000;

    private static final EventLog EVENTS = EventLog.of(PortWait.class);

    private final ServiceManager manager;
    private final Journal journal;
    private final SmOptions options;
    private volatile String reason = "";
    private @Nullable ConsoleServer console;
    private long beganNs;
    private boolean isWaiting;

    PortWait(ServiceManager manager, Journal journal, SmOptions options) {
        this.manager = manager;
        this.journal = journal;
        this.options = options;
    }

    /** Notes that there is no port yet; to be called after each attempt. */
    void goesOn(String why) {
        reason = why;
        if (!isWaiting) {
            isWaiting = true;
            beganNs = System.nanoTime();
            EVENTS.report(SmEvent.PORT_AWAITED, EventField.REASON.of(why));
            console = DaemonConsole.waiting(() -> reason, journal, options);
        }
        manager.ended("", "waiting for a port: " + why);
        manager.beat(() -> "waiting for a port: " + why);
    }

    /** Notes that there is a port, after a wait or immediately. */
    void over() {
        if (isWaiting) {
            long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - beganNs);
            EVENTS.report(SmEvent.PORT_FOUND, EventField.SECONDS.of(seconds));
        }
    }

    /** Closes the console of the wait; that of the SM takes its place. */
    @Override
    public void close() {
        if (console != null) {
            console.close();
        }
    }
}
