package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.mad.MadHeader;
import io.torussm.mad.smp.Smp;
import io.torussm.testing.LoggedEvents;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A switch drops all requests for its VL arbitration tables, or its P_Keys. Only the first reaction waits for
 * it.
 */
class KnownTroubleTest {
    private static final int SWITCH = 5;

    @RegisterExtension
    final LoggedEvents log = new LoggedEvents();

    private final SweepHarness harness = new SweepHarness("torus:4x3x1,hosts=2");

    private Fabric fabric() {
        return harness.publishedView().subnet().fabric();
    }

    private boolean isTo(byte[] mad, int attributeId) {
        return MadHeader.attributeId(mad) == attributeId
                && String.valueOf(Smp.path(mad))
                        .equals(String.valueOf(fabric().node(SWITCH).path()));
    }

    private long countRequests(int attributeId) {
        return harness.requests.stream().filter(mad -> isTo(mad, attributeId)).count();
    }

    private void bringUpWithout(int attributeId) {
        harness.sweep();
        harness.isRequestLost = mad -> isTo(mad, attributeId);
        harness.restart();
        assertThat(harness.sweep()).isEqualTo("up");
        harness.loop.runFor(TimeUnit.MINUTES.toNanos(1));
        harness.awaitRest();
        harness.requests.clear();
    }

    /** Removes a cable of another switch; returns the duration of the sweep that follows. */
    private long reactionMs(int portNum) {
        int ends = harness.ends.size();
        harness.fabric.unlink(fabric().nodeGuid(fabric().switchCount() - 1), portNum);
        harness.await(ends + 1);
        assertThat(harness.ends).last().isEqualTo("up");
        return TimeUnit.NANOSECONDS.toMillis(harness.lastReport().phaseNs().values().stream()
                .mapToLong(Long::longValue)
                .sum());
    }

    @ParameterizedTest
    @ValueSource(ints = {0x16, 0x18})
    void aReactionDoesNotWaitForWhatASwitchIsKnownNotToAnswer(int attributeId) {
        bringUpWithout(attributeId);
        assertThat(reactionMs(1)).isLessThan(100);
        assertThat(reactionMs(3)).isLessThan(100);
        assertThat(countRequests(attributeId)).isZero();
    }

    /** Two tries take 300 ms with the settings of the harness, all of them 12.7 s. */
    @ParameterizedTest
    @ValueSource(ints = {0x16, 0x18})
    void aWholeSweepAsksForItBrieflyAndLosesNothingOnceItIsTaken(int attributeId) {
        bringUpWithout(attributeId);
        for (int i = 0; i < 2; i++) {
            long begunNs = harness.loop.nowNs();
            assertThat(harness.sweep()).isEqualTo("up");
            assertThat(harness.loop.nowNs() - begunNs).isLessThan(TimeUnit.MILLISECONDS.toNanos(700));
            assertThat(countRequests(attributeId)).isPositive();
        }
        assertThat(log.of(SmEvent.DEVICE_TROUBLE_OVER)).isEmpty();
        harness.isRequestLost = mad -> false;
        assertThat(harness.sweep()).isEqualTo("up");
        assertThat(log.of(SmEvent.DEVICE_TROUBLE_OVER)).isNotEmpty().doesNotHaveDuplicates();
        SweeperTest.assertHeld(harness);
    }

    @ParameterizedTest
    @ValueSource(ints = {0x16, 0x18})
    void lightSweepsTryItAgainAndItIsOverOnce(int attributeId) {
        bringUpWithout(attributeId);
        reactionMs(1);
        assertThat(log.of(SmEvent.DEVICE_TROUBLE)).as("told once").hasSizeBetween(1, 10);
        assertThat(log.of(SmEvent.DEVICE_TROUBLE_OVER)).as("it is not over").isEmpty();
        int told = log.of(SmEvent.DEVICE_TROUBLE).size();
        harness.isRequestLost = mad -> false;
        for (int i = 0; i < 8; i++) {
            harness.sweepLight();
            harness.awaitRest();
        }
        assertThat(countRequests(attributeId)).isPositive();
        assertThat(log.of(SmEvent.DEVICE_TROUBLE)).hasSize(told);
        assertThat(log.of(SmEvent.DEVICE_TROUBLE_OVER)).isNotEmpty().doesNotHaveDuplicates();
        assertThat(log.openConditions())
                .extracting(LoggedEvents.LoggedEvent::event)
                .doesNotContain(SmEvent.DEVICE_TROUBLE);
    }
}
