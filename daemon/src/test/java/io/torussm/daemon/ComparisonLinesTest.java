package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import org.junit.jupiter.api.Test;

/** Lines that compare the fabric with the accepted inventory agree with earlier lines about changes of the fabric. */
class ComparisonLinesTest extends LinePaceCase {
    private static void differs() {
        EVENTS.report(SmEvent.INVENTORY_DIFFERS, EventField.COUNT.of(1), EventField.TEXT.of("missing_cable"));
    }

    @Test
    void aComparisonDoesNotLeaveIfItsCableIsLostAgain() {
        try (PacedLines paced = new PacedLines(() -> nowMs)) {
            cable(SmEvent.CABLE_LOST, "");
            nowMs = 1000;
            cable(SmEvent.CABLE_BACK, "back");
            nowMs = 3000;
            cable(SmEvent.CABLE_LOST, "");
            differs();
            nowMs = 4000;
            cable(SmEvent.CABLE_BACK, "back");
            EVENTS.report(SmEvent.INVENTORY_AGREES);
            nowMs = 6000;
            cable(SmEvent.CABLE_LOST, "");
            paced.pace.emitDue();
            differs();
            assertThat(paced.lines).hasSize(2);
            nowMs = 10_000;
            paced.pace.emitDue();
            assertThat(paced.lines.subList(2, paced.lines.size()))
                    .containsExactly(
                            "TSM-4010 sw-1 port 1 has lost its link to sw-2 port 2 (at 00:00:06;"
                                    + " not logged since 00:00:03: lost once, back once)",
                            "TSM-6041 differences from the accepted inventory: 1, the worst: missing_cable"
                                    + " (at 00:00:06; not logged since 00:00:03: begun once, ended once)");
        }
    }

    /** However old it is, a comparison does not begin a condition that the sweep in progress ends. */
    @Test
    void anOldComparisonDoesNotLeaveAmongTheChangesOfASweep() {
        try (PacedLines paced = new PacedLines(() -> nowMs)) {
            cable(SmEvent.CABLE_LOST, "");
            up(27);
            nowMs = 1000;
            cable(SmEvent.CABLE_BACK, "back");
            nowMs = 3000;
            cable(SmEvent.CABLE_LOST, "");
            differs();
            up(27);
            int linesBefore = paced.lines.size();
            nowMs = 60_000; // a machine that slept
            cable(SmEvent.CABLE_BACK, "back");
            paced.pace.emitDue();
            nowMs += 59_999;
            paced.pace.emitDue();
            EVENTS.report(SmEvent.INVENTORY_AGREES);
            up(28);
            assertThat(paced.lines.subList(linesBefore, paced.lines.size()))
                    .noneMatch(line -> line.startsWith("TSM-6041"))
                    .last()
                    .isEqualTo("TSM-6001 SUBNET UP: 28 links");
        }
    }

    @Test
    void aComparisonLeavesAMinuteAfterAChangeWithoutSubnetUp() {
        try (PacedLines paced = new PacedLines(() -> nowMs)) {
            cable(SmEvent.CABLE_LOST, "");
            cable(SmEvent.CABLE_BACK, "back");
            cable(SmEvent.CABLE_LOST, "");
            differs();
            cable(SmEvent.CABLE_LOST, "", 2);
            nowMs = 59_999;
            paced.pace.emitDue();
            assertThat(paced.lines).noneMatch(line -> line.startsWith("TSM-6041"));
            nowMs++;
            paced.pace.emitDue();
            assertThat(paced.lines).last().asString().startsWith("TSM-6041").endsWith("missing_cable (at 00:00:00)");
        }
    }

    /** While no sweep ends, each change may be the last one before a SUBNET UP. */
    @Test
    void aComparisonLeavesAfterTwoMinutesOfChangesWithoutSubnetUp() {
        try (PacedLines paced = new PacedLines(() -> nowMs)) {
            cable(SmEvent.CABLE_LOST, "");
            cable(SmEvent.CABLE_BACK, "back");
            cable(SmEvent.CABLE_LOST, "");
            differs();
            cable(SmEvent.CABLE_LOST, "", 2);
            while (nowMs < 119_000) {
                nowMs += 17_000;
                cable(SmEvent.CABLE_LOST, "", 2 + (int) nowMs / 17_000);
                paced.pace.emitDue();
            }
            assertThat(nowMs).isEqualTo(119_000);
            assertThat(paced.lines).noneMatch(line -> line.startsWith("TSM-6041"));
            nowMs = 120_000;
            paced.pace.emitDue();
            assertThat(paced.lines).last().asString().startsWith("TSM-6041").endsWith("missing_cable (at 00:00:00)");
        }
    }

    /** The last line of a process has the numbers of the last sweep, which are not those of the fabric any more. */
    @Test
    void aLastSummaryBeforeALossDoesNotSayUnchanged() {
        try (PacedLines paced = new PacedLines(() -> nowMs)) {
            up(27);
            nowMs = 1000;
            up(28);
            nowMs = 4000;
            cable(SmEvent.CABLE_LOST, "");
            paced.pace.flush();
            assertThat(paced.lines).last().asString().isEqualTo("TSM-6001 SUBNET UP: 28 links (at 00:00:01)");
        }
    }

    /** Cables whose pauses overlap always have a line that waits. */
    @Test
    void aComparisonWaitsForTenSecondsAtMost() {
        try (PacedLines paced = new PacedLines(() -> nowMs)) {
            long unreadMs = -1;
            for (int step = 0; step < 120; step++) {
                nowMs = 500L * step;
                int linesBefore = paced.lines.size();
                boolean isLoss = step % 2 == 0;
                cable(isLoss ? SmEvent.CABLE_LOST : SmEvent.CABLE_BACK, "", 1 + step / 2 % 6);
                if (isLoss) {
                    differs();
                } else {
                    EVENTS.report(SmEvent.INVENTORY_AGREES);
                }
                unreadMs = unreadMs < 0 ? nowMs : unreadMs;
                up(step);
                paced.pace.emitDue();
                assertThat(nowMs - unreadMs).isLessThanOrEqualTo(10_500);
                boolean isRead = paced.lines.stream().skip(linesBefore).anyMatch(line -> line.startsWith("TSM-604"));
                unreadMs = isRead ? -1 : unreadMs;
            }
        }
    }
}
