package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.sweep.state.SweepCounts;
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

    /** The sweep that reports it waits for the switch, and a lost cable elsewhere preempts it. */
    @Test
    void aRestartIsReportedOnceAlthoughItsSweepIsPreempted() {
        harness.sweep();
        harness.awaitRest();
        long restarted = guid("sw-1-1-0");
        harness.fabric.interventions().powerOff(restarted);
        harness.fabric.interventions().powerOn(restarted);
        harness.isRequestLost =
                mad -> MadHeader.method(mad) == Method.SET && BadDeviceTest.endOf(harness, mad) == restarted;
        assertThat(harness.loop.runUntil(
                        () -> !log.of(SmEvent.SWITCH_RESTARTED).isEmpty(), TimeUnit.SECONDS.toNanos(1)))
                .isTrue();
        harness.fabric.unlink(guid("sw-3-2-0"), 1);
        harness.loop.runFor(TimeUnit.MILLISECONDS.toNanos(60));
        harness.isRequestLost = mad -> false;
        settle(harness);
        harness.sweep();
        assertThat(harness.sweeper.counts().counts())
                .anyMatch(count -> count.end() == SweepCounts.SweepEnd.SUPERSEDED && count.count() > 0);
        assertThat(log.of(SmEvent.CABLE_LOST)).hasSize(1);
        assertThat(log.of(SmEvent.SWITCH_RESTARTED)).hasSize(1);
    }
}
