package io.torussm.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.Field;
import io.torussm.mad.Lids;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import java.util.Arrays;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DirectedRouteTest {
    private final VirtualLoop loop = new VirtualLoop();
    private final SimFabric fabric =
            new SimFabric(TorusSpec.parse("torus:1x1x4,mesh=z").topology(), loop, FaultPlan.NONE);
    private final Probe probe = new Probe(fabric, loop, "host-0-0-0-0", 1);

    private byte[] nodeInfo(int... path) {
        return probe.request(Method.GET, NodeInfo.TYPE, 0, DrPath.of(path));
    }

    @Test
    void recordsTheWayBackAtEveryHop() {
        for (int hops = 0; hops <= 4; hops++) {
            int[] path = Arrays.copyOf(new int[] {1, 5, 5, 5}, hops);
            byte[] answer = Objects.requireNonNull(probe.send(nodeInfo(path)));
            byte[] returnPath = Arrays.copyOfRange(answer, Smp.RETURN_PATH + 1, Smp.RETURN_PATH + 1 + hops);
            assertThat(returnPath).isEqualTo(Arrays.copyOf(new byte[] {7, 6, 6, 6}, hops));
            assertThat(Smp.path(answer)).isEqualTo(DrPath.of(path));
            assertThat(MadHeader.HOP_POINTER.get(answer, 0)).isZero();
            assertThat(MadHeader.HOP_COUNT.get(answer, 0)).isEqualTo(hops);
            assertThat(MadHeader.DIRECTION.get(answer, 0)).isEqualTo(1);
            assertThat(MadHeader.method(answer)).isEqualTo(Method.GET_RESP);
        }
    }

    @Test
    void leavesTheBytesOfTheSenderAlone() {
        byte[] mad = nodeInfo(1, 5);
        byte[] copy = mad.clone();
        probe.send(mad);
        assertThat(mad).isEqualTo(copy);
    }

    @Test
    void endsWhereNoDeviceWouldPassItOn() {
        assertThat(probe.send(nodeInfo(2)))
                .as("a port that the adapter does not send by")
                .isNull();
        assertThat(probe.send(nodeInfo(1, 1))).as("an empty socket").isNull();
        assertThat(probe.send(nodeInfo(1, 0))).as("port 0 is no way out").isNull();
        assertThat(probe.send(nodeInfo(1, 99))).as("no such port").isNull();
        assertThat(probe.send(nodeInfo(1, 5, 7, 1)))
                .as("adapters do not forward")
                .isNull();
        assertThat(fabric.counters().misdirected()).isEqualTo(4);
        assertThat(fabric.counters().lost()).isEqualTo(1);
    }

    @Test
    void refusesPointersBeyondTheRouteAndADirectionThatContradictsTheMethod() {
        assertThat(probe.send(withField(nodeInfo(1), MadHeader.HOP_POINTER, 3))).isNull();
        assertThat(probe.send(withField(nodeInfo(1), MadHeader.HOP_COUNT, 64))).isNull();
        assertThat(probe.send(withField(nodeInfo(), MadHeader.DIRECTION, 1))).isNull();
        assertThat(probe.send(withField(nodeInfo(1), MadHeader.METHOD, Method.GET_RESP)))
                .isNull();
        assertThat(fabric.counters().misdirected()).isEqualTo(2);
        assertThat(fabric.counters().ignored()).isEqualTo(2);
    }

    @Test
    void crossesALinkInInitializeButNotOneInDown() {
        assertThat(fabric.portInfo(0x200000, 5).portState()).isEqualTo(PortInfo.STATE_INITIALIZE);
        assertThat(probe.send(nodeInfo(1, 5))).isNotNull();
        fabric.unlink(0x200000, 5);
        assertThat(probe.send(nodeInfo(1, 5))).isNull();
    }

    /** DrDLID: the directed part ends at the second switch, which forwards by LID to the fourth, and so back. */
    @Test
    void endsByLidWhereTheDestinationLidSaysSo() {
        setLids();
        byte[] mad = withField(nodeInfo(1, 5), Smp.DR_DLID, 4);
        byte[] answer = Objects.requireNonNull(probe.send(mad));
        assertThat(NodeInfo.TYPE.read(answer, Smp.DATA_OFFSET).nodeGuid()).isEqualTo(0x200030);
        assertThat(MadHeader.HOP_POINTER.get(answer, 0)).isZero();
    }

    /** DrSLID: the first part goes by LID to the third switch, where the directed part of one hop starts. */
    @Test
    void startsByLidWhereTheSourceLidSaysSo() {
        setLids();
        byte[] mad = withField(withField(nodeInfo(5), Smp.DR_SLID, 10), Smp.DR_DLID, Lids.PERMISSIVE);
        byte[] answer = Objects.requireNonNull(probe.send(new MadAddress(3, 0, 0, 0), mad));
        assertThat(NodeInfo.TYPE.read(answer, Smp.DATA_OFFSET).nodeGuid()).isEqualTo(0x200030);
        assertThat(probe.received.get(probe.received.size() - 1).peer().lid()).isEqualTo(3);
    }

    /** Switches 1 to 4 in the row, the host 10. */
    private void setLids() {
        probe.set(PortInfo.TYPE.zero().with(PortInfo.LID, 10), 1);
        for (int i = 0; i < 4; i++) {
            int[] path = Arrays.copyOf(new int[] {1, 5, 5, 5}, i + 1);
            byte[] lft = new byte[11];
            for (int lid = 1; lid <= 4; lid++) {
                lft[lid] = (byte) (lid == i + 1 ? 0 : lid > i + 1 ? 5 : 6);
            }
            lft[10] = (byte) (i == 0 ? 7 : 6);
            probe.set(PortInfo.TYPE.zero().with(PortInfo.LID, i + 1), 0, path);
            probe.set(SwitchInfo.TYPE.zero().with(SwitchInfo.LINEAR_FDB_TOP, 10), 0, path);
            probe.set(LinearForwardingTable.blockOf(lft, 0), 0, path);
        }
    }

    @ParameterizedTest
    @MethodSource("io.torussm.testing.Seeds#few")
    void survivesHostileFrames(long seed) {
        setLids();
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 5_000; i++) {
            byte[] mad = nodeInfo(1, 5, 5);
            int changes = random.nextInt(1, 40);
            for (int change = 0; change < changes; change++) {
                mad[random.nextInt(random.nextBoolean() ? 40 : mad.length)] = (byte) random.nextInt();
            }
            if (random.nextInt(4) > 0) {
                mad[1] = (byte) (random.nextBoolean() ? 0x81 : 0x01);
                mad[3] = (byte) random.nextInt(8);
                MadHeader.ATTRIBUTE_ID.set(mad, 0, random.nextInt(0x10, 0x21));
            }
            int lid = random.nextBoolean() ? Lids.PERMISSIVE : random.nextInt(1 << 16);
            probe.transport.send(new MadFrame(new MadAddress(lid, random.nextInt(), random.nextInt(), 0), mad), 0);
            loop.runFor(1);
        }
        assertThat(fabric.counters().sent()).isGreaterThanOrEqualTo(5_000);
        assertThat(fabric.counters().answered()).isGreaterThan(100);
        assertThat(probe.transport.send(new MadFrame(MadAddress.DIRECTED, new byte[100]), 0))
                .isFalse();
    }

    private static byte[] withField(byte[] mad, Field field, long value) {
        field.set(mad, 0, value);
        return mad;
    }
}
