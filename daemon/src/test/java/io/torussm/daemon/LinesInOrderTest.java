package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import io.torussm.daemon.journal.Conditions;
import io.torussm.daemon.journal.Journal;
import io.torussm.daemon.journal.LinePace;
import io.torussm.daemon.journal.LogEntries;
import io.torussm.daemon.log.JournalAppender;
import io.torussm.event.EventEnds;
import io.torussm.event.EventField;
import io.torussm.event.LogSubject;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.testing.Seeds;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;

/** Random events at random times, in log and journal: all in order, and conditions as if nothing were held back. */
class LinesInOrderTest {
    private static final Instant START = Instant.parse("2026-11-29T08:00:00Z");
    private static final Pattern OWN = Pattern.compile("(?:\\(|\\(the last of | in )(\\d+) (?:times|sweeps) since");
    private static final Pattern REPLACED = Pattern.compile("not logged since [\\d:]+: ([^;)]+)");
    private static final Pattern TIMES = Pattern.compile("(\\w+) (?:once|(\\d+) times)");
    private static final Pattern EVENT = Pattern.compile("e(\\d+)");

    /** Begins and ends of conditions with devices and without, and events without conditions. */
    private static final List<SmEvent> EVENTS = List.of(
            SmEvent.LINK_ENDS_DIFFER,
            SmEvent.LINK_ENDS_AGREE,
            SmEvent.INVENTORY_DIFFERS,
            SmEvent.INVENTORY_AGREES,
            SmEvent.PEER_LEFT,
            SmEvent.PEER_JOINED,
            SmEvent.STATE_FILE_NOT_WRITTEN,
            SmEvent.STATE_FILE_WRITTEN,
            SmEvent.SUBNET_UP,
            SmEvent.SWEEP_FAILED,
            SmEvent.HOST_GONE,
            SmEvent.HOST_BACK,
            SmEvent.LINK_FLAPPING,
            SmEvent.LINK_QUIET,
            SmEvent.TRAP_RECEIVED);

    /** Events that sweeps of a {@link FlappingFabric} report. */
    private static final List<SmEvent> OF_SWEEPS =
            List.of(SmEvent.INVENTORY_DIFFERS, SmEvent.INVENTORY_AGREES, SmEvent.SUBNET_UP);

    /** Changes that a sweep finds, and whose summary follows. */
    private static final List<SmEvent> OF_HOSTS = List.of(SmEvent.HOST_GONE, SmEvent.HOST_BACK);

    /** Begin and end of the flapping of a link. Its state follows the end unless it is that of the line before. */
    private static final List<SmEvent> OF_FLAPPING = List.of(SmEvent.LINK_FLAPPING, SmEvent.LINK_QUIET);

    /** A run by a seed. */
    private static final class Run {
        private final Random random;
        private final Journal journal = new Journal();
        private final Conditions model = new Conditions();
        private final List<ILoggingEvent> log = new ArrayList<>();
        private final Map<String, Long> eventCounts = new HashMap<>();

        /** The codes of events, by their texts. */
        private final Map<String, String> codes = new HashMap<>();

        /** The last event about each host. */
        private final Map<String, Journal.Entry> hosts = new HashMap<>();

        /** The hosts of which a line has reported or counted the last event. */
        private final Set<String> read = new HashSet<>();

        /** The codes of the last lines about hosts; empty if another line has counted later events. */
        private final Map<String, String> shown = new HashMap<>();

        private final LinePace pace;
        private final FlappingFabric fabric;

        /** True if the events of sweeps are those of the fabric, and not at random. */
        private final boolean isSwept;

        /** True if no hosts change. */
        private final boolean isOfCablesOnly;

        private long nowMs;
        private long number;

        Run(long seed) {
            random = Seeds.random(seed);
            isSwept = seed % 2 == 1;
            isOfCablesOnly = seed % 4 == 1;
            fabric = new FlappingFabric(random, isOfCablesOnly);
            pace = JournalAppender.newPace(journal, this::print, () -> nowMs, () -> START.plusMillis(nowMs));
        }

        void play(int steps) {
            for (int step = 0; step < steps; step++) {
                nowMs += random.nextInt(random.nextInt(8) == 0 ? 12_000 : 1_500);
                if (random.nextInt(4) == 0) {
                    pace.emitDue();
                    fabric.checkWait(nowMs);
                } else {
                    SmEvent event = EVENTS.get(random.nextInt(EVENTS.size()));
                    if (isSwept && OF_SWEEPS.contains(event)) {
                        sweep();
                    } else if (!isOfCablesOnly || !OF_HOSTS.contains(event)) {
                        countEvent(event);
                        if (isSwept && OF_HOSTS.contains(event)) {
                            sweep();
                        }
                    }
                }
                checkConditions();
            }
            fabric.end();
            pace.flush();
            checkConditions();
        }

        private void print(ILoggingEvent line) {
            log.add(line);
            readHost(LogEntries.entry(line));
            if (isSwept) {
                fabric.read(LogEntries.entry(line));
            }
        }

        /** Reads a line, after which no line about the same host may report another state than its last event. */
        private void readHost(Journal.Entry line) {
            String device = LogSubject.device(line.fields());
            Journal.Entry last = hosts.get(device);
            if (last == null) {
                return;
            }
            boolean isReport =
                    OF_FLAPPING.stream().anyMatch(report -> report.code().equals(line.code()));
            if (isOfHost(line)) {
                shown.put(device, line.code());
            } else if (!isReport && REPLACED.matcher(line.text()).find()) {
                shown.put(device, "");
            }
            boolean isSame = line.code().equals(last.code());
            assertThat(isOfHost(line) && !isSame && read.contains(device))
                    .as(line.line())
                    .isFalse();
            String words = last.code().equals(SmEvent.HOST_GONE.code()) ? " gone " : " back ";
            if (newest(line) >= newest(last) && (isSame || line.text().contains(words))) {
                read.add(device);
            }
        }

        private static boolean isOfHost(Journal.Entry event) {
            return OF_HOSTS.stream().anyMatch(host -> host.code().equals(event.code()));
        }

        private void sweep() {
            for (FlappingFabric.SweepEvent found : fabric.sweep()) {
                nowMs += random.nextInt(3);
                if (random.nextInt(8) == 0) {
                    pace.emitDue();
                }
                LoggingEvent line = line(found.event(), found.text());
                if (!found.guid().isEmpty()) {
                    line.addKeyValuePair(new KeyValuePair(EventField.GUID.key(), found.guid()));
                    line.addKeyValuePair(new KeyValuePair(EventField.PORT.key(), "1"));
                }
                fabric.countEvent(found, nowMs);
                log(line);
                checkConditions();
            }
            fabric.endSweep();
        }

        private LoggingEvent line(SmEvent event, String text) {
            LoggingEvent line = new LoggingEvent();
            line.setLevel(Level.toLevel(event.severity().level().toUpperCase(Locale.ROOT)));
            line.setInstant(START.plusMillis(nowMs - random.nextInt(3))); // threads race to the log
            line.setThreadName("sm");
            line.setMDCPropertyMap(Map.of());
            line.addKeyValuePair(new KeyValuePair(EventLog.CODE, event.code()));
            line.setMessage(event.code() + " " + text);
            return line;
        }

        private void log(LoggingEvent line) {
            Journal.Entry event = LogEntries.entry(line);
            eventCounts.merge(event.code(), 1L, Long::sum);
            codes.put(event.text(), event.code());
            model.add(event);
            if (isOfHost(event)) {
                hosts.put(LogSubject.device(event.fields()), event);
                read.remove(LogSubject.device(event.fields()));
            }
            pace.take(line);
        }

        private void countEvent(SmEvent event) {
            List<KeyValuePair> subject =
                    List.of(EventField.GUID, EventField.PORT, EventField.FILE, EventField.PEER).stream()
                            .filter(event.fields()::contains)
                            .map(field -> new KeyValuePair(field.key(), "0x" + random.nextInt(2)))
                            .toList();
            LoggingEvent line = line(event, subject.isEmpty() ? "t" + random.nextInt(3) : "e" + number);
            number++;
            subject.forEach(line::addKeyValuePair);
            log(line);
        }

        private static List<String> shown(List<Journal.Entry> conditions) {
            return conditions.stream()
                    .map(begun -> begun.time() + " " + begun.line() + begun.fields())
                    .toList();
        }

        private void checkConditions() {
            assertThat(shown(journal.conditions())).isEqualTo(shown(model.openEvents()));
        }

        void checkLines() {
            List<Journal.Entry> lines = journal.after(0);
            assertThat(log).hasSameSizeAs(lines);
            Conditions read = new Conditions();
            Map<String, Long> counted = new HashMap<>();
            Map<String, Long> newest = new HashMap<>();
            Instant before = START.minus(Duration.ofDays(1));
            for (int i = 0; i < lines.size(); i++) {
                Journal.Entry line = lines.get(i);
                assertThat(line.number()).isEqualTo(i + 1);
                assertThat(log.get(i).getFormattedMessage()).isEqualTo(line.line());
                assertThat(log.get(i).getInstant()).isEqualTo(line.time());
                assertThat(log.get(i).getKeyValuePairs()).contains(new KeyValuePair(JournalAppender.NUMBER, i + 1L));
                assertThat(line.time()).isAfterOrEqualTo(before);
                before = line.time();
                read.add(line);
                count(line, counted);
                checkNewest(line, newest);
            }
            hosts.forEach((device, last) -> assertThat(shown.getOrDefault(device, SmEvent.HOST_BACK.code()))
                    .as("the last line about %s, or a line that counted later events", device)
                    .isIn(last.code(), ""));
            assertThat(counted).isEqualTo(eventCounts);
            counted.forEach((code, count) -> assertThat(journal.count(code)).isEqualTo(count));
            assertThat(read.openEvents().stream().map(Conditions::key))
                    .containsExactlyInAnyOrderElementsOf(
                            model.openEvents().stream().map(Conditions::key).toList());
        }

        /** Counts events by code as a reader of the lines does. */
        private void count(Journal.Entry line, Map<String, Long> counted) {
            long own = OWN.matcher(line.text())
                    .results()
                    .map(found -> Long.parseLong(found.group(1)))
                    .findFirst()
                    .orElse(1L);
            counted.merge(line.code(), own, Long::sum);
            REPLACED.matcher(line.text())
                    .results()
                    .flatMap(found -> TIMES.matcher(found.group(1)).results())
                    .forEach(found -> counted.merge(
                            code(line, found.group(1)),
                            found.group(2) == null ? 1 : Long.parseLong(found.group(2)),
                            Long::sum));
        }

        /** Returns the code of events that a line counts in words. */
        private String code(Journal.Entry line, String words) {
            boolean isOfCable =
                    line.fields().getOrDefault(EventField.GUID.key(), "").startsWith(FlappingFabric.CABLE);
            return switch (words) {
                case "lost" -> SmEvent.CABLE_LOST.code();
                case "gone" -> SmEvent.HOST_GONE.code();
                case "back" -> (isOfCable ? SmEvent.CABLE_BACK : SmEvent.HOST_BACK).code();
                case "begun" ->
                    isBegin(line)
                            ? line.code()
                            : EventEnds.eventsEndedBy(line.code()).get(0).code();
                case "ended" -> isBegin(line) ? EventEnds.endCodeOf(line.code()) : line.code();
                default -> Objects.requireNonNull(codes.get(words), words);
            };
        }

        private static boolean isBegin(Journal.Entry line) {
            return !EventEnds.endCodeOf(line.code()).isEmpty();
        }

        /**
         * Checks that the last event of a line is newer than that of the line before about the same condition or
         * device.
         */
        private static void checkNewest(Journal.Entry line, Map<String, Long> newest) {
            String device = LogSubject.device(line.fields());
            if (!device.isEmpty() && !Conditions.isConditionEvent(line)) {
                long last = newest(line);
                Long earlier = newest.put(device, last);
                assertThat(earlier == null || earlier < last).as(line.line()).isTrue();
            }
        }

        /** Returns the number of the newest event of a line, without the events that it replaces. */
        private static long newest(Journal.Entry line) {
            String own = REPLACED.splitAsStream(line.text()).findFirst().orElseThrow();
            return EVENT.matcher(own)
                    .results()
                    .mapToLong(found -> Long.parseLong(found.group(1)))
                    .max()
                    .orElse(-1);
        }
    }

    private static void check(long seed) {
        Run run = new Run(seed);
        try {
            run.play(150);
            run.checkLines();
        } catch (AssertionError e) {
            throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
        }
    }

    @Test
    void linesAreInOrderInEachRun() {
        LongStream.rangeClosed(1, Long.getLong("seeds", 150)).forEach(LinesInOrderTest::check);
    }

    @Tag("campaign")
    @Test
    void linesAreInOrderInTenThousandRuns() {
        LongStream.rangeClosed(1, 10_000).forEach(LinesInOrderTest::check);
    }
}
