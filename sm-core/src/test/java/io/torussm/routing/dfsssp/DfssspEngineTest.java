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
 * Properties of dfsssp that RecordedTablesTest does not check. {@code TorusSketch.of} takes x, y, z, the parallel
 * cables and the hosts of each switch.
 */
class DfssspEngineTest {
    private static final int SEEDS = Integer.getInteger("campaign.seeds", 40);

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

    /** Needs three lanes, by the reference's way four; the reference notices at the second sweep that there is one. */
    private static Subnet torus() {
        return RecordedCases.of("dfsssp", "torus44").states().get(0).subnet();
    }

    /** Returns the number of paths between different switches, by SL mask. */
    private static Map<Integer, Integer> counts(Plan plan) {
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

    @ParameterizedTest
    @CsvSource({"1,1", "2,2"})
    void saysHowManyLanesItNeeds(int vlCode, int lanes) {
        assertThat(refusal(new DfssspEngine().route(torus(), vls(vlCode))))
                .contains("need 3 VLs")
                .contains("there are " + lanes);
    }

    /** The reference gives up with four lanes. */
    @Test
    void findsLanesWhereTheReferenceDoesNot() {
        Subnet subnet = TorusSketch.of(5, 4, 4, 1, 1).subnet();
        Links links = new Links(subnet.fabric());
        WeightedTables tables = new WeightedTables(
                new EngineContext(subnet, vls(4), EngineConfig.NONE, null), links, KeptEntries.none(subnet, links));
        Paths paths = new Paths(subnet, new SwitchChannels(links), tables.lfts(), tables.targets());
        assertThat(new CycleBreaking(paths, 8).neededLanes()).isGreaterThan(8);
        RoutingChain.ChainResult result = chain(subnet, 4, null);
        assertThat(new NaiveChecker(plan(result), vls(4)).isSound()).isTrue();
        assertThat(result.multicast()).isNotNull();
    }

    @Test
    void hasOneLaneWithoutQos() {
        RoutingOptions plain = TestRouting.NO_QOS;
        assertThat(refusal(new DfssspEngine().route(torus(), plain))).contains("qos = true");
        assertThat(new DfssspEngine().check(EngineConfig.NONE, plain)).hasSize(1);
        Subnet tree = RecordedCases.of("dfsssp", "ft3").states().get(0).subnet();
        assertThat(new DfssspEngine().route(tree, plain)).isInstanceOf(Plan.class);
    }

    @Test
    void refusesWithAFileThatItCannotRead() {
        EngineConfig config = new EngineConfig(
                Map.of(), Map.of("io_guid_file", EngineFile.read("io.conf", "host\n")), "", Sl2VlTables.DEFAULT, 1);
        assertThat(refusal(new DfssspEngine().route(new EngineContext(torus(), vls(5), config, null))))
                .startsWith("io.conf:1: \"host\" is no GUID");
    }

    @Test
    void groupsHaveALaneOfTheirOwnWhereOneIsLeft() {
        RoutingChain.ChainResult result = chain(torus(), 4, null);
        assertThat(plan(result).multicastSls()).isEqualTo(1);
        assertThat(result.multicast()).isNotNull();
        Map<Integer, Integer> counts = counts(plan(result));
        assertThat(counts.keySet()).containsExactlyInAnyOrder(1 << 1, 1 << 2, 1 << 3, 1 << 4, 1 << 5, 1 << 6, 1 << 7);
        assertThat(counts.get(1 << 2)).as("shared out").isCloseTo(counts.get(1 << 1), withPercentage(25));
    }

    @Test
    void groupsShareALaneWherePathsNeedAll() {
        RoutingChain.ChainResult result = chain(torus(), 3, null);
        assertThat(counts(plan(result)).keySet()).containsExactlyInAnyOrder(1, 2, 4, 8);
        assertThat(result.multicast()).isNotNull();
    }

    /** Spines send each other packets that go down and up, which hosts do not. */
    @Test
    void portsOfSwitchesWithoutHostsGiveWay() {
        Subnet tree = RecordedCases.of("dfsssp", "ft3").states().get(0).subnet();
        RoutingChain.ChainResult result = chain(tree, 1, null);
        Plan plan = plan(result);
        assertThat(result.findings().toString()).contains("without hosts");
        assertThat(counts(plan).keySet()).containsExactlyInAnyOrder(0, 1);
        for (int sw = 0; sw < tree.fabric().switchCount(); sw++) {
            int from = tree.lid(tree.fabric().port(sw, 0));
            for (int port = 0; port < tree.fabric().portCount(); port++) {
                boolean isHost = tree.lid(port) != 0
                        && !tree.fabric().isSwitch(tree.fabric().nodeOf(port));
                assertThat(isHost && plan.pathSl(tree.lid(port), from, 0) != 0).isFalse();
            }
        }
        assertThat(counts(plan(chain(tree, 4, null))).keySet()).doesNotContain(0, 1);
    }

    @Test
    void doesNotLookAtTheSlThatIsWanted() {
        Plan plan = plan(chain(torus(), 4, null));
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
    void isFreeOfCreditLoopsOnAnyFabric() {
        int refused = 0;
        int without = 0;
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
                boolean isTight = counts(plan).containsKey(1);
                assertThat(result.multicast() != null || isTight)
                        .as("seed " + seed)
                        .isTrue();
                without += result.multicast() == null ? 1 : 0;
            }
        }
        assertThat(without)
                .as("paths need all VLs, and leave no room for any tree")
                .isLessThan(SEEDS / 10);
        assertThat(refused).isBetween(1, SEEDS / 2);
    }

    /** Cables go one after the other, and all come back. */
    @Test
    void intactPathsKeepRouteAndSl() {
        for (int seed = 0; seed < SEEDS / 3; seed++) {
            Random random = Seeds.random(seed);
            Subnet whole = Subnets.of(RandomFabric.of(random));
            Plan first = plan(chain(whole, 4, null));
            Plan before = first;
            for (int lost = 0; lost < 3; lost++) {
                Subnet less = CutPaths.withoutSome(before.subnet(), random);
                RoutingChain.ChainResult result = chain(less, 4, before);
                Plan after = plan(result);
                assertThat(new NaiveChecker(after, vls(4)).isSound())
                        .as("seed " + seed)
                        .isTrue();
                assertThat(changes(before, after)).as("seed " + seed).isZero();
                before = after;
            }
            Plan again = plan(chain(whole, 4, before));
            for (int sw = 0; sw < whole.fabric().switchCount(); sw++) {
                assertThat(again.lft(sw)).isEqualTo(first.lft(sw));
            }
            assertThat(SlStability.compare(first, again).changedPaths()).isZero();
        }
    }

    /** Paths that had not to change, since no cable on their way was lost, and changed nevertheless. */
    private static int changes(Plan before, Plan after) {
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

    /**
     * On a ring of seven a third of the cut paths finds room in its previous lane; the finding gives the
     * numbers.
     */
    @Test
    void saysHowManyPathsStay() {
        Subnet whole = Subnets.of(Sketch.ring(7).build());
        Plan before = plan(chain(whole, 4, null));
        FabricBuilder cut = FabricBuilder.of(whole.fabric());
        cut.unlink(whole.fabric().nodeGuid(0), 1);
        cut.retrace();
        Plan after = plan(chain(whole.restrictedTo(cut.build()), 4, before));
        SlStability stability = SlStability.compare(before, after);
        assertThat(after.findings()).hasSize(1);
        assertThat(after.findings().get(0).text()).contains("of 84 paths").contains(" stay");
        assertThat(stability.changedPaths()).isZero();
        assertThat(before.explainer().slChangeCause()).contains("lost or came back");
    }

    @Test
    void routesOneSwitch() {
        Sketch sketch = new Sketch();
        sketch.addSwitch("sw", 4);
        sketch.addHost(0, 1);
        sketch.addHost(0, 3);
        Plan plan = plan(chain(Subnets.of(sketch.build()), 1, null));
        assertThat(plan.pathSl(2, 3, 5)).isZero();
    }

    @Test
    void explainsTheFirstHop() {
        Plan plan = plan(chain(torus(), 4, null));
        Subnet subnet = plan.subnet();
        int lid = subnet.topLid();
        int sw = subnet.switchOfLid(lid) == 0 ? 1 : 0;
        assertThat(plan.explainer().explainHop(sw, 0, plan.lft(sw)[lid], lid))
                .contains("SL " + Integer.numberOfTrailingZeros(plan.slMask(sw, lid)));
    }
}
