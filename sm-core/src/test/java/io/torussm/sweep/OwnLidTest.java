package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.mad.MadHeader;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Topology;
import io.torussm.subnet.Subnet;
import io.torussm.testing.LoggedEvents;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** LIDs that this SM assigned, regardless of reports of ports and writes of other SMs (ADR 17). */
class OwnLidTest {
    private static final Topology TORUS = TorusSpec.parse("torus:4x3x1").topology();

    @RegisterExtension
    final LoggedEvents log = new LoggedEvents();

    @TempDir
    Path dir;

    private SweepHarness bringUp() {
        SweepHarness harness = new SweepHarness(TORUS, FaultPlan.NONE, SweepHarness.settings(), dir);
        assertThat(harness.sweep()).isEqualTo("up");
        settle(harness);
        log.take();
        harness.requests.clear();
        return harness;
    }

    private static void settle(SweepHarness harness) {
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(5));
        harness.awaitRest();
    }

    private static int lidOf(SweepHarness harness, Topology.Node node) {
        Subnet subnet = harness.publishedView().subnet();
        Fabric fabric = subnet.fabric();
        int index = fabric.nodeByGuid(node.nodeGuid());
        return index == Fabric.NONE ? 0 : subnet.lid(fabric.port(index, node.isSwitch() ? 0 : 1));
    }

    private static Map<Long, Integer> lids(SweepHarness harness) {
        Map<Long, Integer> lids = new TreeMap<>();
        harness.topology.nodes().forEach(node -> lids.put(node.nodeGuid(), lidOf(harness, node)));
        return lids;
    }

    private static int heldLid(SweepHarness harness, String name) {
        Topology.Node node = harness.node(name);
        return harness.fabric.portInfo(node.nodeGuid(), node.isSwitch() ? 0 : 1).lid();
    }

    /** The LID changes to an unused one, a host's, a switch's, the SM's, the highest. */
    @ParameterizedTest
    @CsvSource({
        "host-2-1-0-0, 5000",
        "host-2-1-0-0, 3",
        "host-2-1-0-0, 24",
        "host-2-1-0-0, 1",
        "host-2-1-0-0, 49151",
        "host-0-0-0-0, 77",
        "host-0-0-0-0, 3",
        "host-0-0-0-0, 24",
        "sw-2-1-0, 3",
        "sw-0-0-0, 77",
        "sw-0-0-0, 1"
    })
    void aLidThatAnotherProgramWroteIsPutRightByTheNextLightSweep(String device, int foreign) {
        SweepHarness harness = bringUp();
        Map<Long, Integer> before = lids(harness);
        Topology.Node node = harness.node(device);
        harness.fabric.interventions().setLid(node.nodeGuid(), node.isSwitch() ? 0 : 1, foreign, 0);
        harness.sweepLight();
        settle(harness);
        assertThat(heldLid(harness, device)).isEqualTo(before.get(node.nodeGuid()));
        assertThat(lids(harness)).isEqualTo(before);
        assertThat(harness.countSets(LinearForwardingTable.TYPE.id())).isZero();
        assertThat(log.of(SmEvent.LID_RESTORED)).hasSize(1);
        harness.sweep();
        settle(harness);
        assertThat(lids(harness)).isEqualTo(before);
        assertThat(log.of(SmEvent.LID_CHANGED)).isEmpty();
    }

    /**
     * The local sweep after the lost cable clears the reported port change, so that no later one would read
     * the LID.
     */
    @Test
    void aLidChangedDuringTheLossOfACableIsCorrected() {
        SweepHarness harness = bringUp();
        Topology.Node host = harness.node("host-2-1-0-0");
        int lid = lidOf(harness, host);
        harness.fabric.interventions().setLid(host.nodeGuid(), 1, 5000, 0);
        harness.fabric.unlink(harness.node("sw-2-1-0").nodeGuid(), 1);
        settle(harness);
        harness.sweepLight();
        settle(harness);
        assertThat(heldLid(harness, "host-2-1-0-0")).isEqualTo(lid);
    }

    /** The host keeps its LID in whole and local sweeps while it reports a false one. Tables keep their length. */
    @ParameterizedTest
    @ValueSource(ints = {3, 1, 24, 49151, 0xffff, 0})
    void aHostThatReportsAFalseLidKeepsItsOwn(int shown) {
        SweepHarness harness = bringUp();
        Map<Long, Integer> before = lids(harness);
        long liar = harness.node("host-2-1-0-0").nodeGuid();
        boolean[] lies = {true};
        harness.changeResponse = mad -> {
            if (lies[0]
                    && MadHeader.attributeId(mad) == PortInfo.TYPE.id()
                    && BadDeviceTest.endOf(harness, mad) == liar) {
                PortInfo.LID.set(mad, Smp.DATA_OFFSET, shown);
            }
        };
        assertThat(harness.sweep()).isEqualTo("up");
        settle(harness);
        assertThat(lids(harness)).isEqualTo(before);
        assertThat(harness.countSets(LinearForwardingTable.TYPE.id())).isZero();
        lies[0] = false;
        harness.sweepLight();
        settle(harness);
        assertThat(heldLid(harness, "host-2-1-0-0")).isEqualTo(before.get(liar));
        assertThat(harness.fabric
                        .switchInfo(harness.node("sw-0-0-0").nodeGuid())
                        .linearFdbTop())
                .isLessThan(64);
    }

    /** A port keeps its LID while its link is down, and meanwhile another subnet has assigned one. */
    @ParameterizedTest
    @CsvSource({"61, false", "3, false", "1, false", "61, true", "3, true", "49151, true"})
    void anAdapterThatReturnsFromAnotherSubnetHasItsLidBack(int foreign, boolean isAfterRestart) {
        SweepHarness harness = bringUp();
        Map<Long, Integer> before = lids(harness);
        Topology.Node host = harness.node("host-2-1-0-0");
        harness.fabric.unlink(host.nodeGuid(), 1);
        harness.sweep();
        settle(harness);
        harness.fabric.interventions().setLid(host.nodeGuid(), 1, foreign, 0);
        harness.fabric.relink(host.nodeGuid(), 1);
        if (isAfterRestart) {
            harness.restart();
            harness.sweep();
        }
        settle(harness);
        assertThat(lids(harness)).isEqualTo(before);
        assertThat(heldLid(harness, "host-2-1-0-0")).isEqualTo(before.get(host.nodeGuid()));
    }

    /** Another SM has assigned all LIDs since the files were written. */
    @Test
    void filesThatMostPortsContradictAreOfAnotherTime() {
        SweepHarness harness = bringUp();
        Map<Long, Integer> others = new TreeMap<>();
        harness.topology.nodes().forEach(node -> {
            int lid = 100 + lidOf(harness, node);
            others.put(node.nodeGuid(), lid);
            harness.fabric.interventions().setLid(node.nodeGuid(), node.isSwitch() ? 0 : 1, lid, 0);
        });
        harness.restart();
        assertThat(harness.sweep()).isEqualTo("up");
        assertThat(lids(harness)).isEqualTo(others);
    }
}
