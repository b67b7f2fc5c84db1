package io.torussm.daemon.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The time since which a subnet is up, and the changes of the last sweep. */
class SweepHistoryTest {
    private static final Instant START = Instant.parse("2026-11-22T06:00:00Z");
    private final SweepHistory history = new SweepHistory();

    @Test
    void upSinceIsTheFirstOfSuccessiveSweepsThatSucceed() {
        assertThat(history.upSince()).isNull();
        history.recordSweep(START, "failed", "");
        assertThat(history.upSince()).isNull();
        history.recordSweep(START.plusSeconds(1), SweepHistory.UP, "");
        history.recordSweep(START.plusSeconds(2), SweepHistory.UP, "");
        history.recordSweep(START.plusSeconds(3), "refused", "");
        assertThat(history.upSince()).isEqualTo(START.plusSeconds(1));
    }

    /** The first sweep compares its routes and is continued by the second one, so that it does not end itself. */
    @Test
    void aChangeThatTwoSweepsComparedIsListedOnce() {
        List<Finding> lost = List.of(SmEvent.TORUS_CHANGED.finding("a link is lost"));
        history.recordRouteChanges(lost, 0);
        history.recordRouteChanges(lost, 0);
        history.recordChanges(List.of(SmEvent.MANY_LOST.finding("two cables are lost")));
        history.recordSweep(START, SweepHistory.UP, "");
        assertThat(Objects.requireNonNull(history.last()).changes())
                .containsExactly("WARNING a link is lost", "WARNING two cables are lost");
    }

    @Test
    void anotherMasterEndsUpSince() {
        history.recordSweep(START, SweepHistory.UP, "");
        history.recordSweep(START.plusSeconds(1), SweepHistory.OTHER_MASTER, "");
        assertThat(history.upSince()).isNull();
        history.recordSweep(START.plusSeconds(2), SweepHistory.UP, "");
        assertThat(history.upSince()).isEqualTo(START.plusSeconds(2));
        history.mastershipEnded();
        assertThat(history.upSince()).isNull();
    }

    @Test
    void lastIsTheSweepThatEndedLast() {
        assertThat(history.last()).isNull();
        history.recordSweep(START, SweepHistory.UP, "one");
        history.recordSweep(START.plusSeconds(1), "failed", "two");
        assertThat(Objects.requireNonNull(history.last()).summary()).isEqualTo("two");
    }
}
