package io.torussm.testing;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import java.util.Arrays;
import java.util.List;
import org.slf4j.LoggerFactory;
import org.slf4j.event.KeyValuePair;

/** The events that some classes report while this is open. */
public final class EventRecorder implements AutoCloseable {
    private final ListAppender<ILoggingEvent> seen = new ListAppender<>();
    private final List<Logger> loggers;

    public EventRecorder(Class<?>... sources) {
        loggers = Arrays.stream(sources)
                .map(source -> (Logger) LoggerFactory.getLogger(source))
                .toList();
        seen.start();
        loggers.forEach(logger -> {
            logger.setLevel(Level.INFO);
            logger.addAppender(seen);
        });
    }

    /** What was reported since the last {@link #clear}. */
    public List<SmEvent> events() {
        return seen.list.stream()
                .flatMap(line -> line.getKeyValuePairs() == null
                        ? java.util.stream.Stream.<KeyValuePair>empty()
                        : line.getKeyValuePairs().stream())
                .filter(pair -> pair.key.equals(EventLog.CODE))
                .map(pair -> event(String.valueOf(pair.value)))
                .toList();
    }

    private static SmEvent event(String code) {
        return Arrays.stream(SmEvent.values())
                .filter(event -> event.code().equals(code))
                .findFirst()
                .orElseThrow();
    }

    /** Forgets all so far. */
    public void clear() {
        seen.list.clear();
    }

    @Override
    public void close() {
        loggers.forEach(logger -> {
            logger.detachAppender(seen);
            logger.setLevel(null);
        });
    }
}
