package io.torussm.torus2qos;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.routing.Engine;
import io.torussm.routing.PathEnds;
import io.torussm.routing.Plan;
import io.torussm.routing.RoutingResult;
import io.torussm.routing.minhop.MinHopEngine;
import io.torussm.routing.statistics.PathLosses;
import io.torussm.routing.statistics.PathStatistics;
import io.torussm.routing.statistics.PathTree;
import io.torussm.testing.Seeds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Changes of paths, compared with the complete paths of both plans. */
class PathLossesTest {
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.torussm.testing.Seeds#few")
    void countsWhatFollowingAllPathsCounts(long seed) {
        Random random = Seeds.random(seed);
        TestTorus torus = new TestTorus(
                new int[] {3 + random.nextInt(3), 3 + random.nextInt(2), 1 + random.nextInt(3)},
                "",
                1 + random.nextInt(2),
                random.nextInt(3),
                null);
        Engine engine =
                seed % 3 == 0 ? new MinHopEngine() : new Torus2QosEngine(TestTorus.parse(torus.confOfSeeds()), 2);
        Map<Long, Integer> lids = new HashMap<>();
        Plan before = TestTorus.plan(engine.route(TestFabric.subnet(torus.fabric.fabric(), lids), TestTorus.QOS));
        PathEnds ends = new PathEnds(before.subnet());
        PathStatistics paths = PathStatistics.of(before, ends);
        PathLosses.Comparison losses = new PathLosses(before, ends, paths.loads()).new Comparison();
        int compared = 0;
        for (int i = 0; i < 8; i++) {
            List<Fault> faults = new ArrayList<>();
            for (int more = random.nextInt(3); more >= 0; more--) {
                faults.add(Fault.draw(torus, 4, random));
            }
            RoutingResult result = engine.route(TestFabric.subnet(Fault.damaged(torus, faults), lids), TestTorus.QOS);
            if (result instanceof Plan after) {
                compare(before, after, losses.countAfter(after), torus + " without " + faults);
                compared++;
            }
        }
        assertThat(compared).as("damaged tori that were routed").isPositive();
    }

    private static void compare(Plan before, Plan after, PathLosses.PairCounts result, String noun) {
        Fabric was = before.subnet().fabric();
        Fabric is = after.subnet().fabric();
        PathEnds left = new PathEnds(after.subnet());
        PathStatistics now = PathStatistics.of(after, left);
        assertThat(result.pairs()).as(noun).isEqualTo(now.pairs());
        for (int port = 0; port < was.portCount(); port++) {
            int node = was.nodeOf(port);
            int same = was.isSwitch(node) ? is.nodeByGuid(was.nodeGuid(node)) : Fabric.NONE;
            int load = same == Fabric.NONE ? 0 : now.loads()[is.port(same, was.portNum(port))];
            assertThat(result.loads()[port])
                    .as(noun + ": " + was.portName(port))
                    .isEqualTo(load);
        }
        PathTree old = new PathTree(before);
        PathTree tree = new PathTree(after);
        long changed = 0;
        for (int end : left.ports()) {
            old.followTo(left.lid(end));
            tree.followTo(left.lid(end));
            boolean[] isOther = new boolean[is.switchCount()];
            for (int rank = 1; rank < tree.reachedCount(); rank++) {
                int sw = tree.switchAt(rank);
                isOther[sw] = tree.out(sw) != old.out(was.nodeByGuid(is.nodeGuid(sw))) || isOther[tree.next(sw)];
                changed += isOther[sw] ? left.endCount(sw) : 0;
            }
        }
        assertThat(result.changedPairs()).as(noun).isEqualTo(changed);
    }
}
