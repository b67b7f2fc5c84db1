package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.mad.MadHeader;
import io.torussm.mad.smp.PortInfo;
import io.torussm.sim.model.AgentProfile;
import io.torussm.sim.topology.Topology;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Switches whose agent hangs while they continue to forward. */
class SilentSwitchTest {
    private final SweepHarness harness = new SweepHarness("torus:3x3x1");

    /** Returns the states of the peer ports of a switch's cables to switches. */
    private List<Integer> peerStates(Topology.Node bad) {
        return IntStream.rangeClosed(1, bad.numPorts())
                .mapToObj(bad::peer)
                .filter(Objects::nonNull)
                .filter(far -> far.node().isSwitch())
                .map(far -> harness.fabric
                        .portInfo(far.node().nodeGuid(), far.portNum())
                        .portState())
                .toList();
    }

    private void hangAgent(String description) {
        harness.fabric.setAgent(harness.node(description).nodeGuid(), AgentProfile.CONFORMING.droppingAll());
    }

    @Test
    void aHangingSwitchIsExcludedByTheSecondSweepAndIncludedWhenItResponds() {
        Topology.Node bad = harness.node("sw-1-1-0");
        harness.sweep();
        hangAgent("sw-1-1-0");
        harness.sweep();
        assertThat(peerStates(bad)).as("an answer may get lost").containsOnly(PortInfo.STATE_ACTIVE);
        assertThat(harness.findings)
                .filteredOn(finding -> finding.event() == SmEvent.PROOF_LIMITED)
                .singleElement()
                .satisfies(finding -> assertThat(finding.text()).contains("sw-1-1-0"));
        harness.await(harness.ends.size() + 1);
        assertThat(peerStates(bad)).hasSize(4).containsOnly(PortInfo.STATE_INITIALIZE);
        harness.awaitRest();
        assertThat(peerStates(bad)).containsOnly(PortInfo.STATE_INITIALIZE);
        harness.fabric.setAgent(bad.nodeGuid(), AgentProfile.CONFORMING);
        harness.sweepLight();
        harness.awaitRest();
        assertThat(peerStates(bad)).containsOnly(PortInfo.STATE_ACTIVE);
        assertThat(harness.publishedView().subnet().fabric().switchCount()).isEqualTo(9);
        SweeperTest.assertHeld(harness);
    }

    /** Two tries of a request take 300 ms with the settings of the harness, all 7 tries take 12.7 s. */
    @ParameterizedTest
    @ValueSource(strings = {"sw-1-1-0", "host-1-1-0-0"})
    void aWholeSweepDoesNotWaitForWhoWasSilentInTheLastOneAsLongAsForOthers(String bad) {
        harness.sweep();
        hangAgent(bad);
        harness.sweep();
        harness.awaitRest();
        long begunNs = harness.loop.nowNs();
        assertThat(harness.sweep()).isEqualTo("up");
        assertThat(harness.loop.nowNs() - begunNs)
                .isBetween(TimeUnit.MILLISECONDS.toNanos(300), TimeUnit.MILLISECONDS.toNanos(500));
        harness.fabric.setAgent(harness.node(bad).nodeGuid(), AgentProfile.CONFORMING);
        assertThat(harness.sweep()).isEqualTo("up");
        harness.awaitRest();
        assertThat(harness.publishedView().subnet().fabric().nodeCount()).isEqualTo(18);
        SweeperTest.assertHeld(harness);
    }

    /**
     * The neighbour is read again, with its port to the silent device. The silence is known already, and the link is
     * unchanged.
     */
    @ParameterizedTest
    @ValueSource(strings = {"sw-1-1-0", "host-1-2-0-0"})
    void aCableAtItsNeighbourIsRoutedAroundAsSoonAsAnyOther(String bad) {
        harness.sweep();
        hangAgent(bad);
        harness.sweep();
        harness.awaitRest();
        int ends = harness.ends.size();
        harness.fabric.unlink(harness.node("sw-1-2-0").nodeGuid(), 1);
        harness.await(ends + 1);
        assertThat(harness.ends).last().isEqualTo("up");
        assertThat(harness.lastReport().reactionNs()).isBetween(0L, TimeUnit.MILLISECONDS.toNanos(100));
        harness.fabric.setAgent(harness.node(bad).nodeGuid(), AgentProfile.CONFORMING);
        harness.fabric.relink(harness.node("sw-1-2-0").nodeGuid(), 1);
        harness.await(ends + 2);
        harness.awaitRest();
        assertThat(harness.publishedView().subnet().fabric().nodeCount())
                .as("well again, and read")
                .isEqualTo(18);
        SweeperTest.assertHeld(harness);
    }

    /** The device responds to the third try, which is after the shorter limit for silent devices. */
    @Test
    void aDeviceThatAnswersALightSweepIsWaitedForLikeOthers() {
        harness.sweep();
        long host = harness.node("host-1-1-0-0").nodeGuid();
        Map<Long, Integer> tries = new HashMap<>();
        boolean[] isSilent = {true};
        harness.isRequestLost = mad -> BadDeviceTest.endOf(harness, mad) == host
                && (isSilent[0] || tries.merge(MadHeader.tid(mad), 1, Integer::sum) < 3);
        harness.sweep();
        harness.awaitRest();
        assertThat(harness.publishedView().subnet().fabric().nodeCount()).isEqualTo(17);
        isSilent[0] = false;
        for (int i = 0; i < 6; i++) {
            harness.sweepLight();
            harness.awaitRest();
        }
        assertThat(harness.publishedView().subnet().fabric().nodeCount()).isEqualTo(18);
    }

    @Test
    void theSmsOwnLinkIsNeverTakenDown() {
        harness.sweep();
        harness.requests.clear();
        hangAgent("sw-0-0-0");
        for (int i = 0; i < 3; i++) {
            harness.sweep();
        }
        Topology.Node own = harness.node("host-0-0-0-0");
        assertThat(harness.fabric.portInfo(own.nodeGuid(), 1).portState()).isEqualTo(PortInfo.STATE_ACTIVE);
        assertThat(harness.requests).noneMatch(mad -> Devices.wantedState(mad) == PortInfo.STATE_DOWN);
    }

    @Test
    void aSwitchOfTheSmThatDoesNotTakeItsTableIsTolerated() {
        harness.fabric.setAgent(
                harness.node("sw-0-0-0").nodeGuid(), AgentProfile.CONFORMING.refusing(0x17, AgentProfile.ANY, 0x1c, 1));
        harness.sweep();
        harness.awaitRest();
        assertThat(harness.ends).hasSize(3).last().isEqualTo("up");
        assertThat(harness.sweeper.excludedParts()).singleElement().satisfies(left -> {
            assertThat(left.name()).contains("sw-0-0-0");
            assertThat(left.isTolerated()).isTrue();
        });
        Fabric fabric = harness.publishedView().subnet().fabric();
        assertThat(fabric.switchCount()).isEqualTo(9);
        for (int port = 0; port < fabric.portCount(); port++) {
            if (fabric.peer(port) != Fabric.NONE) {
                assertThat(Devices.portInfo(harness, fabric, port).portState()).isEqualTo(PortInfo.STATE_ACTIVE);
            }
        }
    }
}
