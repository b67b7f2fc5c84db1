package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.smp.PortInfo;
import io.torussm.sim.model.AgentProfile;
import io.torussm.sweep.state.SweepCounts;
import io.torussm.sweep.state.SweepCounts.SweepEnd;
import io.torussm.sweep.state.SweepCounts.SweepScope;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * A whole sweep waits for a silent device, with all tries of the harness for 12.7 s; meanwhile a cable is
 * lost elsewhere.
 */
class WholeSweepGivesWayTest {
    private static final long MOMENT_NS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final int NODES = 24;

    private final SweepHarness harness = new SweepHarness("torus:4x3x1");

    private void aWholeSweepWaits() {
        harness.sweep();
        harness.awaitRest();
        harness.fabric.setAgent(harness.node("host-3-2-0-0").nodeGuid(), AgentProfile.CONFORMING.droppingAll());
        harness.sweeper.sweepHeavy();
        harness.loop.runFor(MOMENT_NS);
        assertThat(harness.ends).hasSize(1);
    }

    private void bounce(String description, int portNum) {
        harness.fabric.unlink(harness.node(description).nodeGuid(), portNum);
        harness.loop.runFor(MOMENT_NS);
        harness.fabric.relink(harness.node(description).nodeGuid(), portNum);
    }

    private long sweeps(SweepScope kind, SweepEnd end) {
        return harness.sweeper.counts().counts().stream()
                .filter(count -> count.kind() == kind && count.end() == end)
                .mapToLong(SweepCounts.Count::count)
                .sum();
    }

    @Test
    void theLostCableIsRoutedAroundAtOnceAndThenAllIsRead() {
        aWholeSweepWaits();
        harness.fabric.unlink(harness.node("sw-1-1-0").nodeGuid(), 1);
        harness.await(2);
        assertThat(harness.ends).last().isEqualTo("up");
        assertThat(harness.lastReport().reactionNs()).isBetween(0L, TimeUnit.MILLISECONDS.toNanos(100));
        assertThat(harness.publishedView().subnet().fabric().nodeCount())
                .as("nothing is known of the host")
                .isEqualTo(NODES);
        harness.awaitRest();
        assertThat(harness.ends).hasSizeGreaterThan(2).containsOnly("up");
        assertThat(sweeps(SweepScope.HEAVY, SweepEnd.SUPERSEDED)).isEqualTo(1);
        assertThat(harness.publishedView().subnet().fabric().nodeCount()).isEqualTo(NODES - 1);
        SweeperTest.assertHeld(harness);
    }

    @Test
    void aSweepDoesNotWaitForASwitchWithAnUnconfiguredPort() {
        harness.sweep();
        harness.awaitRest();
        long bad = harness.node("sw-3-2-0").nodeGuid();
        boolean[] isWaiting = {false};
        harness.isRequestLost = mad -> {
            boolean isSwallowed = MadHeader.method(mad) == Method.SET
                    && MadHeader.attributeId(mad) == PortInfo.TYPE.id()
                    && BadDeviceTest.endOf(harness, mad) == bad;
            isWaiting[0] |= isSwallowed;
            return isSwallowed;
        };
        harness.settings = UnsteadySwitchTest.withOtherHoqLife(harness.settings);
        harness.sweeper.sweepHeavy();
        assertThat(harness.loop.runUntil(() -> isWaiting[0], TimeUnit.SECONDS.toNanos(1)))
                .isTrue();
        harness.loop.runFor(MOMENT_NS);
        harness.fabric.unlink(harness.node("sw-1-1-0").nodeGuid(), 1);
        harness.await(3);
        assertThat(harness.ends).containsOnly("up");
        assertThat(harness.lastReport().reactionNs()).isBetween(0L, TimeUnit.MILLISECONDS.toNanos(100));
    }

    @Test
    void aWaiterIsCalledBackWhenAllWasRead() {
        aWholeSweepWaits();
        Optional<?>[] told = {null};
        harness.sweeper.awaitNext(false, end -> told[0] = end);
        bounce("sw-1-1-0", 1);
        harness.await(2);
        assertThat(told[0]).isNull();
        harness.awaitRest();
        assertThat(told[0]).isEqualTo(Optional.of(SweepEnd.UP));
    }

    @Test
    void reportsWithoutEndDoNotKeepItFromItsEnd() {
        aWholeSweepWaits();
        for (int i = 0; i < 300; i++) {
            bounce("sw-1-1-0", 1);
            bounce("sw-2-1-0", 3);
        }
        assertThat(sweeps(SweepScope.HEAVY, SweepEnd.UP)).isGreaterThan(1);
        assertThat(sweeps(SweepScope.HEAVY, SweepEnd.SUPERSEDED)).isEqualTo(1);
    }
}
