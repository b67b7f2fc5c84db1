package io.torussm.routing.minhop;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.deadlock.BrokenTables;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.fabric.Fabric;
import io.torussm.routing.EngineConfig;
import io.torussm.routing.EngineContext;
import io.torussm.routing.Plan;
import io.torussm.routing.PortRole;
import io.torussm.routing.RoutingOptions;
import io.torussm.routing.Sl2VlTables;
import io.torussm.subnet.Subnet;
import io.torussm.testing.Sketch;
import io.torussm.testing.Subnets;
import io.torussm.testing.TestRouting;
import io.torussm.testing.TorusSketch;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Tables, roles of ports and SLs of minhop, on tori of {@link TorusSketch} ({@code of(x, y, z, parallel cables, hosts
 * of each switch)}) and on two switches of 8 ports. LIDs are 1 to n, switches first, then hosts.
 */
class MinHopEngineTest {
    @Test
    void takesAsManyHopsAsTheGridSays() {
        TorusSketch torus = TorusSketch.of(4, 3, 5, 2, 1);
        Plan plan = route(torus.subnet());
        for (int lid = 1; lid <= torus.subnet().topLid(); lid++) {
            int to = torus.subnet().switchOfLid(lid);
            for (int sw = 0; sw < 60; sw++) {
                assertThat(hops(plan, sw, lid)).isEqualTo(distance(torus, sw, to));
            }
        }
    }

    @Test
    void losesNothing() {
        Plan plan = route(TorusSketch.of(4, 3, 2, 1, 2).subnet());
        assertThat(new DeadlockChecker(1).check(plan, TestRouting.QOS)).isNotInstanceOf(BrokenTables.class);
    }

    @Test
    void spreadsHostsOverParallelCablesFromTheLowestPortOnAndThenSwitches() {
        Sketch sketch = twoSwitches();
        sketch.link(0, 4, 1, 7);
        sketch.link(0, 2, 1, 8);
        sketch.addHost(1, 1);
        sketch.addHost(1, 2);
        sketch.addHost(1, 3);
        Subnet subnet = Subnets.of(sketch.build());

        byte[] lft = route(subnet).lft(0);

        assertThat(lft).containsExactly(0xff, 0, 4, 2, 4, 2); // by LID from 0 on; hosts have LIDs 3 to 5
    }

    @Test
    void hasNoPathBetweenIslands() {
        Sketch sketch = twoSwitches();
        sketch.addHost(0, 1);
        sketch.addHost(1, 1);
        Subnet subnet = Subnets.of(sketch.build());

        Plan plan = route(subnet);

        assertThat(plan.lft(0)[2]).isEqualTo((byte) 0xff);
        assertThat(plan.pathSl(3, 4, 2)).isEqualTo(-1);
        assertThat(plan.pathSl(1, 3, 2)).isEqualTo(2);
        assertThat(plan.slMask(0, subnet.lid(subnet.fabric().port(1, 0)))).isZero();
        assertThat(new DeadlockChecker(1).check(plan, TestRouting.QOS)).isNotInstanceOf(BrokenTables.class);
    }

    @Test
    void tellsLinksBetweenSwitchesFromOthers() {
        Plan plan = route(TorusSketch.of(3, 1, 1, 1, 1).subnet()); // ports 1 and 2 in the ring, 7 to the host
        assertThat(plan.role(0, 1)).isEqualTo(PortRole.FABRIC_LINK);
        assertThat(plan.role(0, 3)).isEqualTo(PortRole.HOST_LINK);
        assertThat(plan.role(0, 7)).isEqualTo(PortRole.HOST_LINK);
    }

    @Test
    void sendsByTheOperatorsTablesAndGrantsNoSlThatTheyDiscard() {
        Sl2VlTables tables = new Sl2VlTables(
                0xf000_0000_0000_0001L, 0xffff_ffff_ffff_ffffL, 0x0f00_0000_0000_0002L, 0x00f0_0000_0000_0003L);
        Subnet subnet = TorusSketch.of(3, 1, 1, 1, 1).subnet();
        Plan plan = route(tables, subnet, TestRouting.QOS);
        int host = subnet.portOfLid(subnet.topLid());
        assertThat(plan.sl2vl(host)).isEqualTo(tables.ca());
        assertThat(plan.sl2vl(0, 0, 1)).isEqualTo(tables.switchExternal());
        assertThat(plan.sl2vl(0, 1, 0)).isEqualTo(tables.switchExternal());
        assertThat(plan.sl2vl(0, 0, 0)).isEqualTo(tables.switchPort0());
        assertThat(plan.slMask(0, subnet.lid(subnet.fabric().port(1, 0))))
                .as("SL 0, 1 and 2 are discarded somewhere")
                .isEqualTo(0xfff8);
        assertThat(plan.multicastSls()).isEqualTo(0xfff8);
        for (int sl = 0; sl < 16; sl++) {
            assertThat(plan.pathSl(1, subnet.topLid(), sl)).isEqualTo(sl < 3 ? -1 : sl);
        }
        assertThat(new DeadlockChecker(1).check(plan, TestRouting.QOS)).isNotInstanceOf(BrokenTables.class);
        assertThat(route(tables, subnet, TestRouting.NO_QOS)
                        .slMask(0, subnet.lid(subnet.fabric().port(1, 0))))
                .as("tables are not programmed without QoS")
                .isEqualTo(0xffff);
    }

    @Test
    void takesTheSlsThatRoutersDiscardFromRoutersOnly() {
        Sl2VlTables tables = new Sl2VlTables(
                Sl2VlTables.IDENTITY, 0xf0ff_ffff_ffff_ffffL, Sl2VlTables.IDENTITY, Sl2VlTables.IDENTITY);
        Sketch sketch = twoSwitches();
        sketch.link(0, 8, 1, 8);
        sketch.addHost(0, 1);
        sketch.addHost(1, 1);
        sketch.addRouter(0, 2);
        Subnet subnet = Subnets.of(sketch.build());

        Plan plan = route(tables, subnet, TestRouting.QOS);

        assertThat(plan.pathSl(3, 4, 3)).as("between hosts").isEqualTo(3);
        assertThat(plan.multicastSls()).as("of groups").isEqualTo(0xffff);
        for (int sl = 0; sl < 16; sl++) {
            assertThat(plan.pathSl(5, 4, sl)).as("from the router").isEqualTo(sl == 1 ? 1 : -1);
            assertThat(plan.pathSl(4, 5, sl)).as("to the router").isEqualTo(sl == 1 ? 1 : -1);
        }
        assertThat(plan.slMask(0, 5)).isEqualTo(2);
        assertThat(plan.slMask(0, 3)).isEqualTo(0xffff);
        assertThat(plan.isSlMaskBySwitch()).isFalse();
        assertThat(new DeadlockChecker(1).check(plan, TestRouting.QOS)).isNotInstanceOf(BrokenTables.class);
    }

    private static Sketch twoSwitches() {
        Sketch sketch = new Sketch();
        sketch.addSwitch("left", 8);
        sketch.addSwitch("right", 8);
        return sketch;
    }

    private static Plan route(Subnet subnet) {
        return (Plan) new MinHopEngine().route(subnet, TestRouting.QOS);
    }

    private static int hops(Plan plan, int from, int lid) {
        Fabric fabric = plan.subnet().fabric();
        int sw = from;
        int hops = 0;
        while (sw != plan.subnet().switchOfLid(lid) && hops < 100) {
            sw = fabric.nodeOf(fabric.peer(fabric.port(sw, plan.lft(sw)[lid] & 0xff)));
            hops++;
        }
        return hops;
    }

    private static int distance(TorusSketch torus, int a, int b) {
        int distance = 0;
        for (int d = 0; d < 3; d++) {
            int straight = Math.abs(torus.at(a, d) - torus.at(b, d));
            distance += Math.min(straight, torus.radix()[d] - straight);
        }
        return distance;
    }

    private static Plan route(Sl2VlTables tables, Subnet subnet, RoutingOptions options) {
        EngineConfig config = new EngineConfig(Map.of(), Map.of(), "", tables, 1);
        return (Plan) new MinHopEngine().route(new EngineContext(subnet, options, config, null));
    }
}
