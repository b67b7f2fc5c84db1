package io.torussm.daemon.system;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import java.util.Timer;
import java.util.TimerTask;
import java.util.function.IntConsumer;

/**
 * The immediate end of a process that cannot end in order. The process logs the reason and ends after a limited time,
 * also if other threads hang.
 */
public final class Halt {
    private static final EventLog EVENTS = EventLog.of(Halt.class);

    /** Time limit of the log line in ms, because the log may hang too, or have no memory. */
    private static final long LOG_TIMEOUT_MS = 1000;

    private final IntConsumer halt;
    private final long endMs;

    /**
     * Creates a halt. The process continues until {@link #halt} or the end of the time limit.
     *
     * @param halt function that ends the process with an exit code
     * @param endMs time limit of an orderly end in ms
     */
    public Halt(IntConsumer halt, long endMs) {
        this.halt = halt;
        this.endMs = endMs;
    }

    /**
     * Logs the reason, if this is possible within the time limit, and ends the process with {@link ExitCode#HALTED}.
     */
    public void halt(Object reason) {
        try {
            Thread logging = new Thread(() -> EVENTS.report(SmEvent.HALTED, EventField.REASON.of(reason)), "halt");
            logging.setDaemon(true);
            logging.start();
            logging.join(LOG_TIMEOUT_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            halt.accept(ExitCode.HALTED.number());
        }
    }

    /** Starts the time limit of an orderly end. If the process still runs at the end of the limit, it is halted. */
    public void startTimeLimit() {
        TimerTask tooLong = new TimerTask() {
            @Override
            public void run() {
                halt("the end takes more than " + endMs + " ms");
            }
        };
        new Timer("end", true).schedule(tooLong, endMs);
    }
}
