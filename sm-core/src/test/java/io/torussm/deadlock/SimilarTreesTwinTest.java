package io.torussm.deadlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.routing.PlanSketch;
import io.torussm.testing.Seeds;
import io.torussm.testing.TestRouting;
import io.torussm.testing.TorusSketch;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The checker, compared with {@link NaiveChecker}, on a torus with enough destinations that trees are walked together,
 * in more than one block. Each LID has its own SLs. Most trees agree near their leaves.
 */
class SimilarTreesTwinTest {
    private static final int ROUNDS = 6;
    private static final int MAX_VLS = 4;
    private static final TorusSketch TORUS = TorusSketch.of(4, 3, 1, 2, 5);

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.torussm.testing.Seeds#few")
    void treesThatAreWalkedTogetherGiveTheDependenciesOfEachPacket(long seed) {
        Random random = Seeds.random(seed);
        int[] verdicts = new int[3];
        for (int round = 0; round < ROUNDS; round++) {
            PlanSketch plan = DatelineRouter.route(TORUS);
            chooseSls(random, plan);
            if (random.nextBoolean()) {
                chooseVls(random, plan);
            }
            if (random.nextInt(3) == 0) {
                plan.lfts[random.nextInt(plan.lfts.length)][
                        1 + random.nextInt(TORUS.subnet().topLid())] = (byte)
                        random.nextInt(2 + 6 * TORUS.parallel() + TORUS.hosts());
            }
            verdicts[DeadlockCheckerTwinTest.compare(plan, TestRouting.QOS)]++;
        }
        assertThat(verdicts[0]).as("certificates").isPositive();
    }

    /** Grants each path one of the two SLs of its datelines, or both, or none. */
    private static void chooseSls(Random random, PlanSketch plan) {
        int[] choices = random.ints((long) plan.lfts.length * (TORUS.subnet().topLid() + 1))
                .toArray();
        int sparseness = 1 + random.nextInt(8);
        plan.masksByLid = (from, dlid) -> {
            int choice = choices[dlid * plan.lfts.length + from];
            int sls = plan.masks.sls(from, TORUS.subnet().switchOfLid(dlid));
            int some = (choice & 1) == 0
                    ? sls
                    : (choice & 2) == 0 ? Integer.lowestOneBit(sls) : Integer.highestOneBit(sls);
            return (choice >>> 2) % sparseness == 1 ? 0 : some;
        };
    }

    /** Chooses VLs by input port, output port and SL. */
    private static void chooseVls(Random random, PlanSketch plan) {
        int ports = 1 + 6 * TORUS.parallel() + TORUS.hosts();
        long[] rows = random.longs((long) ports * ports)
                .map(row -> SlToVlMappingTable.pack(IntStream.range(0, Channels.VLS)
                        .map(sl -> SlToVlMappingTable.vl(row, sl) % MAX_VLS)
                        .toArray()))
                .toArray();
        plan.rows = (sw, in, out) -> rows[in * ports + out];
    }
}
