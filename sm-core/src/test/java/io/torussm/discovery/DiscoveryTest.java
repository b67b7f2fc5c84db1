package io.torussm.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Field;
import io.torussm.mad.Guid;
import io.torussm.mad.MadHeader;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Topology;
import io.torussm.sweep.Devices;
import io.torussm.sweep.SweepHarness;
import io.torussm.testing.LoggedEvents;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Discovery with forged, lost and late responses. {@link #ROW} is a row of four switches with a host each, so 8 nodes.
 * The SM is at the host of switch 0; a directed route has n + 1 hops to switch n, and n + 2 to its host.
 */
class DiscoveryTest {
    private static final String ROW = "torus:4x1x1,mesh=x";
    /** Six ports for cables in three dimensions, and one for the host. */
    private static final int PORTS_OF_SWITCH = 7;

    /** Number of tries of a request: the first one and the 6 retries of {@link SweepHarness}. */
    private static final int TRIES = 7;

    @ParameterizedTest
    @ValueSource(strings = {"torus:3x3x1,hosts=2", "torus:3x2x2,links=2", "torus:4x3x1,mesh=x", "torus:2x1x1"})
    void discoversWhatTheTopologySays(String torus) {
        SweepHarness harness = new SweepHarness(torus);
        assertThat(harness.sweep()).isEqualTo("up");
        int cableEnds = assertDiscovered(harness);
        assertThat(harness.publishedView().subnet().fabric().anomalies()).isEmpty();
        long crossings = harness.requests.stream()
                .filter(mad -> MadHeader.attributeId(mad) == NodeInfo.TYPE.id())
                .count();
        assertThat(crossings)
                .as("each cable is crossed once, few by both ends at the same time")
                .isBetween(cableEnds / 2L + 1, (long) cableEnds + 1);
    }

    /** A sweep may miss a device whose SMPs are lost. Light sweeps find the device when it responds. */
    @ParameterizedTest
    @MethodSource("io.torussm.testing.Seeds#few")
    void findsTheSameFabricThoughSmpsAreLostDoubledAndLate(long seed) {
        Topology topology = TorusSpec.parse("torus:3x3x1,hosts=2").topology();
        SweepHarness harness = new SweepHarness(topology, new FaultPlan(seed, 0.15, 0.15, 1000, 30_000_000));
        harness.sweep();
        for (int i = 0; i < 30 && !isWhole(harness); i++) {
            harness.sweepLight();
            harness.awaitRest();
        }
        assertDiscovered(harness);
    }

    private static boolean isWhole(SweepHarness harness) {
        return harness.view != null
                && harness.publishedView().subnet().fabric().anomalies().isEmpty()
                && harness.lastReport().errors().isEmpty();
    }

    private static int assertDiscovered(SweepHarness harness) {
        Fabric fabric = harness.publishedView().subnet().fabric();
        assertThat(fabric.nodeCount()).isEqualTo(harness.topology.nodes().size());
        assertThat(fabric.name(fabric.nodeOf(fabric.localPort()))).contains(SweepHarness.HOST);
        int cableEnds = 0;
        for (Topology.Node node : harness.topology.nodes()) {
            int found = fabric.nodeByGuid(node.nodeGuid());
            assertThat(fabric.node(found).description()).isEqualTo(node.description());
            for (int portNum = 1; portNum <= node.numPorts(); portNum++) {
                Topology.PortRef far = node.peer(portNum);
                int port = fabric.port(found, portNum);
                int peer = fabric.peer(port);
                cableEnds += far == null ? 0 : 1;
                assertThat(peer == Fabric.NONE ? "" : fabric.nodeGuid(fabric.nodeOf(peer)) + " " + fabric.portNum(peer))
                        .isEqualTo(far == null ? "" : far.node().nodeGuid() + " " + far.portNum());
                if (far != null) {
                    assertThat(discoveredPortInfo(harness, fabric, port))
                            .isEqualTo(Devices.portInfo(harness, fabric, port));
                }
            }
        }
        return cableEnds;
    }

    /** Returns the discovered PortInfo with the LocalPortNum of the device, which depends on the requester. */
    private static PortInfo discoveredPortInfo(SweepHarness harness, Fabric fabric, int port) {
        PortInfo found = Objects.requireNonNull(fabric.portInfo(port));
        return found.with(
                PortInfo.LOCAL_PORT_NUM, Devices.portInfo(harness, fabric, port).get(PortInfo.LOCAL_PORT_NUM));
    }

    /** Sweeps a row in which the NodeInfo of the host of switch 2 has a false field. All switches must be found. */
    private static SweepHarness withForgedHost(Field field, long value) {
        SweepHarness harness = new SweepHarness(ROW);
        harness.changeResponse = nodeInfoOf(hostGuid(2), mad -> field.set(mad, Smp.DATA_OFFSET, value));
        assertThat(harness.sweep()).isEqualTo("up");
        Fabric fabric = harness.publishedView().subnet().fabric();
        assertThat(fabric.switchCount()).isEqualTo(4);
        return harness;
    }

    private static Consumer<byte[]> nodeInfoOf(long nodeGuid, Consumer<byte[]> forge) {
        return mad -> {
            boolean isMeant = MadHeader.attributeId(mad) == NodeInfo.TYPE.id()
                    && NodeInfo.NODE_GUID.get(mad, Smp.DATA_OFFSET) == nodeGuid;
            if (isMeant) {
                forge.accept(mad);
            }
        };
    }

    private static long hostGuid(int index) {
        return guidOf("host-" + index + "-0-0-0");
    }

    private static long switchGuid(int index) {
        return guidOf("sw-" + index + "-0-0");
    }

    private static long guidOf(String description) {
        return TorusSpec.parse(ROW).topology().node(description).orElseThrow().nodeGuid();
    }

    @Test
    void leavesOutADeviceWhoseNodeInfoIsNonsense() {
        assertLeftOut(withForgedHost(NodeInfo.NODE_GUID, 0), "GUID of zero");
        assertLeftOut(withForgedHost(NodeInfo.PORT_GUID, 0), "GUID of zero");
        assertLeftOut(withForgedHost(NodeInfo.NODE_TYPE, 9), "NodeType 9");
        assertLeftOut(withForgedHost(NodeInfo.NUM_PORTS, 0), "port 1 of 0");
        assertLeftOut(withForgedHost(NodeInfo.LOCAL_PORT_NUM, 200), "port 200 of");
        assertLeftOut(withForgedHost(NodeInfo.LOCAL_PORT_NUM, 0), "port 0 of");
    }

    private static void assertLeftOut(SweepHarness harness, String reason) {
        Fabric fabric = harness.publishedView().subnet().fabric();
        assertThat(fabric.nodeCount()).isEqualTo(7);
        assertThat(fabric.anomalies()).hasSize(1).first().asString().contains(reason);
    }

    @Test
    void keepsASecondHostWithTheSameGuidOut() {
        SweepHarness harness = withForgedHost(NodeInfo.NODE_GUID, hostGuid(1));
        Fabric fabric = harness.publishedView().subnet().fabric();
        assertThat(fabric.nodeCount()).isEqualTo(7);
        assertThat(fabric.anomalies())
                .anyMatch(found -> found.text().contains("duplicate NodeGUID " + Guid.format(hostGuid(1))));
        int host = fabric.nodeByGuid(hostGuid(1));
        int leaf = fabric.nodeOf(fabric.peer(fabric.port(host, 1)));
        assertThat(fabric.nodeGuid(leaf)).isEqualTo(switchGuid(1));
    }

    @Test
    void keepsASecondSwitchWithTheSameNodeGuidOut() {
        SweepHarness harness = new SweepHarness(ROW);
        harness.changeResponse =
                nodeInfoOf(switchGuid(3), mad -> NodeInfo.NODE_GUID.set(mad, Smp.DATA_OFFSET, switchGuid(1)));
        assertThat(harness.sweep()).isEqualTo("up");
        Fabric fabric = harness.publishedView().subnet().fabric();
        assertThat(fabric.switchCount()).isEqualTo(3);
        assertThat(fabric.nodeByGuid(hostGuid(3))).isEqualTo(Fabric.NONE);
        assertThat(fabric.anomalies()).hasSize(1).first().asString().contains("duplicate NodeGUID");
    }

    @Test
    void reportsALoopbackPlugAndLeavesItOut() {
        SweepHarness harness = new SweepHarness(ROW);
        harness.changeResponse = nodeInfoOf(hostGuid(2), mad -> {
            NodeInfo.NODE_TYPE.set(mad, Smp.DATA_OFFSET, NodeInfo.SWITCH);
            NodeInfo.NODE_GUID.set(mad, Smp.DATA_OFFSET, switchGuid(2));
            NodeInfo.PORT_GUID.set(mad, Smp.DATA_OFFSET, switchGuid(2));
            NodeInfo.NUM_PORTS.set(mad, Smp.DATA_OFFSET, PORTS_OF_SWITCH);
            NodeInfo.LOCAL_PORT_NUM.set(mad, Smp.DATA_OFFSET, lastHop(mad));
        });
        assertThat(harness.sweep()).isEqualTo("up");
        assertLeftOut(harness, "loopback plug");
        harness.sweepLight();
        assertThat(harness.ends).containsExactly("up");
    }

    private static int lastHop(byte[] mad) {
        return mad[Smp.INITIAL_PATH + (int) MadHeader.HOP_COUNT.get(mad, 0)];
    }

    @Test
    void looksAgainForASilentDeviceUntilItAnswers() {
        SweepHarness harness = new SweepHarness(ROW);
        harness.isRequestLost = mad -> String.valueOf(Smp.path(mad)).equals(routeTo(harness, 2));
        assertThat(harness.sweep()).isEqualTo("up");
        assertLeftOut(harness, "nothing behind it answers");
        harness.sweepLight();
        assertThat(harness.ends).containsExactly("up");
        harness.isRequestLost = mad -> false;
        harness.sweepLight();
        assertThat(harness.ends).containsExactly("up", "up");
        assertDiscovered(harness);
    }

    /**
     * If a request is lost with all its retries, the sweep sends it again, by another path if there is one, before
     * it continues without the device.
     */
    @ParameterizedTest
    @ValueSource(ints = {0x11, 0x12, 0x15})
    void looksTwiceBeforeItTakesADeviceForSilent(int attribute) {
        SweepHarness harness = new SweepHarness("torus:3x3x1,hosts=2");
        SweepHarness other = new SweepHarness("torus:3x3x1,hosts=2");
        other.sweep();
        Fabric found = other.publishedView().subnet().fabric();
        Set<DrPath> routes = IntStream.range(0, found.nodeCount())
                .mapToObj(node -> found.node(node).path())
                .collect(Collectors.toSet());
        Map<String, Integer> sent = new HashMap<>();
        harness.isRequestLost = mad -> {
            String question = Smp.path(mad) + " " + MadHeader.ATTRIBUTE_MODIFIER.get(mad, 0);
            return MadHeader.attributeId(mad) == attribute
                    && MadHeader.HOP_COUNT.get(mad, 0) == 3
                    && routes.contains(Smp.path(mad))
                    && sent.merge(question, 1, Integer::sum) <= TRIES;
        };
        assertThat(harness.sweep()).isEqualTo("up");
        assertThat(harness.publishedView().subnet().fabric().anomalies()).isEmpty();
        assertDiscovered(harness);
    }

    /**
     * A device that was silent in the previous sweep gets fewer requests, so that it does not delay each sweep.
     */
    @Test
    void asksOnceIfADeviceWasSilentTheLastTime() {
        SweepHarness harness = new SweepHarness("torus:3x3x1,hosts=2");
        harness.isRequestLost =
                mad -> MadHeader.attributeId(mad) == PortInfo.TYPE.id() && MadHeader.HOP_COUNT.get(mad, 0) == 3;
        harness.sweep();
        int first = portInfos(harness);
        harness.sweep();
        assertThat(portInfos(harness) - first).isLessThan(first);
    }

    /** One line is for all ports, and contains the name of the device. Sw-3 has 8 ports with port 0. */
    @Test
    void aDeviceThatDoesNotTellItsPortsIsOneLine() {
        SweepHarness harness = new SweepHarness(ROW);
        harness.isRequestLost =
                mad -> MadHeader.attributeId(mad) == PortInfo.TYPE.id() && MadHeader.HOP_COUNT.get(mad, 0) == 4;
        try (LoggedEvents log = new LoggedEvents().listen()) {
            harness.sweep();
            assertThat(log.of(SmEvent.FABRIC_ANOMALY))
                    .filteredOn(line -> line.names("PortInfo", "sw-3-0-0", "8 ports"))
                    .hasSize(1);
            assertThat(log.of(SmEvent.FABRIC_ANOMALY)).hasSizeLessThan(4);
        }
    }

    private static int portInfos(SweepHarness harness) {
        return (int) harness.requests.stream()
                .filter(mad -> MadHeader.attributeId(mad) == PortInfo.TYPE.id() && MadHeader.HOP_COUNT.get(mad, 0) == 3)
                .count();
    }

    /** Returns the directed route to a host of the row, as a sweep by another SM finds it. */
    private static String routeTo(SweepHarness harness, int index) {
        SweepHarness other = new SweepHarness(harness.topology, FaultPlan.NONE);
        other.sweep();
        Fabric fabric = other.publishedView().subnet().fabric();
        return fabric.node(fabric.nodeByGuid(hostGuid(index))).path().toString();
    }

    @Test
    void looksAgainAtASwitchThatDidNotTellItsTables() {
        SweepHarness harness = new SweepHarness(ROW);
        harness.changeResponse = mad -> {
            boolean isMeant =
                    MadHeader.attributeId(mad) == SwitchInfo.TYPE.id() && MadHeader.HOP_COUNT.get(mad, 0) == 4;
            if (isMeant) {
                MadHeader.STATUS.set(mad, 0, 0x1c);
            }
        };
        harness.sweep();
        harness.changeResponse = mad -> {};
        harness.sweepLight();
        assertThat(harness.ends).last().isEqualTo("up");
        assertDiscovered(harness);
    }

    @Test
    void failsIfTheOwnPortDoesNotAnswer() {
        SweepHarness harness = new SweepHarness(ROW);
        harness.isRequestLost = mad -> true;
        assertThat(harness.sweep()).startsWith("failed: ").contains("timeout", "guid2mkey");
    }

    @Test
    void failsIfTheOwnPortIsDown() {
        SweepHarness harness = new SweepHarness(ROW);
        harness.fabric.unlink(switchGuid(0), portOfHost(harness));
        assertThat(harness.sweep()).startsWith("failed");
        assertThat(harness.countAllSets()).isZero();
        assertThat(PortInfo.STATE_DOWN)
                .isEqualTo(harness.fabric.portInfo(hostGuid(0), 1).portState());
    }

    private static int portOfHost(SweepHarness harness) {
        Topology.PortRef far = harness.topology.nodes().stream()
                .filter(node -> node.nodeGuid() == hostGuid(0))
                .findFirst()
                .orElseThrow()
                .peer(1);
        return Objects.requireNonNull(far).portNum();
    }
}
