package io.torussm.routing.ftree;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.fabric.Fabric;
import io.torussm.routing.Plan;
import io.torussm.routing.RoutingResult;
import io.torussm.subnet.Subnet;
import io.torussm.testing.Subnets;
import io.torussm.testing.TestRouting;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Ports with several LIDs: each is reached over other switches at the top, and every cable is as loaded as with one
 * LID.
 */
class SeveralLidsTest {
    static Stream<Arguments> trees() {
        return Stream.of(
                Arguments.of("4-ary 2-tree", TestTree.kAry(4, 2), 1),
                Arguments.of("3-ary 3-tree", TestTree.kAry(3, 3), 1),
                Arguments.of("4-ary 3-tree", TestTree.kAry(4, 3), 2),
                Arguments.of("2-ary 3-tree, more LIDs than ways", TestTree.kAry(2, 3), 3),
                Arguments.of("XGFT(2; 4,6; 2,3)", new TestTree(new int[] {4, 6}, new int[] {2, 3}, 6), 1));
    }

    @ParameterizedTest(name = "{0}, LMC {2}")
    @MethodSource("trees")
    void leadOverDifferentSwitchesAtTheTop(String name, TestTree tree, int lmc) {
        Subnet subnet = Subnets.of(tree.fabric(), lmc);
        Plan plan = plan(subnet);
        assertThat(new DeadlockChecker(1).prove(plan, TestRouting.QOS).verdict())
                .isInstanceOf(Certificate.class);
        for (int port : hosts(subnet)) {
            int to = subnet.fabric().switchOf(port);
            for (int from = tree.firstLeaf(); from < tree.switches(); from++) {
                Map<Integer, Integer> lidsByTop = new HashMap<>();
                for (int lid = subnet.lid(port); lid < subnet.lid(port) + (1 << lmc); lid++) {
                    lidsByTop.merge(topSwitch(plan, from, port, lid), 1, Integer::sum);
                }
                int choices = from == to ? 1 : choices(tree, from, to);
                assertThat(lidsByTop.values())
                        .as(name + " from " + from + " to " + to)
                        .hasSize(Math.min(1 << lmc, choices))
                        .allMatch(lids -> lids == Math.max(1, (1 << lmc) / choices));
            }
        }
    }

    /** By base LIDs alone all is as with LMC 0, and the others load each cable just as much. */
    @ParameterizedTest(name = "{0}, LMC {2}")
    @MethodSource("trees")
    void loadEveryCableAlike(String name, TestTree tree, int lmc) {
        Fabric fabric = tree.fabric();
        Subnet single = Subnets.of(fabric, 0);
        Subnet several = Subnets.of(fabric, lmc);
        Plan one = plan(single);
        Plan more = plan(several);
        int[] expected = loads(one, 0);
        for (int port : hosts(single)) {
            for (int sw = 0; sw < tree.switches(); sw++) {
                assertThat(more.lft(sw)[several.lid(port)]).isEqualTo(one.lft(sw)[single.lid(port)]);
            }
        }
        for (int nth = 0; nth < 1 << lmc; nth++) {
            assertThat(Arrays.stream(loads(more, nth)).sorted().toArray())
                    .as(name + ", LID " + nth)
                    .isEqualTo(Arrays.stream(expected).sorted().toArray());
        }
    }

    private static Plan plan(Subnet subnet) {
        RoutingResult result = new FatTreeEngine().route(subnet, TestRouting.QOS);
        assertThat(result).isInstanceOf(Plan.class);
        return (Plan) result;
    }

    private static int[] hosts(Subnet subnet) {
        Fabric fabric = subnet.fabric();
        return IntStream.range(0, fabric.portCount())
                .filter(port -> !fabric.isSwitch(fabric.nodeOf(port)) && fabric.isEndport(port))
                .toArray();
    }

    /**
     * Returns the switch at which a path from a leaf stops going up, if the path arrives at the port with the LID.
     * Higher switches have lower indexes.
     */
    private static int topSwitch(Plan plan, int from, int port, int lid) {
        Fabric fabric = plan.subnet().fabric();
        int sw = from;
        int top = from;
        int arrival = nextPort(plan, sw, lid);
        for (int hops = 1; arrival != port; hops++) {
            sw = fabric.nodeOf(arrival);
            assertThat(fabric.isSwitch(sw) && hops < fabric.switchCount())
                    .as("LID " + lid + " of " + fabric.portName(port) + " leads from " + from + " to "
                            + fabric.portName(arrival))
                    .isTrue();
            top = Math.min(top, sw);
            arrival = nextPort(plan, sw, lid);
        }
        return top;
    }

    /** Returns the port at the other end of the cable to which a switch forwards a LID. */
    private static int nextPort(Plan plan, int sw, int lid) {
        Fabric fabric = plan.subnet().fabric();
        return fabric.peer(fabric.port(sw, plan.lft(sw)[lid] & 0xff));
    }

    /** Switches at which shortest paths between two leaves can turn. */
    private static int choices(TestTree tree, int from, int to) {
        Set<Integer> above = Set.of(from);
        Set<Integer> other = Set.of(to);
        while (above.stream().noneMatch(other::contains)) {
            above = switchesAbove(tree, above);
            other = switchesAbove(tree, other);
        }
        return (int) above.stream().filter(other::contains).count();
    }

    private static Set<Integer> switchesAbove(TestTree tree, Set<Integer> switches) {
        Set<Integer> above = new HashSet<>();
        tree.cables().stream()
                .filter(cable -> switches.contains(cable.below()))
                .forEach(cable -> above.add(cable.above()));
        return above;
    }

    /**
     * Returns the number of paths by port, from all hosts to the nth LIDs of all others, that leave a switch by it for
     * another one.
     */
    private static int[] loads(Plan plan, int nth) {
        Subnet subnet = plan.subnet();
        Fabric fabric = subnet.fabric();
        int[] loads = new int[fabric.portCount()];
        int[] hosts = hosts(subnet);
        for (int to : hosts) {
            int lid = subnet.lid(to) + nth;
            for (int from : hosts) {
                for (int sw = fabric.switchOf(from); sw != fabric.switchOf(to); ) {
                    int out = fabric.port(sw, plan.lft(sw)[lid] & 0xff);
                    loads[out]++;
                    sw = fabric.nodeOf(fabric.peer(out));
                }
            }
        }
        return loads;
    }
}
