package io.torussm.torus2qos;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.deadlock.DeadlockChecker;
import io.torussm.deadlock.DeadlockChecker.Proof;
import io.torussm.deadlock.growth.TreeGrowth;
import io.torussm.fabric.Fabric;
import io.torussm.routing.MulticastTree;
import io.torussm.routing.Plan;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Multicast trees for fabrics in which OpenSM's tree could close a credit loop, as after the loss of many switches. */
class GrownTreesTest {
    private static final int RADIX = 6;

    private final TestTorus torus = new TestTorus(RADIX, RADIX, RADIX);
    private final Torus2QosEngine engine = new Torus2QosEngine(TestTorus.parse(torus.confOfSeeds()), 2);
    private final Map<Long, Integer> lids = new HashMap<>();

    /**
     * The children of the lost switch get other parents, and all other switches keep theirs. A switch in the
     * root's plane or column affects more.
     */
    @Test
    void allButOneColumnHangsWhereItHung() {
        Map<Long, Long> whole = tree(Fabric.NONE).parents();
        int[] root = torus.at(index(
                Collections.min(whole.entrySet(), Map.Entry.comparingByValue()).getKey()));
        int grown = 0;
        for (int lost = 0; lost < torus.count(); lost++) {
            int[] at = torus.at(lost);
            if (at[2] != root[2] && !isSameColumn(at, root)) {
                Tree after = tree(lost);
                grown += after.isPlanned() ? 0 : 1;
                Map<Long, Long> moved = after.parents();
                moved.entrySet().removeAll(whole.entrySet());
                assertThat(moved.keySet())
                        .as("without switch " + Arrays.toString(at))
                        .hasSizeLessThan(RADIX)
                        .allMatch(guid -> isSameColumn(torus.at(index(guid)), at));
            }
        }
        assertThat(grown).isGreaterThan(torus.count() / 8);
    }

    private static boolean isSameColumn(int[] a, int[] b) {
        return Arrays.equals(a, 0, 2, b, 0, 2);
    }

    private int index(long guid) {
        return IntStream.range(0, torus.count())
                .filter(sw -> torus.guid(torus.at(sw)) == guid)
                .findFirst()
                .orElseThrow();
    }

    /** The tree of the torus without a switch, unless that is {@link Fabric#NONE}. */
    private Tree tree(int lost) {
        List<Fault> faults = lost == Fabric.NONE ? List.of() : List.of(Fault.ofSwitch(lost));
        Fabric fabric = Fault.damaged(torus, faults);
        Plan plan = TestTorus.plan(engine.route(TestFabric.subnet(fabric, lids), TestTorus.QOS));
        Proof proof = new DeadlockChecker(2).prove(plan, TestTorus.QOS, TreeGrowth::candidates);
        return new Tree(parents(fabric, Objects.requireNonNull(proof.multicast())), proof.isPlanned());
    }

    /**
     * A tree.
     *
     * @param parents by NodeGUID of each switch that of its parent; 0 for the root
     */
    private record Tree(Map<Long, Long> parents, boolean isPlanned) {}

    private static Map<Long, Long> parents(Fabric fabric, MulticastTree tree) {
        Map<Long, Long> parents = new HashMap<>();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            int parent = tree.parent(sw);
            parents.put(fabric.nodeGuid(sw), parent == Fabric.NONE ? 0 : fabric.nodeGuid(parent));
        }
        return parents;
    }
}
