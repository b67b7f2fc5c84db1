package io.torussm.daemon.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.Views;
import io.torussm.event.EventField;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.stage.Phase;
import io.torussm.sweep.state.SweepEvent;
import io.torussm.sweep.state.SweepReport;
import io.torussm.testing.LoggedEvents;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A sweep has a line if no other line reported its change. */
class SubnetUpLinesTest {
    private final SubnetUpLines ups = new SubnetUpLines();

    private final SweepEvent lost = new SweepEvent.FabricChanged(
            List.of(Finding.of(SmEvent.HOST_GONE, EventField.NAME.of("host"), EventField.DESTINATION.of("switch"))));

    @BeforeEach
    void connect() {
        ups.operatorsCanConnect();
    }

    private static SweepEvent up(int links) {
        return new SweepEvent.SubnetUp(
                Views.twoSwitches(), new SweepReport(1, 2, 2, links, 10, 5, 0, Map.of(Phase.ROUTE, 1L), -1, List.of()));
    }

    private long lines(SweepEvent... events) {
        try (LoggedEvents logged = new LoggedEvents().listen()) {
            for (SweepEvent event : events) {
                ups.accept(event);
            }
            return logged.of(SmEvent.SUBNET_UP).size();
        }
    }

    @Test
    void theFirstSweepHasALine() {
        assertThat(lines(up(9))).isOne();
    }

    @Test
    void aSweepHasNoLineIfItsChangesHaveLines() {
        assertThat(lines(up(9), lost, up(8), up(8))).isOne();
    }

    @Test
    void aSweepHasALineIfItsChangesHaveNone() {
        assertThat(lines(up(9), lost, up(8), up(7))).isEqualTo(2);
    }

    @Test
    void aSweepHasALineAfterAnotherOutcome() {
        assertThat(lines(up(9), new SweepEvent.SweepFailed("no response"), up(9)))
                .isEqualTo(2);
        assertThat(lines(new SweepEvent.RoutingRefused(List.of()), up(9))).isOne();
        assertThat(lines(new SweepEvent.OtherMaster(null), up(9))).isOne();
        assertThat(lines(new SweepEvent.MastershipEnded(), up(9))).isOne();
    }
}
