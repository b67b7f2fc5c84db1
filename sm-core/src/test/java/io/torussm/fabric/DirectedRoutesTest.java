package io.torussm.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.smp.DrPath;
import io.torussm.sweep.SweepHarness;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Routes from other ports lead to the same nodes as the routes of a discovery from there, and are as short. */
class DirectedRoutesTest {
    @ParameterizedTest
    @ValueSource(strings = {"torus:4x3x2,hosts=2", "torus:3x1x1,hosts=1,mesh=x", "torus:1x1x1,hosts=2"})
    void routesLeadToTheirPorts(String shape) {
        SweepHarness harness = new SweepHarness(shape);
        harness.sweep();
        Fabric fabric = harness.up().subnet().fabric();
        DirectedRoutes own = DirectedRoutes.from(fabric, fabric.localPort());
        for (int to = 0; to < fabric.portCount(); to++) {
            if (fabric.isEndport(to)) {
                DrPath route = Objects.requireNonNull(own.to(to));
                assertThat(route.hops()).isEqualTo(fabric.pathTo(to).hops());
                assertThat(fabric.nodeAt(route)).isEqualTo(fabric.nodeOf(to));
            }
        }
    }

    @Test
    void aRouteFromAHostBeginsAtItsPort() {
        SweepHarness harness = new SweepHarness("torus:4x3x2,hosts=2");
        harness.sweep();
        Fabric fabric = harness.up().subnet().fabric();
        int host = fabric.port(fabric.nodeByGuid(harness.node("host-2-1-1-1").nodeGuid()), 1);
        DirectedRoutes routes = DirectedRoutes.from(fabric, host);
        assertThat(routes.to(host)).isEqualTo(DrPath.LOCAL);
        DrPath back = Objects.requireNonNull(routes.to(fabric.localPort()));
        assertThat(back.port(0)).isOne();
        assertThat(back.hops()).isEqualTo(fabric.pathTo(host).hops());
        assertThat(back.port(back.hops() - 1)).isEqualTo(fabric.portNum(fabric.peer(fabric.localPort())));
    }

    @Test
    void noRouteLeadsToACutPart() {
        SweepHarness harness = new SweepHarness("torus:3x1x1,hosts=1,mesh=x");
        harness.sweep();
        Fabric whole = harness.up().subnet().fabric();
        int sw = whole.nodeByGuid(harness.node("sw-2-0-0").nodeGuid());
        int host = whole.port(whole.nodeByGuid(harness.node("host-2-0-0-0").nodeGuid()), 1);
        int[] cables = IntStream.rangeClosed(1, whole.numPorts(sw))
                .map(portNum -> whole.port(sw, portNum))
                .filter(port -> whole.switchBehind(port) != Fabric.NONE)
                .toArray();
        DirectedRoutes routes = DirectedRoutes.from(whole.without(cables), whole.localPort());
        assertThat(routes.to(host)).isNull();
        assertThat(routes.to(whole.port(sw, 0))).isNull();
        assertThat(routes.to(whole.localPort())).isEqualTo(DrPath.LOCAL);
    }
}
