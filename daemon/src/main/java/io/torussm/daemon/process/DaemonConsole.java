package io.torussm.daemon.process;

import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.console.server.ConsoleServer;
import io.torussm.daemon.control.SmControl;
import io.torussm.daemon.journal.Journal;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The opening of the console of an SM, or of a daemon that waits for a port. A failure is logged. */
final class DaemonConsole {
    private static final EventLog EVENTS = EventLog.of(DaemonConsole.class);

    private DaemonConsole() {}

    private interface ConsoleOpener {
        ConsoleServer open(ConsoleServer.Settings settings) throws IOException;
    }

    /** Opens the console of an SM. Returns null if none is configured or it cannot be opened. */
    static @Nullable ConsoleServer of(SmControl control, SmOptions options) {
        return open(options, settings -> ConsoleServer.open(settings, control));
    }

    /**
     * Opens the console of a daemon without a port. Returns null if none is configured or it cannot be opened.
     *
     * @param reason supplier of the reason for the wait; called by any thread
     */
    static @Nullable ConsoleServer openWaiting(Supplier<String> reason, Journal journal, SmOptions options) {
        return open(options, settings -> ConsoleServer.openWaiting(settings, reason, journal));
    }

    private static @Nullable ConsoleServer open(SmOptions options, ConsoleOpener opening) {
        SmOptions.Console console = options.console();
        Path socket = console.controlSocket();
        if (socket == null) {
            return null;
        }
        try {
            EVENTS.report(SmEvent.OPENING.finding("control_socket " + socket));
            return opening.open(new ConsoleServer.Settings(socket, console.controlSocketGroup(), console.listen()));
        } catch (IOException e) {
            EVENTS.report(SmEvent.CONSOLE_UNAVAILABLE, EventField.REASON.of(e.getMessage()));
            return null;
        }
    }
}
