package io.torussm.daemon.system;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import java.util.Timer;
import java.util.TimerTask;
import java.util.function.IntConsumer;

/**
 * The immediate end of the process if it cannot end in order: with a log line, and soon even if other threads
 * hang.
 */
public final class Halt {
    private static final EventLog EVENTS = EventLog.of(Halt.class);

    /** Time limit of the log line, in ms. The log may hang as well, or have no memory. */
    private static final long LAST_WORDS_MS = 1000;

    private final IntConsumer halt;
    private final long endMs;

    /**
     * Creates a halt that does nothing yet.
     *
     * @param halt ends the process with an exit code
     * @param endMs time limit of an orderly end
     */
    public Halt(IntConsumer halt, long endMs) {
        this.halt = halt;
        this.endMs = endMs;
    }

    /** Logs the reason, if that is possible in time, and ends with {@link ExitCode#HALTED}. */
    public void now(Object reason) {
        try {
            Thread words = new Thread(() -> EVENTS.report(SmEvent.HALTED, EventField.REASON.of(reason)), "halt");
            words.setDaemon(true);
            words.start();
            words.join(LAST_WORDS_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            halt.accept(ExitCode.HALTED.number());
        }
    }

    /** Starts the time limit of an orderly end. The process is halted if it still runs then. */
    public void unlessEnded() {
        TimerTask tooLong = new TimerTask() {
            @Override
            public void run() {
                now("the end takes more than " + endMs + " ms");
            }
        };
        new Timer("end", true).schedule(tooLong, endMs);
    }
}
