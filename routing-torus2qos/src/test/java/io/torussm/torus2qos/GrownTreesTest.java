package io.torussm.torus2qos;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.deadlock.DeadlockChecker;
import io.torussm.deadlock.DeadlockChecker.Proof;
import io.torussm.deadlock.growth.TreeGrowth;
import io.torussm.fabric.Fabric;
import io.torussm.routing.MulticastTree;
import io.torussm.routing.Plan;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Multicast trees of a torus that lost a switch. OpenSM's tree, planned by the engine, could close a credit loop in
 * some of these fabrics; the checker rejects it there, and a tree is grown along the proof instead. A grown tree should
 * move as few switches as a planned one.
 */
class GrownTreesTest {
    private static final int RADIX = 6;

    /** Index of the coordinate z. */
    private static final int Z = 2;

    /** Stands for the NodeGUID of the parent of a root. */
    private static final long NO_PARENT = 0;

    private final TestTorus torus = new TestTorus(RADIX, RADIX, RADIX);
    private final Torus2QosEngine engine = new Torus2QosEngine(TestTorus.parse(torus.confOfSeeds()), 2);

    /** LIDs by port GUID, which switches keep in every fabric of the test. */
    private final Map<Long, Integer> lids = new HashMap<>();

    /**
     * The loss of a switch gives other parents to switches of its own column only. A switch in the root's plane or
     * column affects more, and is left out.
     */
    @Test
    void theLossOfASwitchMovesOnlySwitchesOfItsColumn() {
        Map<Long, Long> parentsBefore = tree(Fabric.NONE).parents();
        int[] root = rootPosition(parentsBefore);
        int grownTrees = 0;
        for (int lost = 0; lost < torus.count(); lost++) {
            int[] position = torus.at(lost);
            if (position[Z] == root[Z] || isSameColumn(position, root)) {
                continue;
            }
            Tree after = tree(lost);
            grownTrees += after.isPlanned() ? 0 : 1;
            Map<Long, Long> moved = after.parents();
            moved.entrySet().removeAll(parentsBefore.entrySet());
            assertThat(moved.keySet())
                    .as("without switch " + Arrays.toString(position))
                    .hasSizeLessThan(RADIX)
                    .allMatch(guid -> isSameColumn(torus.at(index(guid)), position));
        }
        assertThat(grownTrees).as("trees that were not planned").isGreaterThan(torus.count() / 8);
    }

    /** Returns the coordinates of the switch without a parent. */
    private int[] rootPosition(Map<Long, Long> parents) {
        return parents.entrySet().stream()
                .filter(entry -> entry.getValue() == NO_PARENT)
                .map(entry -> torus.at(index(entry.getKey())))
                .findFirst()
                .orElseThrow();
    }

    /** Checks whether two positions differ in z only. */
    private static boolean isSameColumn(int[] a, int[] b) {
        return Arrays.equals(a, 0, 2, b, 0, 2);
    }

    private int index(long guid) {
        return IntStream.range(0, torus.count())
                .filter(sw -> torus.guid(torus.at(sw)) == guid)
                .findFirst()
                .orElseThrow();
    }

    /** Returns the multicast tree of the torus without a switch, or of the whole one for {@link Fabric#NONE}. */
    private Tree tree(int lost) {
        List<Fault> faults = lost == Fabric.NONE ? List.of() : List.of(Fault.ofSwitch(lost));
        Fabric fabric = Fault.damaged(torus, faults);
        Plan plan = TestTorus.plan(engine.route(TestFabric.subnet(fabric, lids), TestTorus.QOS));
        Proof proof = new DeadlockChecker(2).prove(plan, TestTorus.QOS, TreeGrowth::candidates);
        return new Tree(parents(fabric, Objects.requireNonNull(proof.multicast())), proof.isPlanned());
    }

    /**
     * A multicast tree.
     *
     * @param parents NodeGUID of the parent of each switch, by NodeGUID; {@link #NO_PARENT} for the root
     * @param isPlanned whether the checker accepted the tree of the engine
     */
    private record Tree(Map<Long, Long> parents, boolean isPlanned) {}

    private static Map<Long, Long> parents(Fabric fabric, MulticastTree tree) {
        Map<Long, Long> parents = new HashMap<>();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            int parent = tree.parent(sw);
            parents.put(fabric.nodeGuid(sw), parent == Fabric.NONE ? NO_PARENT : fabric.nodeGuid(parent));
        }
        return parents;
    }
}
