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

/** The log of events, under the name of the class that reports them. Any thread may call it. */
public final class EventLog {
    /** The key of the event's code among the key-value pairs of a log line. */
    public static final String CODE = "code";

    /**
     * The listener that receives the events of a thread instead of the log; null for none. Set while the thread works
     * for a subnet manager of a twin.
     */
    private static final ThreadLocal<Consumer<Finding>> THREAD_LISTENER = new ThreadLocal<>();

    private final Logger logger;

    private EventLog(Logger logger) {
        this.logger = logger;
    }

    /** Returns the log of a class. */
    public static EventLog of(Class<?> source) {
        return new EventLog(LoggerFactory.getLogger(source));
    }

    /**
     * A task with a result.
     *
     * @param <T> result
     * @param <E> exception
     */
    public interface Work<T, E extends Exception> {
        /** Executes the task. */
        T run() throws E;
    }

    /**
     * Executes a task for another subnet manager: a listener, not the log, receives the events that this thread reports
     * meanwhile. May be nested.
     */
    public static <T, E extends Exception> T redirect(Consumer<Finding> listener, Work<T, E> work) throws E {
        Consumer<Finding> previous = THREAD_LISTENER.get();
        THREAD_LISTENER.set(listener);
        try {
            return work.run();
        } finally {
            if (previous == null) {
                THREAD_LISTENER.remove();
            } else {
                THREAD_LISTENER.set(previous);
            }
        }
    }

    /** Executes a task without a result for another subnet manager, as {@link #redirect(Consumer, Work)}. */
    public static void redirect(Consumer<Finding> listener, Runnable work) {
        EventLog.<Boolean, RuntimeException>redirect(listener, () -> {
            work.run();
            return true;
        });
    }

    /**
     * Reports an event.
     *
     * @param values values of fields, with at least the fields that the text of the event names
     */
    public void report(SmEvent event, EventField.Value... values) {
        report(Finding.of(event, values), null);
    }

    /** Reports an event that an exception caused. The log shows its stack trace. */
    public void report(SmEvent event, Throwable cause, EventField.Value... values) {
        report(Finding.of(event, values), cause);
    }

    /** Reports a finding of an engine, a parser or a stage. */
    public void report(Finding finding) {
        report(finding, null);
    }

    private void report(Finding finding, @Nullable Throwable cause) {
        Consumer<Finding> listener = THREAD_LISTENER.get();
        if (listener != null) {
            listener.accept(finding);
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
