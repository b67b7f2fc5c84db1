package io.torussm.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.mad.smp.VlArbitrationTable;
import io.torussm.sim.topology.Topology;
import io.torussm.sim.topology.TopologyException;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
import io.torussm.transport.capture.CaptureReader;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Captures of OpenSM 3.3.23 on ibsim, a 3x3 torus with a host at each switch, as fabrics. */
class RecordedFabricTest {
    /** Of the switch that was made to lose every MAD with its VL arbitration. */
    private static final long DEAF_TO_VL_ARBITRATION = 0x200040L;

    private final VirtualLoop loop = new VirtualLoop();

    private static List<byte[]> capture(String name) throws IOException {
        try (InputStream in = Objects.requireNonNull(RecordedFabricTest.class.getResourceAsStream(name))) {
            return CaptureReader.read(in, name);
        }
    }

    private SimTransport local(RecordedFabric recorded) {
        return recorded.start(loop).attach(recorded.portGuid());
    }

    /** The responses before the first Set, from devices that were still in the initial state of the capture. */
    @ParameterizedTest
    @ValueSource(strings = {"cold-start.pcap.gz", "restart.pcap.gz", "deaf-to-vlarb.pcap.gz"})
    void answersEveryGetBeforeTheFirstSetByteForByte(String name) throws Exception {
        List<byte[]> mads = capture(name);
        Map<Long, byte[]> answers = new HashMap<>();
        SimTransport transport = local(RecordedFabric.of(mads, name));
        transport.start(new Answers(answers));
        transport.setIsSm(true); // as OpenSM had before it asked
        Map<Long, byte[]> recorded = new HashMap<>();
        for (byte[] mad : mads) {
            if (MadHeader.method(mad) == Method.SET) {
                break;
            }
            if (MadHeader.method(mad) == Method.GET) {
                transport.send(new MadFrame(MadAddress.DIRECTED, mad), 0);
            } else if (MadHeader.mgmtClass(mad) == MgmtClass.SUBN_DIRECTED_ROUTE) {
                recorded.put(MadHeader.tid(mad), mad);
            }
        }
        loop.runFor(1_000_000_000);
        assertThat(recorded).hasSizeGreaterThan(50);
        recorded.forEach((tid, mad) -> assertThat(data(answers.get(tid)))
                .as("answer to attribute 0x%x of TID 0x%x", MadHeader.attributeId(mad), tid)
                .isEqualTo(data(mad)));
    }

    private static byte[] data(byte @Nullable [] mad) {
        return Arrays.copyOfRange(
                Objects.requireNonNull(mad, "no answer"), Smp.DATA_OFFSET, Smp.DATA_OFFSET + Smp.DATA_SIZE);
    }

    private record Answers(Map<Long, byte[]> byTid) implements MadTransport.Receiver {
        @Override
        public void received(MadFrame frame) {
            byTid.put(MadHeader.tid(frame.mad()), frame.mad());
        }

        @Override
        public void transportFailed(String reason) {
            throw new IllegalStateException(reason);
        }
    }

    @Test
    void showsEveryNodeAndCable() throws Exception {
        RecordedFabric recorded = RecordedFabric.of(capture("cold-start.pcap.gz"), "cold-start");
        List<Topology.Node> nodes = recorded.topology().nodes();
        assertThat(nodes).hasSize(18);
        assertThat(nodes.stream()
                        .filter(Topology.Node::isSwitch)
                        .map(Topology.Node::description)
                        .sorted())
                .startsWith("sw-0-0-0", "sw-0-1-0")
                .hasSize(9);
        long ends = nodes.stream()
                .mapToLong(node -> IntStream.rangeClosed(1, node.numPorts())
                        .filter(port -> node.peer(port) != null)
                        .count())
                .sum();
        assertThat(ends).isEqualTo(2 * (18 + 9));
    }

    @Test
    void aRestartFindsLidsAndActiveLinks() throws Exception {
        RecordedFabric recorded = RecordedFabric.of(capture("restart.pcap.gz"), "restart");
        SimFabric fabric = recorded.start(loop);
        for (Topology.Node node : recorded.topology().nodes()) {
            PortInfo info = fabric.portInfo(node.nodeGuid(), node.firstPort());
            assertThat(info.lid()).as(node.toString()).isPositive();
            assertThat(info.portState()).as(node.toString()).isEqualTo(PortInfo.STATE_ACTIVE);
        }
    }

    @Test
    void anUnansweredAttributeStaysUnanswered() throws Exception {
        RecordedFabric recorded = RecordedFabric.of(capture("deaf-to-vlarb.pcap.gz"), "deaf");
        SimFabric fabric = recorded.start(loop);
        for (Topology.Node node : recorded.topology().nodes()) {
            boolean isDeaf = node.nodeGuid() == DEAF_TO_VL_ARBITRATION;
            byte[] set = Smp.directed(Method.SET, 1, VlArbitrationTable.TYPE.id(), 1 << 16 | 1, 0, DrPath.LOCAL);
            assertThat(fabric.deviceAtStart(node.nodeGuid()).profile.rule(set, 0, () -> 0) != null)
                    .as(node.toString())
                    .isEqualTo(isDeaf);
        }
    }

    @Test
    void aCaptureWithoutItsBeginningIsRefused() throws Exception {
        List<byte[]> mads = capture("cold-start.pcap.gz");
        assertThatThrownBy(() -> RecordedFabric.of(mads.subList(100, 200), "late.pcap"))
                .isInstanceOf(TopologyException.class)
                .hasMessageStartingWith("late.pcap: ")
                .hasMessageContaining("begin it before the subnet manager starts");
    }
}
