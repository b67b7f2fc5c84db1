package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.smp.PortInfo;
import io.torussm.sim.model.AgentProfile;
import io.torussm.sim.topology.Topology;
import io.torussm.testing.LoggedEvents;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A permanently bad device does not keep the SM busy. */
class RestlessDeviceTest {
    private static final int PORT_INFO = PortInfo.TYPE.id();
    private static final int LIGHT_SWEEPS_OF_AN_HOUR = 360;

    @RegisterExtension
    final LoggedEvents log = new LoggedEvents();

    private final SweepHarness harness = new SweepHarness("torus:3x3x1");

    private void setAgentProfile(String device, AgentProfile profile) {
        harness.fabric.setAgent(BadDeviceTest.guid(harness, device), profile);
    }

    private static AgentProfile profile(String kind) {
        return switch (kind) {
            case "drops Get(PortInfo)" -> AgentProfile.CONFORMING.dropping(PORT_INFO, Method.GET, 1);
            case "refuses Get(PortInfo)" ->
                AgentProfile.CONFORMING.refusing(PORT_INFO, Method.GET, MadStatus.INVALID_FIELD, 1);
            case "drops Set(PortInfo)" -> AgentProfile.CONFORMING.dropping(PORT_INFO, Method.SET, 1);
            case "refuses some PortInfo" ->
                AgentProfile.CONFORMING.refusing(PORT_INFO, AgentProfile.ANY, MadStatus.INVALID_FIELD, 0.3);
            case "drops some PortInfo" -> AgentProfile.CONFORMING.dropping(PORT_INFO, AgentProfile.ANY, 0.6);
            case "refuses some of all" ->
                AgentProfile.CONFORMING.refusing(AgentProfile.ANY, AgentProfile.ANY, MadStatus.INVALID_FIELD, 0.3);
            case "disobeys" -> AgentProfile.CONFORMING.ignoringSets(PORT_INFO);
            case "is deaf" -> AgentProfile.CONFORMING.droppingAll();
            default -> AgentProfile.CONFORMING.busy(0.6);
        };
    }

    /** Both whole sweeps and local sweeps at a neighbour read the device. */
    @ParameterizedTest
    @CsvSource({"host-1-1-0-0, sw-1-1-0", "sw-1-1-0, sw-1-2-0"})
    void thatADeviceIsAlwaysBusyIsToldOnce(String device, String neighbour) {
        harness.sweep();
        harness.awaitRest();
        setAgentProfile(device, AgentProfile.CONFORMING.busy(1));
        for (int i = 0; i < 4; i++) {
            harness.sweep();
            harness.awaitRest();
            harness.fabric.unlink(BadDeviceTest.guid(harness, neighbour), 1);
            harness.await(harness.ends.size() + 1);
            harness.fabric.relink(BadDeviceTest.guid(harness, neighbour), 1);
            harness.await(harness.ends.size() + 1);
            harness.awaitRest();
        }
        assertThat(log.of(SmEvent.FABRIC_ANOMALY))
                .filteredOn(told -> told.get(EventField.TEXT).contains("does not answer"))
                .hasSize(1);
    }

    /**
     * There are as many sweeps as its faults need, and then fewer and fewer, down to one in 64 light sweeps.
     */
    @ParameterizedTest
    @CsvSource({
        "host-1-1-0-0, drops Get(PortInfo)",
        "host-1-1-0-0, refuses Get(PortInfo)",
        "host-1-1-0-0, drops Set(PortInfo)",
        "host-1-1-0-0, refuses some PortInfo",
        "host-1-1-0-0, drops some PortInfo",
        "host-1-1-0-0, refuses some of all",
        "host-1-1-0-0, disobeys",
        "host-1-1-0-0, is deaf",
        "host-1-1-0-0, is busy",
        "sw-1-1-0, drops Get(PortInfo)",
        "sw-1-1-0, refuses Get(PortInfo)",
        "sw-1-1-0, drops Set(PortInfo)",
        "sw-1-1-0, refuses some PortInfo",
        "sw-1-1-0, drops some PortInfo",
        "sw-1-1-0, refuses some of all",
        "sw-1-1-0, disobeys",
        "sw-1-1-0, is deaf",
        "sw-1-1-0, is busy"
    })
    void anHourWithABadDeviceIsNearlyAllRest(String device, String kind) {
        harness.sweep();
        harness.awaitRest();
        setAgentProfile(device, profile(kind));
        harness.fabric.unlink(BadDeviceTest.guid(harness, "sw-1-1-0"), 1);
        harness.fabric.relink(BadDeviceTest.guid(harness, "sw-1-1-0"), 1);
        int before = harness.ends.size();
        long restingNs = 0;
        for (int i = 0; i < LIGHT_SWEEPS_OF_AN_HOUR; i++) {
            harness.sweeper.sweepLight();
            for (int second = 0; second < 10; second++) {
                harness.loop.runFor(TimeUnit.SECONDS.toNanos(1));
                restingNs += harness.sweeper.isResting() ? TimeUnit.SECONDS.toNanos(1) : 0;
            }
        }
        assertThat(harness.ends.size() - before).as("sweeps").isLessThan(120);
        assertThat(restingNs).as("rest").isGreaterThan(TimeUnit.MINUTES.toNanos(40));
    }

    private PortInfo atSwitchOf(String host) {
        Topology.Node node = harness.node(host);
        Topology.PortRef far = Objects.requireNonNull(node.peer(1));
        return harness.fabric.portInfo(far.node().nodeGuid(), far.portNum());
    }

    @Test
    void aHostThatTellsItsPortAtLastIsTakenIn() {
        setAgentProfile("host-1-1-0-0", profile("drops Get(PortInfo)"));
        harness.sweep();
        harness.awaitRest();
        for (int i = 0; i < 40; i++) {
            harness.sweepLight();
        }
        harness.awaitRest();
        int before = harness.ends.size();
        assertThat(atSwitchOf("host-1-1-0-0").portState())
                .as("its MTU is unknown")
                .isEqualTo(PortInfo.STATE_INITIALIZE);
        setAgentProfile("host-1-1-0-0", AgentProfile.CONFORMING);
        for (int i = 0; i < 12; i++) {
            harness.sweepLight();
        }
        harness.awaitRest();
        assertThat(harness.ends).hasSizeGreaterThan(before).containsOnly("up");
        assertThat(harness.hosts()).hasSize(9);
        assertThat(atSwitchOf("host-1-1-0-0").portState()).isEqualTo(PortInfo.STATE_ACTIVE);
    }
}
