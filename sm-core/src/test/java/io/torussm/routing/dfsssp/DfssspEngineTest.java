package io.torussm.routing.dfsssp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.deadlock.NaiveChecker;
import io.torussm.deadlock.chain.ChainPolicy;
import io.torussm.deadlock.chain.RoutingChain;
import io.torussm.deadlock.sl.SlStability;
import io.torussm.fabric.FabricBuilder;
import io.torussm.routing.CutPaths;
import io.torussm.routing.EarlierFacts;
import io.torussm.routing.EngineConfig;
import io.torussm.routing.EngineContext;
import io.torussm.routing.EngineFile;
import io.torussm.routing.Plan;
import io.torussm.routing.RecordedCases;
import io.torussm.routing.Refusal;
import io.torussm.routing.RoutingOptions;
import io.torussm.routing.RoutingResult;
import io.torussm.routing.Sl2VlTables;
import io.torussm.routing.balance.Links;
import io.torussm.routing.lanes.SwitchChannels;
import io.torussm.routing.weights.KeptEntries;
import io.torussm.routing.weights.WeightedTables;
import io.torussm.subnet.Subnet;
import io.torussm.testing.RandomFabric;
import io.torussm.testing.Seeds;
import io.torussm.testing.Sketch;
import io.torussm.testing.Subnets;
import io.torussm.testing.TestRouting;
import io.torussm.testing.TorusSketch;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Properties of dfsssp that RecordedTablesTest does not check. The engine gives each path a lane, an SL with a VL, so
 * that no lane has a credit loop; if a lane is left, multicast groups have it.
 */
class DfssspEngineTest {
    private static final int SEEDS = Integer.getInteger("campaign.seeds", 40);

    // Codes of max_op_vls.
    private static final int ONE_VL = 1;
    private static final int FOUR_VLS = 3;
    private static final int EIGHT_VLS = 4;

    private static RoutingOptions vls(int code) {
        return new RoutingOptions(true, code, 0);
    }

    private static RoutingChain.ChainResult chain(Subnet subnet, int vlCode, @Nullable Plan active) {
        return new RoutingChain(
                        new DeadlockChecker(1),
                        List.of(new RoutingChain.Member(new DfssspEngine(), EngineConfig.NONE)),
                        ChainPolicy.STRICT)
                .route(subnet, vls(vlCode), active, EarlierFacts.NONE);
    }

    private static Plan plan(RoutingChain.ChainResult result) {
        assertThat(result.verdict()).as(result.refusals().toString()).isInstanceOf(Certificate.class);
        return Objects.requireNonNull(result.plan());
    }

    private static String refusal(RoutingResult result) {
        return ((Refusal) result).reason();
    }

    /** Returns a torus of 4x4 switches whose paths need three lanes, or four as OpenSM assigns them. */
    private static Subnet torus() {
        return RecordedCases.of("dfsssp", "torus44").states().get(0).subnet();
    }

    /** Returns the number of paths between different switches, by SL mask. */
    private static Map<Integer, Integer> pathsBySlMask(Plan plan) {
        Subnet subnet = plan.subnet();
        Map<Integer, Integer> counts = new HashMap<>();
        for (int sw = 0; sw < subnet.fabric().switchCount(); sw++) {
            for (int lid = 1; lid <= subnet.topLid(); lid++) {
                if (subnet.switchOfLid(lid) != sw) {
                    counts.merge(plan.slMask(sw, lid), 1, Integer::sum);
                }
            }
        }
        return counts;
    }

    @ParameterizedTest(name = "code {0}, {1} VLs")
    @CsvSource({"1,1", "2,2"})
    void theRefusalOfAFabricNamesTheNumberOfNeededVls(int vlCode, int lanes) {
        assertThat(refusal(new DfssspEngine().route(torus(), vls(vlCode))))
                .contains("need 3 VLs")
                .contains("there are " + lanes);
    }

    /** OpenSM's way of breaking cycles needs more than eight lanes here. */
    @Test
    void aTorusWithTooManyCyclesForOpenSmIsRouted() {
        Subnet subnet = TorusSketch.of(5, 4, 4, 1, 1).subnet();
        Links links = new Links(subnet.fabric());
        WeightedTables tables = new WeightedTables(
                new EngineContext(subnet, vls(EIGHT_VLS), EngineConfig.NONE, null),
                links,
                KeptEntries.none(subnet, links));
        Paths paths = new Paths(subnet, new SwitchChannels(links), tables.lfts(), tables.targets());
        int lanes = 8;
        assertThat(new CycleBreaking(paths, lanes).neededLanes()).isGreaterThan(lanes);
        RoutingChain.ChainResult result = chain(subnet, EIGHT_VLS, null);
        assertThat(new NaiveChecker(plan(result), vls(EIGHT_VLS)).isSound()).isTrue();
        assertThat(result.multicast()).isNotNull();
    }

    /** Returns a fat tree, whose paths between hosts need one lane. */
    private static Subnet tree() {
        return RecordedCases.of("dfsssp", "ft3").states().get(0).subnet();
    }

    @Test
    void aTorusIsRefusedWithoutQos() {
        assertThat(refusal(new DfssspEngine().route(torus(), TestRouting.NO_QOS)))
                .contains("qos = true");
        assertThat(new DfssspEngine().check(EngineConfig.NONE, TestRouting.NO_QOS))
                .hasSize(1);
    }

    @Test
    void aTreeIsRoutedWithoutQos() {
        assertThat(new DfssspEngine().route(tree(), TestRouting.NO_QOS)).isInstanceOf(Plan.class);
    }

    @Test
    void aFileOfIoNodesWithoutGuidsIsRefused() {
        EngineConfig config = new EngineConfig(
                Map.of(), Map.of("io_guid_file", EngineFile.read("io.conf", "host\n")), "", Sl2VlTables.DEFAULT, 1);
        assertThat(refusal(new DfssspEngine().route(new EngineContext(torus(), vls(5), config, null))))
                .startsWith("io.conf:1: \"host\" is no GUID");
    }

    @Test
    void groupsHaveALaneOfTheirOwnIfOneIsLeft() {
        RoutingChain.ChainResult result = chain(torus(), EIGHT_VLS, null);
        assertThat(plan(result).multicastSls()).isEqualTo(1);
        assertThat(result.multicast()).isNotNull();
        Map<Integer, Integer> counts = pathsBySlMask(plan(result));
        assertThat(counts.keySet()).containsExactlyInAnyOrder(1 << 1, 1 << 2, 1 << 3, 1 << 4, 1 << 5, 1 << 6, 1 << 7);
        assertThat(counts.get(1 << 2)).as("paths are spread evenly").isCloseTo(counts.get(1 << 1), withPercentage(25));
    }

    @Test
    void groupsShareALaneIfPathsNeedAll() {
        RoutingChain.ChainResult result = chain(torus(), FOUR_VLS, null);
        assertThat(pathsBySlMask(plan(result)).keySet()).containsExactlyInAnyOrder(1, 2, 4, 8);
        assertThat(result.multicast()).isNotNull();
    }

    /** Paths between spines go down and up, which those of hosts do not. */
    @Test
    void pathsToSpinesAreLeftOutIfLanesDoNotSuffice() {
        Subnet tree = tree();
        RoutingChain.ChainResult result = chain(tree, ONE_VL, null);
        Plan plan = plan(result);
        assertThat(result.findings().toString()).contains("without hosts");
        assertThat(pathsBySlMask(plan).keySet()).containsExactlyInAnyOrder(0, 1);
        for (int sw = 0; sw < tree.fabric().switchCount(); sw++) {
            int from = tree.lid(tree.fabric().port(sw, 0));
            for (int port = 0; port < tree.fabric().portCount(); port++) {
                boolean isHost = tree.lid(port) != 0
                        && !tree.fabric().isSwitch(tree.fabric().nodeOf(port));
                assertThat(isHost && plan.pathSl(tree.lid(port), from, 0) != 0).isFalse();
            }
        }
        assertThat(pathsBySlMask(plan(chain(tree, EIGHT_VLS, null))).keySet()).doesNotContain(0, 1);
    }

    @Test
    void theSlOfAPathDoesNotDependOnTheWantedOne() {
        Plan plan = plan(chain(torus(), EIGHT_VLS, null));
        for (int from = 1; from <= plan.subnet().topLid(); from++) {
            for (int to = 1; to <= plan.subnet().topLid(); to++) {
                int sl = plan.pathSl(from, to, 0);
                assertThat(sl).isPositive().isEqualTo(plan.pathSl(from, to, 7));
            }
        }
        assertThat(plan.pathSl(1, plan.subnet().topLid() + 1, 0)).isNegative();
    }

    /** Random fabrics have switches without hosts and parallel cables. The proof covers multicast and ports 0. */
    @Test
    void plansOfRandomFabricsAreFreeOfCreditLoops() {
        int refused = 0;
        int plansWithoutTree = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = Seeds.random(seed);
            Subnet subnet = Subnets.of(RandomFabric.of(random));
            int vlCode = 1 + random.nextInt(4);
            RoutingChain.ChainResult result = chain(subnet, vlCode, null);
            if (result.plan() == null) {
                assertThat(result.refusals().get(0).reason()).contains("VLs to be free of credit loops");
                refused++;
            } else {
                Plan plan = plan(result);
                assertThat(new NaiveChecker(plan, vls(vlCode)).isSound())
                        .as("seed " + seed)
                        .isTrue();
                boolean isTight = pathsBySlMask(plan).containsKey(1);
                assertThat(result.multicast() != null || isTight)
                        .as("seed " + seed)
                        .isTrue();
                plansWithoutTree += result.multicast() == null ? 1 : 0;
            }
        }
        assertThat(plansWithoutTree)
                .as("paths need all VLs, and leave no room for any tree")
                .isLessThan(SEEDS / 10);
        assertThat(refused).isBetween(1, SEEDS / 2);
    }

    /** Three cables are lost one after the other, and all return together. */
    @Test
    void pathsWithoutALostCableKeepTheirRouteAndSl() {
        for (int seed = 0; seed < SEEDS / 3; seed++) {
            Random random = Seeds.random(seed);
            Subnet whole = Subnets.of(RandomFabric.of(random));
            Plan first = plan(chain(whole, EIGHT_VLS, null));
            Plan before = first;
            for (int lost = 0; lost < 3; lost++) {
                Subnet less = CutPaths.withoutSome(before.subnet(), random);
                RoutingChain.ChainResult result = chain(less, EIGHT_VLS, before);
                Plan after = plan(result);
                assertThat(new NaiveChecker(after, vls(EIGHT_VLS)).isSound())
                        .as("seed " + seed)
                        .isTrue();
                assertThat(needlessChanges(before, after)).as("seed " + seed).isZero();
                before = after;
            }
            Plan again = plan(chain(whole, EIGHT_VLS, before));
            for (int sw = 0; sw < whole.fabric().switchCount(); sw++) {
                assertThat(again.lft(sw)).isEqualTo(first.lft(sw));
            }
            assertThat(SlStability.compare(first, again).changedPaths()).isZero();
        }
    }

    /** Returns the number of paths that changed although no cable on their way was lost. */
    private static int needlessChanges(Plan before, Plan after) {
        int changes = 0;
        for (int start = 0; start < after.subnet().fabric().switchCount(); start++) {
            for (int lid = 1; lid <= after.subnet().topLid(); lid++) {
                boolean isSame = before.slMask(start, lid) == after.slMask(start, lid)
                        && CutPaths.isSameWay(before, after, start, lid);
                changes += !isSame && CutPaths.isWhole(before, after.subnet(), start, lid) ? 1 : 0;
            }
        }
        return changes;
    }

    /** On a ring of seven switches that lost a cable. */
    @Test
    void aFindingHasTheNumberOfPathsThatKeepTheirLane() {
        Subnet whole = Subnets.of(Sketch.ring(7).build());
        Plan before = plan(chain(whole, EIGHT_VLS, null));
        FabricBuilder cut = FabricBuilder.of(whole.fabric());
        cut.unlink(whole.fabric().nodeGuid(0), 1);
        cut.retrace();
        Plan after = plan(chain(whole.restrictedTo(cut.build()), EIGHT_VLS, before));
        SlStability stability = SlStability.compare(before, after);
        assertThat(after.findings()).hasSize(1);
        assertThat(after.findings().get(0).text()).contains("of 84 paths").contains(" stay");
        assertThat(stability.changedPaths()).isZero();
        assertThat(before.explainer().slChangeCause()).contains("lost or came back");
    }

    @Test
    void pathsWithinOneSwitchHaveSl0() {
        Sketch sketch = new Sketch();
        sketch.addSwitch("sw", 4);
        sketch.addHost(0, 1);
        sketch.addHost(0, 3);
        Plan plan = plan(chain(Subnets.of(sketch.build()), ONE_VL, null));
        assertThat(plan.pathSl(2, 3, 5)).isZero();
    }

    @Test
    void theExplanationOfAFirstHopNamesTheSl() {
        Plan plan = plan(chain(torus(), EIGHT_VLS, null));
        Subnet subnet = plan.subnet();
        int lid = subnet.topLid();
        int sw = subnet.switchOfLid(lid) == 0 ? 1 : 0;
        assertThat(plan.explainer().explainHop(sw, 0, plan.lft(sw)[lid], lid))
                .contains("SL " + Integer.numberOfTrailingZeros(plan.slMask(sw, lid)));
    }
}
