package io.torussm.routing.ftree;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.fabric.Fabric;
import io.torussm.routing.EngineConfig;
import io.torussm.routing.EngineContext;
import io.torussm.routing.PathEnds;
import io.torussm.routing.Plan;
import io.torussm.routing.RoutingResult;
import io.torussm.routing.statistics.PathStatistics;
import io.torussm.subnet.Subnet;
import io.torussm.subnet.WholeTree;
import io.torussm.testing.Seeds;
import io.torussm.testing.Subnets;
import io.torussm.testing.TestRouting;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Trees that lost 1 to 5 % of their cables before the SM saw them, without {@code root_guid_file}. */
class FoundTreesTest {
    private static final int SEEDS = Integer.getInteger("found.seeds", 10);

    static Stream<Arguments> trees() {
        return Stream.of(
                Arguments.of("8-ary 2-tree", TestTree.kAry(8, 2)),
                Arguments.of("4-ary 3-tree", TestTree.kAry(4, 3)),
                Arguments.of("6-ary 3-tree", TestTree.kAry(6, 3)),
                Arguments.of("XGFT(2; 6,8; 4,8)", new TestTree(new int[] {6, 8}, new int[] {4, 8}, 8)));
    }

    /** Most fabrics are routed. Each routed one is proved, and has the right ranks and paths for all pairs. */
    @Tag("slow")
    @ParameterizedTest(name = "{0}")
    @MethodSource("trees")
    void areRoutedWithTheirRanks(String name, TestTree tree) {
        Subnet whole = Subnets.of(tree.fabric());
        int routed = 0;
        for (int seed = 1; seed <= SEEDS; seed++) {
            Subnet subnet = broken(tree, whole, Seeds.unmixed(seed));
            RoutingResult result = route(subnet, null);
            if (result instanceof Plan plan) {
                routed++;
                assertIsRight(tree, plan, "seed " + seed);
            }
        }
        assertThat(routed).as(name).isGreaterThanOrEqualTo(SEEDS * 9 / 10);
    }

    /**
     * The remembered tree is the complete one, so tables equal those with all cables once the cables are
     * back.
     */
    @Test
    void haveTheTablesOfTheWholeTreeOnceMended() {
        TestTree tree = TestTree.kAry(6, 3);
        Subnet whole = Subnets.of(tree.fabric());
        Plan broken = (Plan) route(broken(tree, whole, Seeds.random(1)), null);
        Plan mended = (Plan) route(whole, broken.explainer().wholeTree().orElseThrow());
        Plan never = (Plan) route(whole, null);
        for (int sw = 0; sw < whole.fabric().switchCount(); sw++) {
            assertThat(Arrays.equals(mended.lft(sw), never.lft(sw))).isTrue();
        }
    }

    /** By the hosts that are left, a leaf without hosts is a switch of a higher level. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("trees")
    void keepTheirRanksWithoutTheHostsOfALeaf(String name, TestTree tree) {
        Subnet whole = Subnets.of(tree.fabric());
        Plan never = (Plan) route(whole, null);
        for (int leaf : new int[] {tree.firstLeaf(), tree.firstLeaf() + tree.leaves() - 1}) {
            Subnet subnet = tree.withoutHosts(whole, leaf);
            assertThat(route(subnet, never.explainer().wholeTree().orElseThrow()))
                    .as("kept")
                    .isInstanceOfSatisfying(Plan.class, plan -> assertIsRight(tree, plan, "kept"));
            if (route(subnet, null) instanceof Plan plan) {
                assertThat(plan.explainer().wholeTree()).as("a leaf at the top").isEmpty();
            }
        }
    }

    /** Two of its cables are all that lead up from a switch of the middle, which then seems to be a root. */
    @Test
    void areRoutedWhicheverTwoCablesAreLost() {
        TestTree tree = new TestTree(new int[] {2, 3}, new int[] {2, 2}, 2);
        Subnet whole = Subnets.of(tree.fabric());
        for (int one = 0; one < tree.cables().size(); one++) {
            for (int other = 0; other < one; other++) {
                BitSet lost = new BitSet();
                lost.set(one);
                lost.set(other);
                Subnet subnet = tree.without(whole, lost, new BitSet());
                assertThat(route(subnet, null)).as(lost.toString()).satisfies(result -> {
                    if (result instanceof Plan plan) {
                        assertThat(new DeadlockChecker(1)
                                        .prove(plan, TestRouting.QOS)
                                        .verdict())
                                .isInstanceOf(Certificate.class);
                    }
                });
            }
        }
    }

    private static Subnet broken(TestTree tree, Subnet whole, Random random) {
        BitSet cables = new BitSet();
        int share = 1 + random.nextInt(5);
        for (int left = Math.max(1, tree.cables().size() * share / 100); left > 0; left--) {
            cables.set(random.nextInt(tree.cables().size()));
        }
        return tree.without(whole, cables, new BitSet());
    }

    private static RoutingResult route(Subnet subnet, @Nullable WholeTree kept) {
        return new FatTreeEngine()
                .route(new EngineContext(subnet, TestRouting.QOS, EngineConfig.NONE, null, Map.of(), kept, null));
    }

    private static void assertIsRight(TestTree tree, Plan plan, String seed) {
        Fabric fabric = plan.subnet().fabric();
        Map<Long, Integer> ranks = plan.explainer().wholeTree().orElseThrow().ranks();
        IntStream.range(0, fabric.switchCount())
                .forEach(sw -> assertThat(ranks).as(seed).containsEntry(fabric.nodeGuid(sw), tree.rank((int)
                        (fabric.nodeGuid(sw) - 0x20_0000))));
        assertThat(new DeadlockChecker(1).prove(plan, TestRouting.QOS).verdict())
                .as(seed)
                .isInstanceOf(Certificate.class);
        PathEnds ends = new PathEnds(plan.subnet());
        long hosts = ends.ports().length;
        assertThat(PathStatistics.of(plan, ends).pairs()).as(seed).isEqualTo(hosts * (hosts - 1));
    }
}
