package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.LoggingEvent;
import io.torussm.daemon.journal.LinePace;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.sweep.state.SweepWork;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;

/** No line comes more than once in ten seconds for the same subject. Storms check the same with {@link PacedLines}. */
class LinePaceTest extends LinePaceCase {
    private static void renamed(String name, long guid) {
        EVENTS.report(
                SmEvent.NODE_RENAMED, EventField.NAME.of("x"), EventField.TEXT.of(name), EventField.GUID.of(guid));
    }

    @Test
    void earlyChangesWaitAndAreOneLineTogether() {
        try (PacedLines paced = new PacedLines(() -> nowMs)) {
            renamed("a", 1);
            nowMs = 2000;
            renamed("b", 1);
            renamed("other", 2);
            nowMs = 4000;
            renamed("c", 1);
            assertThat(paced.lines).hasSize(2);
            nowMs = 9_999;
            paced.pace.emitDue();
            assertThat(paced.lines).hasSize(2);
            nowMs = 10_000;
            paced.pace.emitDue();
            assertThat(paced.lines).hasSize(3);
            assertThat(paced.lines.get(2))
                    .contains("\"b\"", "\"c\"", "(2 times since 00:00:02, the last at 00:00:04)")
                    .startsWith("TSM-4002");
            assertThat(paced.eventCounts).containsExactly(Map.entry("TSM-4002", 4));
            nowMs = 15_000;
            renamed("d", 1);
            nowMs = 20_000;
            paced.pace.emitDue();
            assertThat(paced.lines).hasSize(4);
            assertThat(paced.lines.get(3)).endsWith("x has the new name \"d\" (at 00:00:15)");
        }
    }

    /** The summary of a sweep confirms the lines of its changes, and is none where nothing new was reported. */
    @Test
    void aSweepWithoutNewsIsCountedByTheNext() {
        try (PacedLines paced = new PacedLines(() -> nowMs)) {
            up(9);
            renamed("a", 1);
            up(8);
            nowMs = 2000;
            up(7);
            up(6);
            assertThat(paced.lines).hasSize(3).last().isEqualTo("TSM-6001 SUBNET UP: 8 links");
            nowMs = 60_000;
            paced.pace.emitDue();
            assertThat(paced.lines).as("no line leaves late").hasSize(3);
            up(5);
            assertThat(paced.lines.get(3))
                    .isEqualTo("TSM-6001 SUBNET UP: 5 links (the last of 3 sweeps since 00:00:02)");
        }
    }

    private static void up(int links, SweepWork work) {
        List<EventField.Value> fields = new ArrayList<>(work.fields());
        fields.add(EventField.STATE.of(""));
        fields.add(EventField.TEXT.of(links + " links; " + work + "; route 0.1 s"));
        EVENTS.report(SmEvent.SUBNET_UP, fields.toArray(EventField.Value[]::new));
    }

    /** The numbers of a line are those of all of its sweeps, also as fields. */
    @Test
    void theWorkOfSeveralSweepsIsAddedUp() {
        try (PacedLines paced = new PacedLines(() -> nowMs)) {
            up(9, new SweepWork(1, 2, 30));
            nowMs = 2000;
            up(8, new SweepWork(513, 0, 560));
            up(9, new SweepWork(512, 2, 566));
            renamed("a", 1);
            up(9, new SweepWork(0, 0, 20));
            assertThat(paced.lines)
                    .containsExactly(
                            "TSM-6001 SUBNET UP: 9 links; 1 table block written, 2 ports activated, 30 SMPs; route 0.1 s",
                            "TSM-4002 x has the new name \"a\"",
                            "TSM-6001 SUBNET UP: 9 links; 1025 table blocks written, 2 ports activated, 1146 SMPs"
                                    + " in 3 sweeps since 00:00:02; route 0.1 s");
            assertThat(paced.lastLine.getKeyValuePairs())
                    .contains(new KeyValuePair("blocks", 1025L), new KeyValuePair("smps", 1146L));
        }
    }

    @Test
    void theLastSweepFollowsTheSummaryOfItsEvents() {
        try (PacedLines paced = new PacedLines(() -> nowMs)) {
            renamed("a", 1);
            up(8);
            nowMs = 2000;
            renamed("b", 1);
            up(7);
            nowMs = 10_000;
            paced.pace.emitDue();
            assertThat(paced.lines)
                    .containsExactly(
                            "TSM-4002 x has the new name \"a\"",
                            "TSM-6001 SUBNET UP: 8 links",
                            "TSM-4002 x has the new name \"b\" (at 00:00:02)",
                            "TSM-6001 SUBNET UP: 7 links (unchanged since 00:00:02)");
        }
    }

    @Test
    void aFlappingCableIsNamedOnceInALine() {
        try (PacedLines paced = new PacedLines(() -> nowMs)) {
            for (int flap = 0; flap < 3; flap++) {
                cable(SmEvent.CABLE_LOST, "");
                nowMs += 1000;
                cable(SmEvent.CABLE_BACK, "back");
                nowMs += 2000;
            }
            nowMs = 12_000;
            paced.pace.emitDue();
            assertThat(paced.lines)
                    .containsExactly(
                            "TSM-4010 sw-1 port 1 has lost its link to sw-2 port 2",
                            "TSM-4011 the link of sw-1 port 1 to sw-2 port 2 is back",
                            "TSM-4011 the link of sw-1 port 1 to sw-2 port 2 is back (at 00:00:07;"
                                    + " not logged since 00:00:03: lost 2 times, back once)");
        }
    }

    /** A line about the loss is due when the cable returns, and is not true any more. */
    @Test
    void aReturnDiscardsALossThatIsDueAndWaitsForItsOwnPause() {
        try (PacedLines paced = new PacedLines(() -> nowMs)) {
            cable(SmEvent.CABLE_LOST, "");
            up(27);
            nowMs = 1000;
            cable(SmEvent.CABLE_BACK, "back");
            up(28);
            nowMs = 3000;
            cable(SmEvent.CABLE_LOST, "");
            up(27);
            nowMs = 10_500;
            cable(SmEvent.CABLE_BACK, "back");
            up(28);
            assertThat(paced.lines).hasSize(4);
            nowMs = 11_000;
            paced.pace.emitDue();
            assertThat(paced.lines.subList(4, paced.lines.size()))
                    .containsExactly(
                            "TSM-4011 the link of sw-1 port 1 to sw-2 port 2 is back (not logged since 00:00:03: lost"
                                    + " once)",
                            "TSM-6001 SUBNET UP: 28 links (the last of 2 sweeps since 00:00:03)");
        }
    }

    /** A summary that cannot wait counts the lines that its numbers are ahead of; a comparison waits for them. */
    @Test
    void summariesAgreeWithTheLinesBefore() {
        try (PacedLines paced = new PacedLines(() -> nowMs)) {
            cable(SmEvent.CABLE_LOST, "");
            up(27);
            nowMs = 1000;
            cable(SmEvent.CABLE_BACK, "back");
            up(28);
            nowMs = 3000;
            cable(SmEvent.CABLE_LOST, "");
            EVENTS.report(SmEvent.INVENTORY_DIFFERS, EventField.COUNT.of(1), EventField.TEXT.of("missing_cable"));
            up(27);
            assertThat(paced.lines).hasSize(4);
            renamed("a", 3);
            up(27);
            assertThat(paced.lines.subList(4, 6))
                    .containsExactly(
                            "TSM-4002 x has the new name \"a\"",
                            "TSM-6001 SUBNET UP: 27 links (the last of 2 sweeps since 00:00:03;"
                                    + " 1 older change has no line yet)");
            nowMs = 10_000;
            paced.pace.emitDue();
            assertThat(paced.lines.subList(6, paced.lines.size()))
                    .containsExactly(
                            "TSM-4010 sw-1 port 1 has lost its link to sw-2 port 2 (at 00:00:03)",
                            "TSM-6041 differences from the accepted inventory: 1, the worst: missing_cable (at 00:00:03)");
        }
    }

    /** A name that a trap reports is no change that the numbers of a sweep contain. */
    @Test
    void aNewNameHoldsNoSummaryBack() {
        try (PacedLines paced = new PacedLines(() -> nowMs)) {
            cable(SmEvent.CABLE_LOST, "");
            up(27);
            nowMs = 2000;
            cable(SmEvent.CABLE_BACK, "back");
            up(28);
            nowMs = 3000;
            cable(SmEvent.CABLE_LOST, "");
            up(27);
            nowMs = 4000;
            renamed("a", 3);
            nowMs = 10_000;
            paced.pace.emitDue();
            assertThat(paced.lines.subList(4, paced.lines.size()))
                    .containsExactly(
                            "TSM-4002 x has the new name \"a\"",
                            "TSM-4010 sw-1 port 1 has lost its link to sw-2 port 2 (at 00:00:03)",
                            "TSM-6001 SUBNET UP: 27 links (unchanged since 00:00:03)");
        }
    }

    private static void flaps() {
        EVENTS.report(
                SmEvent.LINK_FLAPPING,
                EventField.NAME.of("sw-1 port 1"),
                EventField.TEXT.of(", cabled to sw-2 port 2"),
                EventField.STATE.of("DOWN"),
                EventField.REASON.of("sweeps found it lost 2 times and back once"),
                EventField.COUNT.of(3),
                EventField.SECONDS.of(3),
                EventField.GUID.of(1L),
                EventField.PORT.of(1));
    }

    private static void quiet(String state) {
        EVENTS.report(
                SmEvent.LINK_QUIET,
                EventField.NAME.of("sw-1 port 1"),
                EventField.TEXT.of(", cabled to sw-2 port 2"),
                EventField.STATE.of(state),
                EventField.ACTION.of(""),
                EventField.REASON.of("sweeps found it lost 3 times and back 3 times"),
                EventField.COUNT.of(6),
                EventField.SECONDS.of(12),
                EventField.GUID.of(1L),
                EventField.PORT.of(1));
    }

    /** Loses the cable, and repeatedly after two seconds each. Ends 30 s after the last change. */
    private void flap(PacedLines paced, boolean isUpAtEnd) {
        cable(SmEvent.CABLE_LOST, "");
        up(27);
        nowMs = 1000;
        cable(SmEvent.CABLE_BACK, "back");
        up(28);
        nowMs = 3000;
        flaps();
        boolean isUp = true;
        for (; nowMs < 14_000 || isUp != isUpAtEnd; nowMs += 2000) {
            isUp = !isUp;
            cable(isUp ? SmEvent.CABLE_BACK : SmEvent.CABLE_LOST, isUp ? "back" : "");
            up(isUp ? 28 : 27);
            paced.pace.emitDue();
        }
        for (long endMs = nowMs + 28_000; nowMs < endMs; nowMs += 1000) {
            paced.pace.emitDue();
        }
        quiet(isUpAtEnd ? "UP" : "DOWN");
        up(isUpAtEnd ? 28 : 27);
    }

    /** A line about a return could be wrong a second later. */
    @Test
    void aFlappingLinkHasNoLinesAboutSingleChanges() {
        try (PacedLines paced = new PacedLines(() -> nowMs)) {
            flap(paced, true);
            assertThat(paced.lines)
                    .filteredOn(line -> !line.startsWith("TSM-6001"))
                    .hasSize(4)
                    .last()
                    .asString()
                    .startsWith("TSM-4114 sw-1 port 1, cabled to sw-2 port 2: the link is UP")
                    .endsWith(" (not logged since 00:00:03: lost 3 times, back 3 times)");
            assertThat(paced.lines)
                    .filteredOn(line -> line.contains("1 link flaps"))
                    .isNotEmpty();
        }
    }

    /** The last line before the flapping was about a return. */
    @Test
    void aFlappingLinkThatEndsDownIsLoggedAsLost() {
        try (PacedLines paced = new PacedLines(() -> nowMs)) {
            flap(paced, false);
            assertThat(paced.lines)
                    .filteredOn(line -> !line.startsWith("TSM-6001"))
                    .hasSize(5)
                    .last()
                    .isEqualTo("TSM-4010 sw-1 port 1 has lost its link to sw-2 port 2 (at 00:00:15;"
                            + " not logged since 00:00:03: lost 3 times, back 3 times)");
        }
    }

    /** The sweeps of the flapping are not counted by a later one. */
    @Test
    void theLastSweepFollowsTheEndOfTheFlapping() {
        try (PacedLines paced = new PacedLines(() -> nowMs)) {
            cable(SmEvent.CABLE_LOST, "");
            nowMs = 1000;
            flaps();
            up(27);
            cable(SmEvent.CABLE_BACK, "back");
            up(28);
            nowMs = 31_000;
            quiet("UP");
            assertThat(paced.lines.subList(3, paced.lines.size()))
                    .containsExactly(
                            "TSM-4114 sw-1 port 1, cabled to sw-2 port 2: the link is UP; it no longer flaps, quiet"
                                    + " for 30 s after sweeps found it lost 3 times and back 3 times in 12 s",
                            "TSM-4011 the link of sw-1 port 1 to sw-2 port 2 is back (at 00:00:01)",
                            "TSM-6001 SUBNET UP: 28 links (unchanged since 00:00:01)");
        }
    }

    /** The reports end without a last one when another SM becomes master. */
    @Test
    void aLinkThatIsNotReportedForLongHoldsNoLineBack() {
        try (PacedLines paced = new PacedLines(() -> nowMs)) {
            flaps();
            cable(SmEvent.CABLE_LOST, "");
            nowMs = TimeUnit.MINUTES.toMillis(15) - 1;
            paced.pace.emitDue();
            assertThat(paced.lines).hasSize(1);
            nowMs++;
            paced.pace.emitDue();
            assertThat(paced.lines)
                    .last()
                    .isEqualTo("TSM-4010 sw-1 port 1 has lost its link to sw-2 port 2 (at 00:00:00)");
        }
    }

    @Test
    void theLastLinesAreWrittenAtTheEnd() {
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
                        "1970-01-01T00:00:00Z loop TSM-4002 a", "1970-01-01T00:00:02Z loop TSM-4002 b (at 00:00:00)");
    }
}
