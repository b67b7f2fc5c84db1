package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;
import io.torussm.sim.AgentProfile;
import io.torussm.sim.Topology;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Switches whose agent hangs while they go on to forward. */
class SilentSwitchTest {
    private final SweepHarness harness = new SweepHarness("torus:3x3x1");

    private Topology.Node node(String description) {
        return harness.topology.nodes().stream()
                .filter(node -> node.description().equals(description))
                .findFirst()
                .orElseThrow();
    }

    /** The states of the ports at the other ends of a switch's cables to switches. */
    private List<Integer> near(Topology.Node bad) {
        return IntStream.rangeClosed(1, bad.numPorts())
                .mapToObj(bad::peer)
                .filter(Objects::nonNull)
                .filter(far -> far.node().isSwitch())
                .map(far -> harness.fabric
                        .portInfo(far.node().nodeGuid(), far.portNum())
                        .portState())
                .toList();
    }

    private void hangs(String description) {
        harness.fabric.setAgent(node(description).nodeGuid(), AgentProfile.OBEDIENT.deaf());
    }

    @Test
    void aSwitchThatHangsIsCutOffByTheSecondSweepAndComesBackWhenItAnswers() {
        Topology.Node bad = node("sw-1-1-0");
        harness.sweep();
        hangs("sw-1-1-0");
        harness.sweep();
        assertThat(near(bad)).as("an answer may get lost").containsOnly(PortInfo.STATE_ACTIVE);
        harness.await(harness.ends.size() + 1);
        assertThat(near(bad)).hasSize(4).containsOnly(PortInfo.STATE_INITIALIZE);
        harness.rest();
        assertThat(near(bad)).containsOnly(PortInfo.STATE_INITIALIZE);
        harness.fabric.setAgent(bad.nodeGuid(), AgentProfile.OBEDIENT);
        harness.sweepLight();
        harness.rest();
        assertThat(near(bad)).containsOnly(PortInfo.STATE_ACTIVE);
        assertThat(harness.up().subnet().fabric().switchCount()).isEqualTo(9);
        SweeperTest.assertHeld(harness);
    }

    @Test
    void theSmsOwnLinkIsNeverTakenDown() {
        harness.sweep();
        harness.requests.clear();
        hangs("sw-0-0-0");
        for (int i = 0; i < 3; i++) {
            harness.sweep();
        }
        Topology.Node own = node("host-0-0-0-0");
        assertThat(harness.fabric.portInfo(own.nodeGuid(), 1).portState()).isEqualTo(PortInfo.STATE_ACTIVE);
        assertThat(harness.requests).noneMatch(mad -> Devices.wantedState(mad) == PortInfo.STATE_DOWN);
    }

    @Test
    void aSwitchOfTheSmThatDoesNotTakeItsTableIsTolerated() {
        harness.fabric.setAgent(
                node("sw-0-0-0").nodeGuid(), AgentProfile.OBEDIENT.refusing(0x17, AgentProfile.ANY, 0x1c, 1));
        harness.sweep();
        harness.rest();
        assertThat(harness.ends).hasSize(3).last().isEqualTo("up");
        assertThat(harness.sweeper.leftOut()).singleElement().satisfies(left -> {
            assertThat(left.name()).contains("sw-0-0-0");
            assertThat(left.isTolerated()).isTrue();
        });
        Fabric fabric = harness.up().subnet().fabric();
        assertThat(fabric.switchCount()).isEqualTo(9);
        for (int port = 0; port < fabric.portCount(); port++) {
            if (fabric.peer(port) != Fabric.NONE) {
                assertThat(Devices.held(harness, fabric, port).portState()).isEqualTo(PortInfo.STATE_ACTIVE);
            }
        }
    }
}
