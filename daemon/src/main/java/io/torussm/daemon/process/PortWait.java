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
 * The wait of a starting daemon for its port. The begin and the end of the wait are logged. During the wait the console
 * is open, and the service manager regards the process as ready, so that the start of the machine does not wait for the
 * fabric. Owner thread: main; the console reads {@code reason}.
 */
final class PortWait implements AutoCloseable {
    /** Interval in ms between the attempts of {@link Daemon} to open the port. */
    static final long PERIOD_MS = 1000;

    private static final EventLog EVENTS = EventLog.of(PortWait.class);

    private final ServiceManager manager;
    private final Journal journal;
    private final SmOptions options;
    private volatile String reason = "";
    private @Nullable ConsoleServer console;
    private long startNs;
    private boolean isWaiting;

    PortWait(ServiceManager manager, Journal journal, SmOptions options) {
        this.manager = manager;
        this.journal = journal;
        this.options = options;
    }

    /**
     * Notes a failed attempt to open the port. The first failure begins the wait.
     *
     * @param failure reason of the failure
     */
    void attemptFailed(String failure) {
        reason = failure;
        if (!isWaiting) {
            isWaiting = true;
            startNs = System.nanoTime();
            EVENTS.report(SmEvent.PORT_AWAITED, EventField.REASON.of(failure));
            console = DaemonConsole.openWaiting(() -> reason, journal, options);
        }
        String headline = "waiting for a port: " + failure;
        manager.waitingForPort(headline);
        manager.ping(() -> headline);
    }

    /** Notes that the port is open. */
    void portOpened() {
        if (isWaiting) {
            long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNs);
            EVENTS.report(SmEvent.PORT_FOUND, EventField.SECONDS.of(seconds));
        }
    }

    /** Closes the console of the wait, before the console of the SM opens. */
    @Override
    public void close() {
        if (console != null) {
            console.close();
        }
    }
}
