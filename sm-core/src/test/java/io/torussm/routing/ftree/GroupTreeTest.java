package io.torussm.routing.ftree;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.deadlock.DeadlockChecker;
import io.torussm.deadlock.growth.TreeGrowth;
import io.torussm.fabric.Fabric;
import io.torussm.routing.MulticastTree;
import io.torussm.routing.Plan;
import io.torussm.testing.Seeds;
import io.torussm.testing.Subnets;
import io.torussm.testing.TestRouting;
import io.torussm.testing.TreeSketch;
import java.util.BitSet;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The tree for multicast of ftree goes with unicast as it is. */
class GroupTreeTest {
    @ParameterizedTest
    @CsvSource({"4, 2", "3, 3", "4, 3", "2, 4"})
    void isWhatAProofMakesOfTheShortestTree(int k, int n) {
        Plan plan = route(TreeSketch.kAry(k, n).build());
        DeadlockChecker.Proof proof = new DeadlockChecker(1).prove(plan, TestRouting.QOS, TreeGrowth::candidates);
        int[] roots = plan.multicastRoots();
        Optional<MulticastTree> shortest =
                MulticastTree.candidates(plan.subnet().fabric(), roots).findFirst();
        byte[][] lfts = new byte[plan.subnet().fabric().switchCount()][];
        for (int sw = 0; sw < lfts.length; sw++) {
            lfts[sw] = plan.lft(sw);
        }
        Plan other = plan.withTables(lfts).multicast(shortest, roots).build();
        assertThat(proof.isPlanned()).isTrue();
        assertThat(proof.multicast())
                .isEqualTo(new DeadlockChecker(1)
                        .prove(other, TestRouting.QOS, TreeGrowth::candidates)
                        .multicast());
    }

    /** Packets turn up again at one switch of each level, as long as that leads everywhere. */
    @ParameterizedTest
    @CsvSource({"1", "2", "3", "4", "5"})
    void goesWithUnicastWhereCablesAreLost(long seed) {
        TreeSketch tree = TreeSketch.kAry(4, 3);
        tree.lose(Seeds.random(seed), 5, 2);
        Plan plan = route(tree.build());
        DeadlockChecker.Proof proof = new DeadlockChecker(1).prove(plan, TestRouting.QOS, TreeGrowth::candidates);
        MulticastTree groups = Objects.requireNonNull(proof.multicast());
        assertThat(proof.isPlanned()).isTrue();
        BitSet turning = new BitSet();
        for (int sw = 0; sw < tree.switches(); sw++) {
            int parent = groups.parent(sw);
            int above = parent == Fabric.NONE ? Fabric.NONE : groups.parent(parent);
            assertThat(groups.spans(sw)).isTrue();
            if (above != Fabric.NONE && tree.level(above) > tree.level(parent) && tree.level(sw) > tree.level(parent)) {
                turning.set(parent);
            }
        }
        assertThat(turning.cardinality()).isBetween(2, 4);
    }

    private static Plan route(Fabric fabric) {
        return (Plan) new FatTreeEngine().route(Subnets.of(fabric), TestRouting.QOS);
    }
}
