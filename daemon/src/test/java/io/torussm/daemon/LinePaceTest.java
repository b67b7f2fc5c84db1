package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.torussm.daemon.journal.LinePace;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;
import org.slf4j.event.KeyValuePair;

/** No line comes more than once in ten seconds for the same subject. */
class LinePaceTest {
    private static final EventLog EVENTS = EventLog.of(LinePaceTest.class);

    @TempDir
    Path dir;

    private long nowMs;

    /** Lines as they come out of the pace, with their times. */
    private static final class Paced extends AppenderBase<ILoggingEvent> implements AutoCloseable {
        private final Logger logger = (Logger) LoggerFactory.getLogger("io.torussm");
        final List<String> lines = new ArrayList<>();
        final Map<String, Integer> happened = new TreeMap<>();
        private final Map<String, Long> last = new HashMap<>();
        final LinePace pace;

        Paced(LongSupplier nowMs) {
            pace = new LinePace(
                    nowMs, InstantSource.system(), event -> happened.merge(event.code(), 1, Integer::sum), event -> {
                        lines.add(event.getFormattedMessage());
                        check(event, nowMs.getAsLong());
                    });
            start();
            logger.setLevel(Level.INFO);
            logger.addAppender(this);
        }

        @Override
        protected void append(ILoggingEvent event) {
            pace.take(event);
        }

        /** The subject as an operator would say it: code, GUID, place, port; else all of the line. */
        private void check(ILoggingEvent event, long ms) {
            Map<String, Object> fields = new HashMap<>();
            for (KeyValuePair pair : event.getKeyValuePairs()) {
                fields.put(pair.key, pair.value);
            }
            List<Object> subject = new ArrayList<>();
            for (EventField field : List.of(EventField.GUID, EventField.COORDINATES, EventField.PORT)) {
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

    private static void renamed(String name, long guid) {
        EVENTS.report(
                SmEvent.NODE_RENAMED, EventField.NAME.of("x"), EventField.TEXT.of(name), EventField.GUID.of(guid));
    }

    @Test
    void whatComesTooSoonWaitsAndIsOneLineWithAllThatIsNew() {
        try (Paced paced = new Paced(() -> nowMs)) {
            renamed("a", 1);
            nowMs = 2000;
            renamed("b", 1);
            renamed("other", 2);
            nowMs = 4000;
            renamed("c", 1);
            assertThat(paced.lines).hasSize(2);
            nowMs = 9_999;
            paced.pace.tick();
            assertThat(paced.lines).hasSize(2);
            nowMs = 10_000;
            paced.pace.tick();
            assertThat(paced.lines).hasSize(3);
            assertThat(paced.lines.get(2))
                    .contains("\"b\"", "\"c\"", "(2 times, the last 6 s ago)")
                    .startsWith("TSM-4002");
            assertThat(paced.happened).containsExactly(Map.entry("TSM-4002", 4));
            nowMs = 15_000;
            renamed("d", 1);
            nowMs = 20_000;
            paced.pace.tick();
            assertThat(paced.lines).hasSize(4);
            assertThat(paced.lines.get(3)).endsWith("x has the new name \"d\" (5 s ago)");
        }
    }

    private static void up(int links) {
        EVENTS.report(SmEvent.SUBNET_UP.says(links + " links"));
    }

    /** The summary of a sweep confirms the lines of its changes, and is none where nothing new was reported. */
    @Test
    void aSweepWithoutNewsIsCountedByTheNext() {
        try (Paced paced = new Paced(() -> nowMs)) {
            up(9);
            renamed("a", 1);
            up(8);
            nowMs = 2000;
            up(7);
            up(6);
            assertThat(paced.lines).hasSize(3).last().isEqualTo("TSM-6001 SUBNET UP: 8 links");
            nowMs = 60_000;
            paced.pace.tick();
            assertThat(paced.lines).as("no line leaves late").hasSize(3);
            up(5);
            assertThat(paced.lines.get(3)).isEqualTo("TSM-6001 SUBNET UP: 5 links (3 times, the last 0 s ago)");
        }
    }

    @Test
    void theLastSweepFollowsTheSummaryOfItsEvents() {
        try (Paced paced = new Paced(() -> nowMs)) {
            renamed("a", 1);
            up(8);
            nowMs = 2000;
            renamed("b", 1);
            up(7);
            nowMs = 10_000;
            paced.pace.tick();
            assertThat(paced.lines)
                    .containsExactly(
                            "TSM-4002 x has the new name \"a\"",
                            "TSM-6001 SUBNET UP: 8 links",
                            "TSM-4002 x has the new name \"b\" (8 s ago)",
                            "TSM-6001 SUBNET UP: 7 links (8 s ago)");
        }
    }

    @Test
    void nothingIsLostAtTheEnd() {
        List<String> lines = new ArrayList<>();
        LinePace pace = new LinePace(
                () -> nowMs,
                () -> Instant.EPOCH.plusMillis(nowMs),
                event -> {},
                event -> lines.add(
                        event.getInstant() + " " + event.getThreadName() + " " + event.getFormattedMessage()));
        for (String text : List.of("a", "b")) {
            LoggingEvent event = new LoggingEvent();
            event.setInstant(Instant.EPOCH);
            event.setThreadName("loop");
            event.setLevel(Level.INFO);
            event.setMDCPropertyMap(Map.of());
            event.setMessage("TSM-4002 " + text);
            event.addKeyValuePair(new KeyValuePair(EventLog.CODE, "TSM-4002"));
            event.addKeyValuePair(new KeyValuePair("guid", "0x1"));
            pace.take(event);
        }
        assertThat(lines).containsExactly("1970-01-01T00:00:00Z loop TSM-4002 a");
        nowMs = 2_000;
        pace.flush();
        pace.flush();
        assertThat(lines)
                .as("with the present time and the thread of the event")
                .containsExactly(
                        "1970-01-01T00:00:00Z loop TSM-4002 a", "1970-01-01T00:00:02Z loop TSM-4002 b (2 s ago)");
    }

    @Tag("slow")
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void holdsInAStormOfDevices(long seed) throws Exception {
        DeviceStorm storm = new DeviceStorm(seed, dir);
        try (Paced paced = new Paced(storm::nowMs)) {
            storm.run();
            assertThat(paced.lines).isNotEmpty();
        }
    }

    @Tag("slow")
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void holdsInAStorm(long seed) throws Exception {
        Storm storm = new Storm(Storm.SMALL, seed, dir);
        try (Paced paced = new Paced(storm::nowMs)) {
            storm.run();
            assertThat(paced.lines).isNotEmpty();
        }
    }
}
