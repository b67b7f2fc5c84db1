package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.testing.LoggedEvents;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A switch that loses its power for a moment: its links train again before a sweep, and its tables are empty. */
class RestartedSwitchTest extends LocalSweepCase {
    @RegisterExtension
    final LoggedEvents log = new LoggedEvents();

    /** The second is the switch of the SM. */
    @ParameterizedTest
    @ValueSource(strings = {"sw-1-1-0", "sw-0-0-0"})
    void aSwitchThatRestartsUnmissedIsReportedOnce(String name) {
        harness.sweep();
        harness.fabric.interventions().powerOff(guid(name));
        harness.fabric.interventions().powerOn(guid(name));
        harness.sweeper.sweepHeavy();
        settle(harness);
        harness.sweep();
        assertThat(log.of(SmEvent.SWITCH_RESTARTED)).singleElement().satisfies(event -> {
            assertThat(event.get(EventField.COUNT)).isEqualTo("2");
            assertThat(event.get(EventField.NAME)).contains(name);
        });
        assertThat(log.of(SmEvent.SWITCH_LOST)).isEmpty();
    }

    @Test
    void aSwitchThatIsMissedIsALossAndNoRestart() {
        harness.sweep();
        harness.fabric.interventions().powerOff(guid("sw-1-1-0"));
        harness.sweep();
        harness.fabric.interventions().powerOn(guid("sw-1-1-0"));
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(1));
        harness.sweep();
        assertThat(log.of(SmEvent.SWITCH_LOST)).hasSize(1);
        assertThat(log.of(SmEvent.SWITCH_BACK)).hasSize(1);
        assertThat(log.of(SmEvent.SWITCH_RESTARTED)).isEmpty();
    }
}
