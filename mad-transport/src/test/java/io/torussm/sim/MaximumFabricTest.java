package io.torussm.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.Attribute;
import io.torussm.mad.Method;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.Smp;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Topology;
import io.torussm.sim.topology.Topology.Node;
import io.torussm.sim.topology.Topology.PortRef;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The fabric at its maximum: 16,384 switches, whose tables cover all 49,151 LIDs; every block is written by an SMP. */
class MaximumFabricTest {
    private static final int MAX_LID = 49_151;
    private static final int WINDOW = 512;
    private static final long HEAP_LIMIT_BYTES = 4L << 30;

    private final VirtualLoop loop = new VirtualLoop();
    private final Counter counter = new Counter();

    private static final class Counter implements MadTransport.Receiver {
        long received;

        @Override
        public void received(MadFrame frame) {
            received++;
        }

        @Override
        public void transportFailed(String reason) {
            throw new IllegalStateException(reason);
        }
    }

    @Test
    @Tag("campaign")
    void holdsAllTablesInLessThanFourGibibytes() {
        program("torus:32x32x16,hosts=1", MAX_LID);
    }

    /** The same on a fabric that takes no time. */
    @ParameterizedTest
    @CsvSource({"'torus:4x4x4,hosts=2', 191", "'torus:3x3x3,hosts=0,links=2', 5000"})
    void holdsTheTablesOfSmallFabrics(String spec, int maxLid) {
        program(spec, maxLid);
    }

    private void program(String spec, int maxLid) {
        Topology topology = TorusSpec.parse(spec).topology();
        SimFabric fabric = new SimFabric(topology, loop, FaultPlan.NONE);
        Node start = topology.nodes().get(0);
        SimTransport client = fabric.attach(start.id(), start.isSwitch() ? 0 : 1);
        client.start(counter);
        Map<Node, DrPath> paths = paths(start);
        long heapAtPowerUp = usedHeapBytes();
        long startNs = System.nanoTime();
        long sent = 0;
        for (Map.Entry<Node, DrPath> entry : paths.entrySet()) {
            if (entry.getKey().isSwitch()) {
                sent += programSwitch(client, entry.getKey(), entry.getValue(), maxLid);
            }
        }
        loop.runFor(0);
        double seconds = (System.nanoTime() - startNs) / 1e9;
        assertThat(counter.received).isEqualTo(sent);
        long switches = topology.nodes().stream().filter(Node::isSwitch).count();
        assertThat(sent).isEqualTo(switches * (maxLid / 64 + 2));
        for (Node node : topology.nodes()) {
            if (node.isSwitch() && node.index() % 37 == 0) {
                assertThat(fabric.lft(node.nodeGuid())).isEqualTo(Arrays.copyOf(lft(node, maxLid), maxLid + 1));
            }
        }
        long heapProgrammed = usedHeapBytes();
        System.out.printf(
                "%s: %d nodes, %d SMPs in %.1f s (%.0f/s, %.1f hops each); heap %d MiB at power-up, %d MiB programmed%n",
                spec,
                topology.nodes().size(),
                sent,
                seconds,
                sent / seconds,
                (double) fabric.counters().hops() / sent,
                heapAtPowerUp >> 20,
                heapProgrammed >> 20);
        assertThat(heapProgrammed).isLessThan(HEAP_LIMIT_BYTES);
        assertThat(fabric.counters().answered()).isEqualTo(sent);
    }

    private long programSwitch(SimTransport client, Node node, DrPath path, int maxLid) {
        byte[] lft = lft(node, maxLid);
        send(client, SwitchInfo.TYPE.zero().with(SwitchInfo.LINEAR_FDB_TOP, maxLid), 0, path);
        int blocks = maxLid / 64 + 1;
        for (int block = 0; block < blocks; block++) {
            send(client, LinearForwardingTable.blockOf(lft, block), block, path);
            if (block % WINDOW == WINDOW - 1) {
                loop.runFor(0);
            }
        }
        loop.runFor(0);
        return blocks + 1L;
    }

    private static void send(SimTransport client, Attribute<?> value, int modifier, DrPath path) {
        byte[] mad = Smp.directed(Method.SET, 1, value.type().id(), modifier, 0, path);
        value.write(mad, Smp.DATA_OFFSET);
        assertThat(client.send(new MadFrame(MadAddress.DIRECTED, mad), 0)).isTrue();
    }

    /** Returns a table that differs from switch to switch, so that none can be shared. */
    private static byte[] lft(Node node, int maxLid) {
        byte[] lft = new byte[maxLid + 1];
        for (int lid = 0; lid <= maxLid; lid++) {
            lft[lid] = (byte) ((lid * 31 + node.index() * 7) % (node.numPorts() + 1));
        }
        return lft;
    }

    /** Returns the shortest routes to all nodes, the nearest first. */
    private static Map<Node, DrPath> paths(Node start) {
        Map<Node, DrPath> paths = new LinkedHashMap<>();
        ArrayDeque<Node> open = new ArrayDeque<>();
        paths.put(start, DrPath.LOCAL);
        open.add(start);
        while (!open.isEmpty()) {
            Node node = open.remove();
            DrPath path = paths.get(node);
            for (int portNum = 1; path != null && portNum <= node.numPorts(); portNum++) {
                PortRef peer = node.peer(portNum);
                if (peer != null && !paths.containsKey(peer.node())) {
                    paths.put(peer.node(), path.withHop(portNum));
                    open.add(peer.node());
                }
            }
        }
        return paths;
    }

    private static long usedHeapBytes() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
