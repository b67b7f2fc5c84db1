package io.torussm.daemon.journal;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxy;
import io.torussm.event.EventField;
import io.torussm.event.log.EventLog;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.slf4j.event.KeyValuePair;

/** Conversions of lines of the log. */
public final class LogEntries {
    private LogEntries() {}

    /**
     * Returns an event in the form of the journal.
     *
     * @return event with number 0; its code is empty if the line has no code
     */
    public static Journal.Entry entry(ILoggingEvent event) {
        Map<String, String> fields = new LinkedHashMap<>();
        List<KeyValuePair> pairs = event.getKeyValuePairs();
        if (pairs != null) {
            pairs.forEach(pair -> fields.put(pair.key, String.valueOf(pair.value)));
        }
        String code = fields.remove(EventLog.CODE);
        String text = event.getFormattedMessage();
        return new Journal.Entry(
                0,
                Instant.ofEpochMilli(event.getTimeStamp()),
                event.getLevel().toString().toLowerCase(Locale.ROOT),
                code == null ? "" : code,
                code == null ? text : text.substring(code.length() + 1),
                fields);
    }

    /** Returns a copy of a line with other values of some fields. */
    static ILoggingEvent with(ILoggingEvent event, List<EventField.Value> fields) {
        LoggingEvent copy = copy(event, event.getInstant(), event.getFormattedMessage());
        List<KeyValuePair> pairs = new ArrayList<>(copy.getKeyValuePairs());
        for (EventField.Value field : fields) {
            pairs.replaceAll(
                    pair -> pair.key.equals(field.field().key()) ? new KeyValuePair(pair.key, field.value()) : pair);
        }
        copy.setKeyValuePairs(pairs);
        return copy;
    }

    /** Returns a copy of a line with another time and text. */
    public static LoggingEvent copy(ILoggingEvent event, Instant time, String text) {
        LoggingEvent copy = new LoggingEvent();
        copy.setLoggerName(event.getLoggerName());
        copy.setLevel(event.getLevel());
        copy.setThreadName(event.getThreadName());
        copy.setInstant(time);
        copy.setMessage(text);
        if (event.getKeyValuePairs() != null) {
            copy.setKeyValuePairs(new ArrayList<>(event.getKeyValuePairs()));
        }
        copy.setMDCPropertyMap(Map.of());
        if (event.getThrowableProxy() instanceof ThrowableProxy cause) {
            copy.setThrowableProxy(cause);
        }
        return copy;
    }
}
