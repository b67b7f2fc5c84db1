package io.torussm.daemon.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class SweepHistoryTest {
    private static final Instant T = Instant.parse("2026-11-22T06:00:00Z");
    private final SweepHistory history = new SweepHistory();

    @Test
    void aSubnetIsUpSinceTheFirstSweepOfAnUnbrokenSeries() {
        assertThat(history.upSince()).isNull();
        history.ended(T, "failed", "");
        assertThat(history.upSince()).isNull();
        history.ended(T.plusSeconds(1), SweepHistory.UP, "");
        history.ended(T.plusSeconds(2), SweepHistory.UP, "");
        history.ended(T.plusSeconds(3), "refused", "");
        assertThat(history.upSince()).isEqualTo(T.plusSeconds(1));
    }

    /** A sweep that another one continues has compared its routes, and has no end of its own. */
    @Test
    void aChangeThatTwoSweepsComparedIsListedOnce() {
        List<Finding> lost = List.of(SmEvent.TORUS_CHANGED.says("a link is lost"));
        history.compared(lost, 0);
        history.compared(lost, 0);
        history.changed(List.of(SmEvent.MANY_LOST.says("two cables are lost")));
        history.ended(T, SweepHistory.UP, "");
        assertThat(Objects.requireNonNull(history.last()).changes())
                .containsExactly("WARNING a link is lost", "WARNING two cables are lost");
    }

    @Test
    void anotherMasterEndsTheSeries() {
        history.ended(T, SweepHistory.UP, "");
        history.ended(T.plusSeconds(1), SweepHistory.OTHER_MASTER, "");
        assertThat(history.upSince()).isNull();
        history.ended(T.plusSeconds(2), SweepHistory.UP, "");
        assertThat(history.upSince()).isEqualTo(T.plusSeconds(2));
        history.mastershipEnded();
        assertThat(history.upSince()).isNull();
    }

    @Test
    void theLastSweepIsTheLastThatEnded() {
        assertThat(history.last()).isNull();
        history.ended(T, SweepHistory.UP, "one");
        history.ended(T.plusSeconds(1), "failed", "two");
        assertThat(Objects.requireNonNull(history.last()).summary()).isEqualTo("two");
    }
}
