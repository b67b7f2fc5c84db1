package io.torussm.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.smp.DrPath;
import io.torussm.sweep.SweepHarness;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Routes of an SM at another port lead to the same nodes, and are as short as those of a discovery from there. */
class FabricBuilderTest {
    private static Fabric discovered(String shape) {
        SweepHarness harness = new SweepHarness(shape);
        harness.sweep();
        return harness.publishedView().subnet().fabric();
    }

    private static Fabric from(Fabric fabric, int endport) {
        FabricBuilder builder = FabricBuilder.of(fabric);
        builder.moveSm(fabric.nodeGuid(fabric.nodeOf(endport)), fabric.portNum(endport));
        builder.retrace();
        return builder.build();
    }

    private static int host(Fabric fabric, String description) {
        return IntStream.range(0, fabric.portCount())
                .filter(port -> fabric.node(fabric.nodeOf(port)).description().equals(description))
                .filter(fabric::isEndport)
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(strings = {"torus:4x3x2,hosts=2", "torus:3x1x1,hosts=1,mesh=x", "torus:1x1x1,hosts=2"})
    void routesLeadToTheirPorts(String shape) {
        Fabric fabric = discovered(shape);
        for (int of = 0; of < fabric.portCount(); of++) {
            if (fabric.isEndport(of)) {
                assertLeadToTheirPorts(fabric, from(fabric, of));
            }
        }
        Fabric own = from(fabric, fabric.localPort());
        for (int to = 0; to < fabric.portCount(); to++) {
            assertThat(own.pathTo(to).hops()).isEqualTo(fabric.pathTo(to).hops());
        }
    }

    private static void assertLeadToTheirPorts(Fabric fabric, Fabric moved) {
        assertThat(moved.nodeCount()).isEqualTo(fabric.nodeCount());
        for (int to = 0; to < fabric.portCount(); to++) {
            if (fabric.isEndport(to)) {
                assertThat(moved.nodeGuid(moved.nodeOf(to))).isEqualTo(fabric.nodeGuid(fabric.nodeOf(to)));
                assertThat(moved.nodeAt(moved.pathTo(to))).isEqualTo(fabric.nodeOf(to));
            }
        }
    }

    @Test
    void aRouteFromAHostBeginsAtItsPort() {
        Fabric fabric = discovered("torus:4x3x2,hosts=2");
        int host = host(fabric, "host-2-1-1-1");
        Fabric moved = from(fabric, host);
        assertThat(moved.localPort()).isEqualTo(host);
        assertThat(moved.pathTo(host)).isEqualTo(DrPath.LOCAL);
        DrPath back = moved.pathTo(fabric.localPort());
        assertThat(back.port(0)).isOne();
        assertThat(back.hops()).isEqualTo(fabric.pathTo(host).hops());
        assertThat(back.port(back.hops() - 1)).isEqualTo(fabric.portNum(fabric.peer(fabric.localPort())));
    }

    @Test
    void aCutPartIsLeftOut() {
        Fabric whole = discovered("torus:3x1x1,hosts=1,mesh=x");
        int sw = IntStream.range(0, whole.switchCount())
                .filter(each -> whole.node(each).description().equals("sw-2-0-0"))
                .findFirst()
                .orElseThrow();
        int[] cables = IntStream.rangeClosed(1, whole.numPorts(sw))
                .map(portNum -> whole.port(sw, portNum))
                .filter(port -> whole.switchBehind(port) != Fabric.NONE)
                .toArray();
        Fabric reached = from(whole.without(cables), whole.localPort());
        assertThat(reached.nodeByGuid(whole.nodeGuid(sw))).isEqualTo(Fabric.NONE);
        assertThat(reached.nodeCount()).isEqualTo(whole.nodeCount() - 2);
        assertThat(reached.pathTo(reached.localPort())).isEqualTo(DrPath.LOCAL);
    }
}
