package io.torussm.event.log;

import io.torussm.event.EventField;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/** Logs events under the name of the class that reports them. May be used by any thread. */
public final class EventLog {
    /** The key of the code among the key-value pairs of a line. */
    public static final String CODE = "code";

    /**
     * The listener that receives events instead of the log, in threads that work for a subnet manager outside this
     * process.
     */
    private static final ThreadLocal<Consumer<Finding>> ELSEWHERE = new ThreadLocal<>();

    private final Logger logger;

    private EventLog(Logger logger) {
        this.logger = logger;
    }

    /** Returns the log of a class. */
    public static EventLog of(Class<?> source) {
        return new EventLog(LoggerFactory.getLogger(source));
    }

    /**
     * A piece of work.
     *
     * @param <T> its result
     * @param <E> its exception
     */
    public interface Work<T, E extends Exception> {
        /** Does it. */
        T run() throws E;
    }

    /**
     * Does work for another subnet manager: events that it reports in this thread go to a listener and not to the
     * log. May be nested.
     */
    public static <T, E extends Exception> T redirect(Consumer<Finding> listener, Work<T, E> work) throws E {
        Consumer<Finding> before = ELSEWHERE.get();
        ELSEWHERE.set(listener);
        try {
            return work.run();
        } finally {
            if (before == null) {
                ELSEWHERE.remove();
            } else {
                ELSEWHERE.set(before);
            }
        }
    }

    /** Redirects the events of work without an outcome. */
    public static void redirect(Consumer<Finding> listener, Runnable work) {
        EventLog.<Boolean, RuntimeException>redirect(listener, () -> {
            work.run();
            return true;
        });
    }

    /**
     * Reports an event.
     *
     * @param values values of the fields; each field that its text names has one
     */
    public void report(SmEvent event, EventField.Value... values) {
        report(Finding.of(event, values), null);
    }

    /** Reports an event that an exception caused; the log shows its stack. */
    public void report(SmEvent event, Throwable cause, EventField.Value... values) {
        report(Finding.of(event, values), cause);
    }

    /** Reports the findings of an engine, a parser or a stage. */
    public void report(Finding finding) {
        report(finding, null);
    }

    private void report(Finding finding, @Nullable Throwable cause) {
        Consumer<Finding> elsewhere = ELSEWHERE.get();
        if (elsewhere != null) {
            elsewhere.accept(finding);
            return;
        }
        Level level = level(finding.severity());
        if (!logger.isEnabledForLevel(level)) {
            return;
        }
        LoggingEventBuilder line =
                logger.atLevel(level).addKeyValue(CODE, finding.event().code());
        for (EventField.Value value : finding.values()) {
            line = line.addKeyValue(value.field().key(), value.text());
        }
        if (cause != null) {
            line = line.setCause(cause);
        }
        line.log(finding.line());
    }

    private static Level level(Finding.Severity severity) {
        return switch (severity) {
            case ERROR -> Level.ERROR;
            case WARNING -> Level.WARN;
            case INFO -> Level.INFO;
        };
    }
}
