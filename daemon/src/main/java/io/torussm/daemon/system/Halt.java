package io.torussm.daemon.system;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import java.util.Timer;
import java.util.TimerTask;
import java.util.function.IntConsumer;

/** The end of the process where it stands, for when it cannot end in order: visible, and soon whatever else hangs. */
public final class Halt {
    private static final EventLog EVENTS = EventLog.of(Halt.class);

    /** The log may hang as well, or have no memory. */
    private static final long LAST_WORDS_MS = 1000;

    private final IntConsumer halt;
    private final long endMs;

    /**
     * Does nothing yet.
     *
     * @param halt ends the process with an exit code
     * @param endMs how long an orderly end may take
     */
    public Halt(IntConsumer halt, long endMs) {
        this.halt = halt;
        this.endMs = endMs;
    }

    /** Logs why, if that can be done in time, and ends with {@link ExitCode#HALTED}. */
    public void now(Object why) {
        try {
            Thread words = new Thread(() -> EVENTS.report(SmEvent.HALTED, EventField.REASON.of(why)), "halt");
            words.setDaemon(true);
            words.start();
            words.join(LAST_WORDS_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            halt.accept(ExitCode.HALTED.number());
        }
    }

    /** An orderly end begins: unless the process is gone by then, it is halted when its time is over. */
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
