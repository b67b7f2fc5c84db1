package io.torussm.deadlock.growth;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.deadlock.ChannelDependencyGraph;
import io.torussm.deadlock.DatelineRouter;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.routing.MulticastTree;
import io.torussm.routing.Plan;
import io.torussm.routing.PlanSketch;
import io.torussm.subnet.Subnet;
import io.torussm.testing.Sketch;
import io.torussm.testing.Subnets;
import io.torussm.testing.TestRouting;
import io.torussm.testing.TorusSketch;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Multicast trees of small fabrics, whose parents are known by hand. */
class TreeGrowthTest {
    private static final int SLS = 1;
    private static final int NONE = Fabric.NONE;

    /** Returns switches with a host each and some cables; some switches have no multicast table. */
    private static Subnet subnet(int switches, int[][] cables, Set<Integer> withoutTable) {
        Sketch sketch = new Sketch();
        int[] usedPorts = new int[switches];
        for (int sw = 0; sw < switches; sw++) {
            sketch.addSwitch("sw-" + sw, 8);
        }
        for (int[] cable : cables) {
            sketch.link(cable[0], ++usedPorts[cable[0]], cable[1], ++usedPorts[cable[1]]);
        }
        for (int sw = 0; sw < switches; sw++) {
            sketch.addHost(sw, 8);
        }
        Fabric fabric = sketch.build();
        @Nullable SwitchInfo[] infos = new SwitchInfo[switches];
        for (int sw : withoutTable) {
            infos[sw] = Objects.requireNonNull(fabric.node(sw).switchInfo()).with(SwitchInfo.MULTICAST_FDB_CAP, 0);
        }
        return Subnets.of(fabric.with(infos));
    }

    /** Returns a plan whose packets follow a shortest path each, over links that may be used. */
    private static PlanSketch shortest(Subnet subnet, Set<String> unused) {
        PlanSketch plan = new PlanSketch(subnet);
        Fabric fabric = subnet.fabric();
        for (int lid = 1; lid <= subnet.topLid(); lid++) {
            int[] hops = new int[fabric.switchCount()];
            Arrays.fill(hops, 99);
            hops[subnet.switchOfLid(lid)] = 0;
            for (int round = 0; round < hops.length; round++) {
                for (int sw = 0; sw < hops.length; sw++) {
                    for (int portNum = 1; portNum <= fabric.numPorts(sw); portNum++) {
                        int far = fabric.peer(fabric.port(sw, portNum));
                        int to = far == NONE ? NONE : fabric.nodeOf(far);
                        if (to != NONE
                                && fabric.isSwitch(to)
                                && !unused.contains(sw + " " + to)
                                && hops[to] + 1 < hops[sw]) {
                            hops[sw] = hops[to] + 1;
                            plan.lfts[sw][lid] = (byte) portNum;
                        }
                    }
                }
            }
        }
        return plan;
    }

    private static ChannelDependencyGraph graph(Plan plan) {
        return new DeadlockChecker(1).graph(plan, TestRouting.QOS);
    }

    private static Optional<MulticastTree> grow(PlanSketch plan, int root) {
        ChannelDependencyGraph graph = graph(plan.plan());
        return TreeGrowth.grow(graph, Objects.requireNonNull(graph.numbering()), root, SLS);
    }

    private static TreeGrowth spanning(PlanSketch plan, int root) {
        ChannelDependencyGraph graph = graph(plan.plan());
        return TreeGrowth.spanning(graph, Objects.requireNonNull(graph.numbering()), SLS, root);
    }

    private static int[] parents(MulticastTree tree, int switches) {
        return IntStream.range(0, switches).map(tree::parent).toArray();
    }

    /** Switch 3 has a table, but only switch 2 without one connects it. */
    @Test
    void aTreeEndsAtSwitchesWithoutATable() {
        PlanSketch plan = shortest(subnet(4, new int[][] {{0, 1}, {1, 2}, {2, 3}}, Set.of(2)), Set.of());
        assertThat(parents(grow(plan, 0).orElseThrow(), 4)).containsExactly(NONE, 0, NONE, NONE);
        TreeGrowth spanning = spanning(plan, 0);
        assertThat(spanning.reachedSwitches()).isEqualTo(4);
        assertThat(parents(spanning.tree(), 4)).containsExactly(NONE, 0, 1, 2);
    }

    /** Packets from 2 to 1 take the way over 0. */
    @Test
    void aLinkThatUnicastUsesInOneDirectionIsNoPartOfATreeForMulticastAlone() {
        PlanSketch plan = shortest(subnet(3, new int[][] {{0, 1}, {0, 2}, {1, 2}}, Set.of()), Set.of("2 1"));
        assertThat(parents(grow(plan, 1).orElseThrow(), 3)).containsExactly(1, NONE, 0);
        assertThat(parents(grow(plan, 2).orElseThrow(), 3)).containsExactly(2, 0, NONE);
        assertThat(parents(spanning(plan, 1).tree(), 3)).containsExactly(1, NONE, 1);
    }

    /** Switches without hosts: only the highest LID is at the second switch. */
    @Test
    void noTreeIsGrownIfALinkToADestinationIsForbidden() {
        Sketch sketch = new Sketch();
        sketch.addSwitch("a", 2);
        sketch.addSwitch("b", 2);
        sketch.link(0, 1, 1, 1);
        Subnet pair = Subnets.of(sketch.build());
        assertThat(grow(shortest(pair, Set.of()), 0)).isPresent();
        PlanSketch oneWay = shortest(pair, Set.of("1 0"));
        oneWay.masks = (from, to) -> from == 0 ? 1 : 0;
        assertThat(grow(oneWay, 0))
                .as("switch 1 is reached, but its link is not used back")
                .isEmpty();
        oneWay.masks = (from, to) -> 0;
        assertThat(grow(oneWay, 0)).as("no path leads to switch 1").isPresent();
    }

    @Test
    void aSpanningTreeFollowsTheTreeOfTheEngine() {
        PlanSketch plan = shortest(subnet(3, new int[][] {{0, 1}, {0, 2}, {1, 2}}, Set.of()), Set.of());
        Fabric fabric = plan.subnet.fabric();
        MulticastTree wish = new MulticastTree(fabric, 0, new int[] {NONE, 0, 1}, new int[][] {{}, {1}, {2}});
        ChannelDependencyGraph graph = graph(plan.plan());
        int[] numbering = Objects.requireNonNull(graph.numbering());
        TreeGrowth growth = TreeGrowth.spanning(graph, numbering, SLS, wish);
        assertThat(growth.tree()).isEqualTo(wish);
        assertThat(growth.reachedSwitches()).isEqualTo(3);
    }

    /** Switch 2 is next to switch 1, which has no table, and at the end of a longer way over switches with one. */
    @Test
    void switchesWithATableAreConnectedToEachOtherIfPossible() {
        PlanSketch plan = shortest(
                subnet(5, new int[][] {{0, 1}, {1, 2}, {0, 3}, {3, 4}, {4, 2}}, Set.of(1)), Set.of("1 2", "2 1"));
        assertThat(parents(spanning(plan, 0).tree(), 5)).containsExactly(NONE, 0, 4, 0, 3);
    }

    @Test
    void eachPartOfADividedFabricGetsATreeOfItsOwn() {
        PlanSketch plan = shortest(subnet(5, new int[][] {{0, 1}, {2, 3}, {3, 4}}, Set.of(4)), Set.of());
        plan.masks = (from, to) -> from / 2 == to / 2 ? 1 : 0;
        TreeGrowth growth = spanning(plan, 0);
        assertThat(growth.reachedSwitches()).isEqualTo(2);
        assertThat(parents(growth.tree(), 5)).containsExactly(NONE, 0, NONE, NONE, NONE);
        growth.attachRest();
        assertThat(parents(growth.tree(), 5)).containsExactly(NONE, 0, NONE, 2, 3);
    }

    /**
     * A ring of four on which every tree closes a loop: unicast makes every turn but one in either direction. The rest
     * is attached all the same.
     */
    @Test
    void switchesWithoutASafeLinkAreAttachedAtLast() {
        for (boolean haveTables : new boolean[] {true, false}) {
            for (int root = 0; root < 4; root++) {
                assertAttachedAtLast(root, haveTables);
            }
        }
    }

    private static void assertAttachedAtLast(int root, boolean haveTables) {
        TorusSketch ring = TorusSketch.of(4, 1, 1, 1, 2);
        Fabric fabric = ring.subnet().fabric();
        SwitchInfo[] infos = IntStream.range(0, 4)
                .mapToObj(sw -> Objects.requireNonNull(fabric.node(sw).switchInfo()))
                .map(info -> haveTables ? info : info.with(SwitchInfo.MULTICAST_FDB_CAP, 0))
                .toArray(SwitchInfo[]::new);
        PlanSketch tables = new PlanSketch(ring.subnet().with(fabric.with(infos)));
        DatelineRouter.routeAlmostEveryTurn(ring, tables);
        TreeGrowth growth = spanning(tables, root);
        int reached = growth.reachedSwitches();
        assertThat(reached).isLessThan(4);
        growth.attachRest();
        MulticastTree tree = growth.tree();
        assertThat(growth.reachedSwitches()).isEqualTo(reached);
        assertThat(tree.root()).isEqualTo(root);
        for (int sw = 0; sw < 4; sw++) {
            assertThat(tree.parent(sw) == NONE).isEqualTo(sw == root);
        }
    }
}
