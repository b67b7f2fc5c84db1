package io.torussm.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.history.RowKey.RowType;
import io.torussm.mad.smp.PortInfo;
import io.torussm.subnet.Subnet;
import io.torussm.sweep.SweepHarness;
import io.torussm.view.FabricState;
import io.torussm.view.PublishedView;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Rows of the ports of nodes: which rows a change writes. The torus has 3 x 3 x 2 switches with two hosts each. */
class NodePortsTest {
    private static final String TORUS = "torus:3x3x2,hosts=2";

    private static NavigableMap<RowKey, Row> rows(FabricState state) {
        return StateWriter.rows(state, Objects.requireNonNull(state.view()));
    }

    /** If all ports were compared, each change of a large fabric would write and compare all PortInfo. */
    @Test
    void portsThatWereNotReadAgainAreNotCompared() {
        SweepHarness harness = new SweepHarness(TORUS);
        harness.sweep();
        FabricState before = harness.sweeper.state();
        Fabric fabric = harness.publishedView().subnet().fabric();
        int port = IntStream.range(0, fabric.portCount())
                .filter(one -> fabric.isSwitch(fabric.nodeOf(one))
                        && fabric.peer(one) != Fabric.NONE
                        && fabric.isSwitch(fabric.nodeOf(fabric.peer(one))))
                .skip(5)
                .findFirst()
                .orElseThrow();
        harness.fabric.unlink(fabric.nodeGuid(fabric.nodeOf(port)), fabric.portNum(port));
        harness.await(2);
        NavigableMap<RowKey, Row> old = rows(before);
        List<Long> written = rows(harness.sweeper.state()).entrySet().stream()
                .filter(row -> row.getKey().kind() == RowType.PORTS)
                .filter(row -> !row.getValue().isKnownSame(Objects.requireNonNull(old.get(row.getKey()))))
                .map(Map.Entry::getKey)
                .map(RowKey::a)
                .toList();
        assertThat(written)
                .containsExactlyInAnyOrder(
                        fabric.nodeGuid(fabric.nodeOf(port)), fabric.nodeGuid(fabric.nodeOf(fabric.peer(port))));
    }

    @Test
    void rowsThatAreSurelyTheSameHaveTheSameBytes() throws IOException {
        SweepHarness harness = new SweepHarness(TORUS);
        harness.sweep();
        PublishedView view = harness.publishedView();
        Fabric fabric = view.subnet().fabric();
        int port = IntStream.range(0, fabric.portCount())
                .filter(one -> fabric.isEndport(one) && !fabric.isSwitch(fabric.nodeOf(one)))
                .findFirst()
                .orElseThrow();
        int node = fabric.nodeOf(port);
        PortInfo info = Objects.requireNonNull(fabric.portInfo(port));
        Subnet subnet = addressed(view.subnet(), port, 1000, 0);
        List<Subnet> others = List.of(
                subnet.with(fabric.with(port, info.with(PortInfo.OPERATIONAL_VLS, 1))),
                addressed(subnet, port, 1002, 0),
                addressed(subnet, port, 1000, 1));
        NodePorts now = new NodePorts(subnet, node);
        assertThat(now.makesSameAs(new NodePorts(addressed(subnet, port, 1000, 0), node)))
                .isTrue();
        for (Subnet other : others) {
            NodePorts changed = new NodePorts(other, node);
            assertThat(bytes(changed)).isNotEqualTo(bytes(now));
            assertThat(changed.makesSameAs(now)).isFalse();
            assertThat(now.makesSameAs(changed)).isFalse();
        }
    }

    private static byte[] bytes(NodePorts ports) throws IOException {
        return new RowBytes().hold(Row.of(ports, ports)).copy();
    }

    /** Returns the same fabric with another LID and LMC for one port. */
    private static Subnet addressed(Subnet subnet, int port, int lid, int lmc) {
        int ports = subnet.fabric().portCount();
        int[] lids = IntStream.range(0, ports).map(subnet::lid).toArray();
        byte[] lmcs = new byte[ports];
        lids[port] = lid;
        lmcs[port] = (byte) lmc;
        return new Subnet(subnet.fabric(), lids, lmcs, subnet.gidPrefix());
    }
}
