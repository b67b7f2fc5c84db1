package io.torussm.event.log;

import io.torussm.event.EventField;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/** Logs events under the name of the class that reports them. May be used by any thread. */
public final class EventLog {
    /** The key of the code among the key-value pairs of a line. */
    public static final String CODE = "code";

    private final Logger logger;

    private EventLog(Logger logger) {
        this.logger = logger;
    }

    /** Returns the log of a class. */
    public static EventLog of(Class<?> source) {
        return new EventLog(LoggerFactory.getLogger(source));
    }

    /**
     * Reports an event.
     *
     * @param values at least those that its text names
     */
    public void report(SmEvent event, EventField.Value... values) {
        report(Finding.of(event, values), null);
    }

    /** Reports an event that an exception caused; the log shows its stack. */
    public void report(SmEvent event, Throwable cause, EventField.Value... values) {
        report(Finding.of(event, values), cause);
    }

    /** Reports what an engine, a parser or a stage found. */
    public void report(Finding finding) {
        report(finding, null);
    }

    private void report(Finding finding, @Nullable Throwable cause) {
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
