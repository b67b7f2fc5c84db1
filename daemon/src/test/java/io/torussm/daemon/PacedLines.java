package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.torussm.daemon.journal.LinePace;
import io.torussm.daemon.journal.LogEntries;
import io.torussm.event.EventField;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.slf4j.LoggerFactory;
import org.slf4j.event.KeyValuePair;

/** The lines of the log after {@link LinePace}; fails if one subject has two within the pause. */
final class PacedLines extends AppenderBase<ILoggingEvent> implements AutoCloseable {
    private final Logger logger = (Logger) LoggerFactory.getLogger("io.torussm");
    final List<String> lines = new ArrayList<>();
    final Map<String, Integer> eventCounts = new TreeMap<>();
    private final Map<String, Long> last = new HashMap<>();
    final LinePace pace;
    ILoggingEvent lastLine = new LoggingEvent();

    private final InstantSource clock;

    PacedLines(LongSupplier nowMs) {
        clock = () -> Instant.EPOCH.plusMillis(nowMs.getAsLong());
        pace = new LinePace(nowMs, clock, event -> eventCounts.merge(event.code(), 1, Integer::sum), event -> {
            lines.add(event.getFormattedMessage());
            lastLine = event;
            check(event, nowMs.getAsLong());
        });
        start();
        logger.setLevel(Level.INFO);
        logger.addAppender(this);
    }

    @Override
    protected void append(ILoggingEvent event) {
        pace.take(LogEntries.copy(event, clock.instant(), event.getFormattedMessage()));
    }

    /** Checks the pause after the last line with the same code, GUID, place, port and attribute, else the same text. */
    private void check(ILoggingEvent event, long ms) {
        Map<String, Object> fields = new HashMap<>();
        for (KeyValuePair pair : event.getKeyValuePairs()) {
            fields.put(pair.key, pair.value);
        }
        List<Object> subject = new ArrayList<>();
        for (EventField field :
                List.of(EventField.GUID, EventField.COORDINATES, EventField.PORT, EventField.ATTRIBUTE)) {
            subject.add(String.valueOf(fields.get(field.key())));
        }
        boolean isNamed = fields.containsKey("guid") || fields.containsKey("coordinates");
        String key = fields.get("code") + " " + (isNamed ? subject : event.getFormattedMessage());
        Long before = last.put(key, ms);
        assertThat(before == null || ms - before >= LinePace.PAUSE_MS)
                .as("%s came at %s ms and again at %s ms", key, before, ms)
                .isTrue();
    }

    @Override
    public void close() {
        logger.detachAppender(this);
        logger.setLevel(null);
    }
}
