package io.torussm.deadlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.routing.Plan;
import io.torussm.routing.PlanSketch;
import io.torussm.testing.Seeds;
import io.torussm.testing.TestRouting;
import io.torussm.testing.TorusSketch;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The checker, compared with {@link NaiveChecker}, on a torus with enough destinations that trees are walked together,
 * in more than one block. Each LID has its own SLs. The trees to 24 LIDs of a column agree outside of the column, which
 * is more than are walked together.
 */
class SimilarTreesTwinTest {
    private static final int ROUNDS = 4;
    private static final int MAX_VLS = 4;
    private static final int MAX_TASKS = 3;

    /** Changes bit 1 of the VL of each SL of a row. */
    private static final long EVERY_VL = 0x2222_2222_2222_2222L;

    private static final TorusSketch TORUS = TorusSketch.of(4, 3, 1, 1, 7);

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
                changeEntry(random, plan);
            }
            verdicts[DeadlockCheckerTwinTest.compare(plan, TestRouting.QOS)]++;
        }
        assertThat(verdicts[0]).as("certificates").isPositive();
    }

    /** Parts of at least 64 switches are read in parallel. Classes of input ports differ between switches. */
    @ParameterizedTest(name = "{0} tasks")
    @ValueSource(ints = {2, 4})
    void dependenciesDoNotDependOnTheNumberOfTasks(int tasks) {
        PlanSketch sketch = DatelineRouter.route(TorusSketch.of(20, 13, 1, 1, 1));
        Plan.SwitchRows byOutput = sketch.rows;
        sketch.rows = (sw, in, out) -> byOutput.row(sw, in, out) ^ (in < sw % MAX_VLS ? EVERY_VL : 0);
        Plan plan = sketch.plan();
        ChannelDependencyGraph alone = new DeadlockChecker(1).graph(plan, TestRouting.QOS);
        ChannelDependencyGraph together = new DeadlockChecker(tasks).graph(plan, TestRouting.QOS);
        assertThat(together.hasSameDependencies(alone)).isTrue();
        for (int sw = 0; sw < sketch.lfts.length; sw++) {
            assertThat(together.channels.localClasses[sw]).isEqualTo(alone.channels.localClasses[sw]);
        }
        assertThat(together.channels.classOfPort).isEqualTo(alone.channels.classOfPort);
    }

    /** Some entries and some sets of SLs differ between the LIDs of a switch. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.torussm.testing.Seeds#few")
    void groupsAreLidsOfOneSwitchWithEqualColumnsAndSls(long seed) {
        Random random = Seeds.random(seed);
        PlanSketch sketch = DatelineRouter.route(TORUS);
        for (int changes = random.nextInt(8); changes > 0; changes--) {
            changeEntry(random, sketch);
        }
        int otherFrom = random.nextInt(sketch.lfts.length);
        int otherLid = 1 + random.nextInt(TORUS.subnet().topLid());
        int otherSls = 1 << random.nextInt(Channels.VLS);
        if (random.nextBoolean()) {
            sketch.masksByLid = (from, dlid) -> from == otherFrom && dlid == otherLid
                    ? otherSls
                    : sketch.masks.sls(from, TORUS.subnet().switchOfLid(dlid));
        }
        Channels channels = new Channels(sketch.plan(), TestRouting.QOS);
        for (int tasks = 1; tasks <= MAX_TASKS; tasks++) {
            DestinationGroups found = DestinationGroups.of(channels, sketch.lfts, tasks);
            assertThat(IntStream.range(0, found.count())
                            .mapToObj(group ->
                                    IntStream.of(found.members(group)).boxed().toList()))
                    .containsExactlyElementsOf(groups(sketch));
        }
    }

    /** Returns the LIDs of one switch to which all other switches have equal entries and equal SLs. */
    private static Collection<List<Integer>> groups(PlanSketch sketch) {
        Map<List<Integer>, List<Integer>> groups = new LinkedHashMap<>();
        for (int lid = 1; lid <= TORUS.subnet().topLid(); lid++) {
            int destination = TORUS.subnet().switchOfLid(lid);
            List<Integer> column = new ArrayList<>(List.of(destination));
            for (int sw = 0; sw < sketch.lfts.length; sw++) {
                column.add(sw == destination ? 0 : (int) sketch.lfts[sw][lid]);
                column.add(sketch.slMask(sw, lid));
            }
            groups.computeIfAbsent(column, any -> new ArrayList<>()).add(lid);
        }
        return groups.values();
    }

    private static void changeEntry(Random random, PlanSketch plan) {
        int lid = 1 + random.nextInt(TORUS.subnet().topLid());
        int entry = random.nextInt(2 + 6 * TORUS.parallel() + TORUS.hosts());
        plan.lfts[random.nextInt(plan.lfts.length)][lid] = (byte) entry;
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
