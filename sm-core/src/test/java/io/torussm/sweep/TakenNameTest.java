package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import io.torussm.mad.MadHeader;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.Notice;
import io.torussm.mad.smp.Smp;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Topology;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Devices that appear under the GUID of another one, and devices that only moved. There are four switches in
 * a row, a host at each, the SM at the first; the device with a wrong name appears later.
 */
class TakenNameTest {
    private static final Topology ROW = TorusSpec.parse("torus:4x1x1,hosts=1").topology();

    @TempDir
    Path dir;

    private static Topology.Node node(String description) {
        return ROW.node(description).orElseThrow();
    }

    private static Topology.Node host(int index) {
        return node("host-" + index + "-0-0-0");
    }

    private static Topology.Node sw(int index) {
        return node("sw-" + index + "-0-0");
    }

    private SweepHarness harness() {
        return new SweepHarness(ROW, FaultPlan.NONE, SweepHarness.settings(), dir);
    }

    private static void settle(SweepHarness of) {
        of.loop.runFor(TimeUnit.SECONDS.toNanos(10));
        of.awaitRest();
    }

    private static Fabric fabric(SweepHarness of) {
        return of.publishedView().subnet().fabric();
    }

    /** Returns a subnet that is up, but for one host that is not plugged in yet. */
    private SweepHarness upWithout(int index) {
        SweepHarness harness = harness();
        harness.fabric.unlink(host(index).nodeGuid(), 1);
        assertThat(harness.sweep()).isEqualTo("up");
        settle(harness);
        return harness;
    }

    private static Consumer<byte[]> forging(int host, Consumer<byte[]> forge) {
        return mad -> {
            boolean isMeant = MadHeader.attributeId(mad) == NodeInfo.TYPE.id()
                    && NodeInfo.NODE_GUID.get(mad, Smp.DATA_OFFSET)
                            == host(host).nodeGuid();
            if (isMeant) {
                forge.accept(mad);
            }
        };
    }

    private static Consumer<byte[]> clone(int clone, int original) {
        return forging(clone, mad -> {
            NodeInfo.NODE_GUID.set(mad, Smp.DATA_OFFSET, host(original).nodeGuid());
            NodeInfo.PORT_GUID.set(mad, Smp.DATA_OFFSET, host(original).portGuid(1));
        });
    }

    private static void plugIn(SweepHarness of, int host, boolean isWhole) {
        of.fabric.relink(host(host).nodeGuid(), 1);
        settle(of);
        if (isWhole) {
            assertThat(of.sweep()).isEqualTo("up");
            settle(of);
        }
    }

    /** Returns the contents of the working devices, which must not change. */
    private static List<Object> working(SweepHarness of) {
        List<Object> all = new ArrayList<>();
        for (Topology.Node node : ROW.nodes()) {
            Fabric fabric = fabric(of);
            int known = fabric.nodeByGuid(node.nodeGuid());
            if (known != Fabric.NONE) {
                int port = fabric.port(known, node.isSwitch() ? 0 : 1);
                int far = node.isSwitch() ? port : fabric.peer(port);
                all.add(node.description() + " LID "
                        + of.publishedView().subnet().lid(port) + " at " + fabric.portName(far));
            }
            if (node.isSwitch()) {
                all.add(java.util.Arrays.toString(of.fabric.lft(node.nodeGuid())));
            }
        }
        return all;
    }

    private static String portOfHost(int index) {
        Topology.PortRef far = java.util.Objects.requireNonNull(host(index).peer(1));
        return "\"sw-" + index + "-0-0\" port " + far.portNum();
    }

    /**
     * The clone may be nearer to the SM than the original or farther, and be found in a local sweep or a
     * whole one.
     */
    @ParameterizedTest
    @CsvSource({"1,3,false", "1,3,true", "3,1,false", "3,1,true"})
    void aCloneOfAHostIsRefusedAndTheFabricGoesOn(int clone, int original, boolean isWhole) {
        SweepHarness harness = upWithout(clone);
        List<Object> before = working(harness);
        harness.changeResponse = clone(clone, original);
        plugIn(harness, clone, isWhole);
        assertThat(working(harness)).isEqualTo(before);
        assertThat(fabric(harness).anomalies())
                .singleElement()
                .asString()
                .contains("duplicate NodeGUID " + Guid.format(host(original).nodeGuid()))
                .contains(portOfHost(original))
                .contains(portOfHost(clone))
                .contains("unplug it");
        assertThat(harness.ends).containsOnly("up");
    }

    @Test
    void anSmThatRestartsStillKnowsTheFirstOwner() {
        SweepHarness harness = upWithout(1);
        List<Object> before = working(harness);
        harness.changeResponse = clone(1, 3);
        harness.fabric.relink(host(1).nodeGuid(), 1);
        harness.restart();
        assertThat(harness.sweep()).isEqualTo("up");
        assertThat(working(harness)).isEqualTo(before);
        assertThat(fabric(harness).anomalies()).singleElement().asString().contains("duplicate NodeGUID");
    }

    @Test
    void aCloneThatGetsItsOwnGuidAfterAllIsTakenIn() {
        SweepHarness harness = upWithout(1);
        harness.changeResponse = clone(1, 3);
        plugIn(harness, 1, false);
        harness.changeResponse = mad -> {};
        harness.fabric.unlink(host(1).nodeGuid(), 1);
        settle(harness);
        plugIn(harness, 1, false);
        assertThat(fabric(harness).anomalies()).isEmpty();
        assertThat(fabric(harness).nodeCount()).isEqualTo(8);
    }

    @ParameterizedTest
    @CsvSource({"1,3,false", "1,3,true", "3,1,false", "3,1,true"})
    void aSecondPortGuidIsRefused(int liar, int original, boolean isWhole) {
        SweepHarness harness = upWithout(liar);
        List<Object> before = working(harness);
        harness.changeResponse = forging(
                liar,
                mad -> NodeInfo.PORT_GUID.set(
                        mad, Smp.DATA_OFFSET, host(original).portGuid(1)));
        plugIn(harness, liar, isWhole);
        assertThat(working(harness)).isEqualTo(before);
        assertThat(fabric(harness).anomalies())
                .singleElement()
                .asString()
                .contains("duplicate port GUID " + Guid.format(host(original).portGuid(1)))
                .contains(portOfHost(liar));
    }

    /** The clone uses a port number that is free at the original. */
    @ParameterizedTest
    @CsvSource({"1,3,false", "1,3,true", "3,1,false", "3,1,true", "2,1,false", "2,1,true"})
    void aCloneOfASwitchIsRefusedAndTheFabricGoesOn(int clone, int original, boolean isWhole) {
        SweepHarness harness = upWithout(clone);
        List<Object> before = working(harness);
        Topology.Node taken = sw(original);
        harness.changeResponse = forging(clone, mad -> {
            NodeInfo.NODE_TYPE.set(mad, Smp.DATA_OFFSET, NodeInfo.SWITCH);
            NodeInfo.NODE_GUID.set(mad, Smp.DATA_OFFSET, taken.nodeGuid());
            NodeInfo.PORT_GUID.set(mad, Smp.DATA_OFFSET, taken.portGuid(0));
            NodeInfo.NUM_PORTS.set(mad, Smp.DATA_OFFSET, taken.numPorts());
            NodeInfo.LOCAL_PORT_NUM.set(mad, Smp.DATA_OFFSET, freePort(taken));
        });
        plugIn(harness, clone, isWhole);
        assertThat(working(harness)).isEqualTo(before);
        assertThat(fabric(harness).anomalies())
                .singleElement()
                .asString()
                .contains("duplicate NodeGUID " + Guid.format(taken.nodeGuid()))
                .contains(portOfHost(clone));
    }

    private static int freePort(Topology.Node node) {
        for (int portNum = 1; portNum <= node.numPorts(); portNum++) {
            if (node.peer(portNum) == null) {
                return portNum;
            }
        }
        throw new AssertionError("no free port at " + node);
    }

    /** If the same GUIDs are at another switch, and none at the old one, the host was moved. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aHostThatMovesKeepsItsLid(boolean isWhole) {
        SweepHarness harness = upWithout(1);
        Fabric before = fabric(harness);
        int lid = harness.publishedView().subnet().lid(before.port(before.nodeByGuid(host(3).nodeGuid()), 1));
        harness.changeResponse = clone(1, 3);
        harness.fabric.unlink(host(3).nodeGuid(), 1);
        plugIn(harness, 1, isWhole);
        Fabric now = fabric(harness);
        int port = now.port(now.nodeByGuid(host(3).nodeGuid()), 1);
        assertThat(harness.publishedView().subnet().lid(port)).isEqualTo(lid);
        assertThat(now.nodeGuid(now.nodeOf(now.peer(port)))).isEqualTo(sw(1).nodeGuid());
        assertThat(harness.fabric.portInfo(host(1).nodeGuid(), 1).lid()).isEqualTo(lid);
        assertThat(now.anomalies()).isEmpty();
        assertThat(harness.ends).containsOnly("up");
        assertThat(harness.sweep()).isEqualTo("up");
        assertThat(harness.countAllSets()).as("nothing is left to be done").isZero();
    }

    /** The trap of its old switch is lost: it is still known there when it is found elsewhere. */
    @Test
    void aHostThatIsFoundElsewhereBeforeItIsMissedMoves() {
        SweepHarness harness = upWithout(1);
        Fabric before = fabric(harness);
        int lid = harness.publishedView().subnet().lid(before.port(before.nodeByGuid(host(3).nodeGuid()), 1));
        int left = harness.publishedView().subnet().lid(before.port(before.nodeByGuid(sw(3).nodeGuid()), 0));
        harness.isInboundLost = mad -> Notice.ISSUER_LID.get(mad, Smp.DATA_OFFSET) == left;
        harness.changeResponse = clone(1, 3);
        harness.fabric.unlink(host(3).nodeGuid(), 1);
        plugIn(harness, 1, false);
        Fabric now = fabric(harness);
        int port = now.port(now.nodeByGuid(host(3).nodeGuid()), 1);
        assertThat(now.nodeGuid(now.nodeOf(now.peer(port)))).isEqualTo(sw(1).nodeGuid());
        assertThat(harness.publishedView().subnet().lid(port)).isEqualTo(lid);
        assertThat(now.anomalies()).isEmpty();
    }
}
