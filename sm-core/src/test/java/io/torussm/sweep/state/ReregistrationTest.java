package io.torussm.sweep.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.sim.model.AgentProfile;
import io.torussm.sim.topology.Topology;
import io.torussm.sweep.SweepHarness;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The ports that get ClientReregister, which is repeated until it is confirmed. */
class ReregistrationTest {
    private static final int PORT_INFO = PortInfo.TYPE.id();
    private final SweepHarness harness = new SweepHarness("torus:3x3x1,hosts=1");

    private static boolean asksToReregister(byte[] mad) {
        return MadHeader.attributeId(mad) == PORT_INFO
                && MadHeader.method(mad) == Method.SET
                && PortInfo.CLIENT_REREGISTER.get(mad, Smp.DATA_OFFSET) == 1;
    }

    private long asked() {
        return harness.requests.stream()
                .filter(ReregistrationTest::asksToReregister)
                .count();
    }

    @Test
    void allPortsAreAskedAtFirstAndNoneLater() {
        harness.sweep();
        assertThat(asked()).isEqualTo(9);
        harness.sweep();
        assertThat(asked()).isZero();
        assertThat(harness.countAllSets()).isZero();
    }

    @Test
    void aReturnedPortIsAskedOnce() {
        harness.sweep();
        Topology.Node leaf = harness.node("sw-1-1-0");
        harness.fabric.setAgent(leaf.nodeGuid(), AgentProfile.CONFORMING.droppingAll());
        harness.sweep();
        assertThat(asked()).isZero();
        harness.fabric.setAgent(leaf.nodeGuid(), AgentProfile.CONFORMING);
        harness.sweep();
        assertThat(asked()).isEqualTo(1);
        harness.sweep();
        assertThat(asked()).isZero();
    }

    @Test
    void whoseAnswerWasLostIsAskedAgain() {
        harness.isRequestLost = ReregistrationTest::asksToReregister;
        harness.sweep();
        harness.awaitRest();
        harness.isRequestLost = mad -> false;
        harness.requests.clear();
        harness.sweepLight();
        harness.awaitRest();
        assertThat(asked()).isEqualTo(9);
        harness.sweep();
        assertThat(asked()).isZero();
    }

    @Test
    void aRefusalIsNoConfirmation() {
        Topology.Node host = harness.node("host-1-1-0-0");
        harness.fabric.setAgent(
                host.nodeGuid(), AgentProfile.CONFORMING.refusing(PORT_INFO, Method.SET, MadStatus.INVALID_FIELD, 1));
        harness.sweep();
        harness.fabric.setAgent(host.nodeGuid(), AgentProfile.CONFORMING);
        harness.requests.clear();
        harness.sweepLight();
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(10));
        assertThat(asked()).isEqualTo(1);
    }

    @Test
    void aHostThatCannotIsNotAsked() {
        harness.changeResponse = mad -> {
            if (MadHeader.attributeId(mad) == PORT_INFO) {
                long mask = PortInfo.CAPABILITY_MASK.get(mad, Smp.DATA_OFFSET);
                PortInfo.CAPABILITY_MASK.set(mad, Smp.DATA_OFFSET, mask & ~PortInfo.CAP_CLIENT_REREGISTRATION);
            }
        };
        harness.sweep();
        assertThat(asked()).isZero();
        assertThat(Objects.requireNonNull(harness.view).subnet().fabric().nodeCount())
                .isEqualTo(18);
    }
}
