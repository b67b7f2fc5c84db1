package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The last line about a flapping host reports its state, although losses and returns of hosts are no conditions. */
class FlappingHostTest {
    private static final EventLog EVENTS = EventLog.of(FlappingHostTest.class);

    private long nowMs;

    private static void report(SmEvent event, String state) {
        EVENTS.report(
                event,
                Stream.of(
                                EventField.NAME.of("host-1"),
                                EventField.DESTINATION.of("sw-1 port 1"),
                                EventField.STATE.of(state),
                                EventField.TEXT.of(""),
                                EventField.ACTION.of(""),
                                EventField.REASON.of("sweeps found it lost 2 times and back once"),
                                EventField.COUNT.of(5),
                                EventField.SECONDS.of(3),
                                EventField.GUID.of(1L),
                                EventField.PORT.of(1))
                        .filter(value -> event.fields().contains(value.field()))
                        .toArray(EventField.Value[]::new));
    }

    /** Unplugs the host at 2 s, plugs it in at 3 s, and unplugs it again at 4 s. The last line waits. */
    private void change() {
        nowMs = 2000;
        report(SmEvent.HOST_GONE, "");
        nowMs = 3000;
        report(SmEvent.HOST_BACK, "back");
        nowMs = 4000;
        report(SmEvent.HOST_GONE, "");
        nowMs = 5000;
    }

    private void becomesQuiet(PacedLines paced, String state) {
        for (; nowMs < 35_000; nowMs += 1000) {
            paced.pace.emitDue();
        }
        report(SmEvent.LINK_QUIET, state);
        nowMs = 60_000;
        paced.pace.emitDue();
    }

    @Test
    void aLossThatWaitsWhenTheFlappingBeginsIsReplacedByTheReturn() {
        try (PacedLines paced = new PacedLines(() -> nowMs)) {
            change();
            report(SmEvent.LINK_FLAPPING, "");
            report(SmEvent.HOST_BACK, "back");
            becomesQuiet(paced, "UP");
            assertThat(paced.lines).hasSize(4).last().asString().startsWith("TSM-4114 ");
        }
    }

    /** A report that waits replaces no line, so a loss and a return wait, too. */
    @Test
    void aReturnCountsAlsoIfTheReportOfTheFlappingWaits() {
        try (PacedLines paced = new PacedLines(() -> nowMs)) {
            report(SmEvent.LINK_FLAPPING, "");
            report(SmEvent.LINK_QUIET, "UP");
            change();
            report(SmEvent.LINK_FLAPPING, "");
            report(SmEvent.HOST_BACK, "back");
            becomesQuiet(paced, "UP");
            assertThat(paced.lines).last().asString().startsWith("TSM-4114 ");
        }
    }

    @Test
    void aLossThatWaitsWhenTheFlappingBeginsFollowsItsEnd() {
        try (PacedLines paced = new PacedLines(() -> nowMs)) {
            change();
            report(SmEvent.LINK_FLAPPING, "");
            becomesQuiet(paced, "DOWN");
            assertThat(paced.lines).hasSize(5).last().asString().startsWith("TSM-4007 host-1 is gone");
        }
    }

    /** The report of the end of the flapping is missing, and the next loss must not wait for it. */
    @Test
    void afterAMastershipNoLineWaits() {
        try (PacedLines paced = new PacedLines(() -> nowMs)) {
            report(SmEvent.LINK_FLAPPING, "");
            nowMs = 20_000;
            report(SmEvent.MASTERSHIP_CHANGED, "");
            nowMs = 40_000;
            report(SmEvent.HOST_GONE, "");
            nowMs = 60_000;
            paced.pace.emitDue();
            assertThat(paced.lines).last().asString().startsWith("TSM-4007 host-1 is gone");
        }
    }
}
