package io.torussm.routing.lash;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.deadlock.NaiveChecker;
import io.torussm.deadlock.chain.ChainPolicy;
import io.torussm.deadlock.chain.RoutingChain;
import io.torussm.deadlock.sl.SlStability;
import io.torussm.fabric.Fabric;
import io.torussm.fabric.FabricBuilder;
import io.torussm.routing.CutPaths;
import io.torussm.routing.EarlierFacts;
import io.torussm.routing.EngineConfig;
import io.torussm.routing.EngineContext;
import io.torussm.routing.Plan;
import io.torussm.routing.RecordedCases;
import io.torussm.routing.Refusal;
import io.torussm.routing.RoutingOptions;
import io.torussm.routing.RoutingResult;
import io.torussm.routing.Sl2VlTables;
import io.torussm.subnet.Subnet;
import io.torussm.testing.RandomFabric;
import io.torussm.testing.Seeds;
import io.torussm.testing.Sketch;
import io.torussm.testing.Subnets;
import io.torussm.testing.TestRouting;
import io.torussm.testing.TorusSketch;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Properties of lash that RecordedTablesTest does not check. {@code TorusSketch.of} takes x, y, z, the parallel cables
 * and the hosts of each switch.
 */
class LashEngineTest {
    private static final int SEEDS = Integer.getInteger("campaign.seeds", 60);

    private static RoutingResult route(
            Subnet subnet, RoutingOptions options, Sl2VlTables tables, Map<String, String> values) {
        EngineConfig config = new EngineConfig(values, Map.of(), "", tables, 1);
        return new LashEngine().route(new EngineContext(subnet, options, config, null));
    }

    private static RoutingResult route(Subnet subnet, int maxOpVls, int start) {
        return route(
                subnet,
                new RoutingOptions(true, maxOpVls, 0),
                Sl2VlTables.DEFAULT,
                Map.of("lash_start_vl", Integer.toString(start)));
    }

    /** Needs three lanes; the reference notices at the second sweep that there are two, and goes on with these. */
    private static Subnet torus() {
        return RecordedCases.of("lash", "fewvls").states().get(0).subnet();
    }

    @ParameterizedTest
    @CsvSource({"3,0", "5,5"})
    void routesWhereLanesSuffice(int maxOpVls, int start) {
        Plan plan = (Plan) route(torus(), maxOpVls, start);
        assertThat(new DeadlockChecker(1)
                        .prove(plan, new RoutingOptions(true, maxOpVls, 0))
                        .verdict())
                .isInstanceOf(Certificate.class);
    }

    @ParameterizedTest
    @CsvSource({
        "2,0,more than 2 VLs",
        "4,6,more than 2 VLs",
        "4,8,SL 8 has no separate VL",
        "5,15,SL 15 has no separate VL"
    })
    void refusesAtOnceWhereTheyDoNot(int maxOpVls, int start, String reason) {
        assertThat(((Refusal) route(torus(), maxOpVls, start)).reason()).contains(reason);
    }

    /** Switches have no SL2VL tables then. */
    @Test
    void hasOneLaneWithoutQos() {
        RoutingOptions plain = TestRouting.NO_QOS;
        assertThat(((Refusal) route(torus(), plain, Sl2VlTables.DEFAULT, Map.of())).reason())
                .contains("qos = true");
        Subnet mesh = RecordedCases.of("lash", "cube4_mesh").states().get(0).subnet();
        assertThat(route(mesh, plain, Sl2VlTables.DEFAULT, Map.of("do_mesh_analysis", "true")))
                .isInstanceOf(Plan.class);
    }

    /** SLs 1 to 15 all on VL 1: two lanes are left. */
    @Test
    void countsLanesByTheSl2VlTablesOfTheOperator() {
        long two = 0x0111_1111_1111_1111L;
        Sl2VlTables tables = new Sl2VlTables(two, two, two, two);
        assertThat(((Refusal) route(torus(), TestRouting.QOS, tables, Map.of())).reason())
                .contains("more than 2 VLs");
    }

    /** Hosts may have fewer VLs: their links are in no credit loop. */
    @Test
    void vlsOfHostLinksDoNotCount() {
        Sketch sketch = new Sketch();
        for (int sw = 0; sw < 5; sw++) {
            sketch.addSwitch("sw-" + sw, 4);
        }
        for (int sw = 0; sw < 5; sw++) {
            sketch.link(sw, 1, (sw + 1) % 5, 2);
        }
        sketch.vlCap(1);
        for (int sw = 0; sw < 5; sw++) {
            sketch.addHost(sw, 3);
        }
        Subnet subnet = Subnets.of(sketch.build());
        Plan plan = (Plan) route(subnet, 5, 0);
        assertThat(new DeadlockChecker(1).prove(plan, TestRouting.QOS).verdict())
                .isInstanceOf(Certificate.class);
    }

    @Test
    void theSlOfAPathDoesNotDependOnTheWantedOne() {
        Subnet subnet = torus();
        Plan plan = (Plan) route(subnet, 5, 0);
        Fabric fabric = subnet.fabric();
        for (int from = 0; from < fabric.switchCount(); from++) {
            for (int to = 0; to < fabric.switchCount(); to++) {
                int source = subnet.lid(fabric.port(from, 0));
                int destination = subnet.lid(fabric.port(to, 0));
                int sl = plan.pathSl(source, destination, 0);
                assertThat(sl).isBetween(0, 2).isEqualTo(plan.pathSl(source, destination, 7));
                assertThat(sl).isEqualTo(plan.pathSl(destination, source, 0));
            }
        }
    }

    private static EngineConfig config(String mesh) {
        return new EngineConfig(Map.of("do_mesh_analysis", mesh), Map.of(), "", Sl2VlTables.DEFAULT, 1);
    }

    private static Plan routeAfter(@Nullable Plan before, Subnet subnet, String mesh) {
        RoutingChain.ChainResult result = new RoutingChain(
                        new DeadlockChecker(1),
                        List.of(new RoutingChain.Member(new LashEngine(), config(mesh))),
                        ChainPolicy.STRICT)
                .route(subnet, TestRouting.QOS, before, EarlierFacts.NONE);
        assertThat(result.verdict()).as(result.findings().toString()).isInstanceOf(Certificate.class);
        assertThat(result.multicast()).isNotNull();
        return Objects.requireNonNull(result.plan());
    }

    /** Cables go one after the other, and all come back. */
    @Test
    void intactPathsKeepRouteAndSl() {
        int makeRoom = 0;
        for (int seed = 0; seed < SEEDS / 3; seed++) {
            Random random = Seeds.random(seed);
            String mesh = Boolean.toString(seed % 3 == 0);
            Subnet whole = Subnets.of(RandomFabric.of(random));
            Plan first = routeAfter(null, whole, mesh);
            Plan before = first;
            for (int lost = 0; lost < 3; lost++) {
                Subnet less = CutPaths.withoutSome(before.subnet(), random);
                Plan now = routeAfter(before, less, mesh);
                assertThat(new NaiveChecker(now, TestRouting.QOS).isSound()).isTrue();
                Plan alone =
                        (Plan) new LashEngine().route(new EngineContext(less, TestRouting.QOS, config(mesh), before));
                assertThat(changes(before, alone)).as("seed " + seed).isZero();
                makeRoom += changes(before, now) == 0 ? 0 : 1;
                before = now;
            }
            Plan again = routeAfter(before, whole, mesh);
            for (int sw = 0; sw < whole.fabric().switchCount(); sw++) {
                assertThat(again.lft(sw)).isEqualTo(first.lft(sw));
            }
            assertThat(SlStability.compare(first, again).changedPaths()).isZero();
        }
        assertThat(makeRoom).as("a tree for multicast needs their place").isLessThanOrEqualTo(SEEDS / 50);
    }

    /**
     * On a ring of seven the lost cable was on the path of six of 21 pairs, and three lanes leave room for
     * all pairs that must change.
     */
    @Test
    void saysHowManyPathsStay() {
        Subnet whole = Subnets.of(Sketch.ring(7).build());
        Plan before = routeAfter(null, whole, "false");
        FabricBuilder cut = FabricBuilder.of(whole.fabric());
        cut.unlink(whole.fabric().nodeGuid(0), 1);
        Plan now = routeAfter(before, whole.restrictedTo(cut.build()), "false");
        assertThat(now.findings()).hasSize(1);
        assertThat(now.findings().get(0).text())
                .contains("of 42 paths between switches 30 stay")
                .contains("12 go another way with the SL that they had");
        assertThat(SlStability.compare(before, now).changedPaths()).isZero();
        assertThat(now.explainer().slChangeCause()).contains("lost or came back");
    }

    /** Routes between switches do not depend on hosts, so a new host changes none. */
    @Test
    void aNewHostLeavesRoutesAndLanesAlone() {
        Subnet whole = TorusSketch.of(5, 5, 1, 1, 2).subnet();
        FabricBuilder cut = FabricBuilder.of(whole.fabric());
        cut.unlink(whole.fabric().nodeGuid(7), 1);
        Subnet less = whole.restrictedTo(cut.build());
        long last = whole.fabric().nodeGuid(whole.fabric().nodeCount() - 1);
        FabricBuilder rest = FabricBuilder.of(less.fabric());
        rest.unlink(last, 1);
        rest.retrace();
        Plan before = routeAfter(
                routeAfter(null, less.restrictedTo(rest.build()), "false"), less.restrictedTo(rest.build()), "false");
        Plan mended = routeAfter(routeAfter(null, whole, "false"), less.restrictedTo(rest.build()), "false");
        Plan now = routeAfter(mended, less, "false");
        assertThat(now.findings()).as("all stay").isEmpty();
        assertThat(SlStability.compare(mended, now).changedPaths()).isZero();
        assertThat(SlStability.compare(before, now).changedPaths())
                .as("or else there was nothing to keep")
                .isPositive();
    }

    @Test
    void assignsAllLanesAgainIfTooFewAreLeftOrSettingsDiffer() {
        int anew = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = Seeds.random(seed);
            Subnet whole = Subnets.of(RandomFabric.of(random));
            RoutingOptions few = TestRouting.qosWithVls(2);
            EngineConfig config = new EngineConfig(Map.of(), Map.of(), "", Sl2VlTables.DEFAULT, 1);
            RoutingResult first = new LashEngine().route(new EngineContext(whole, few, config, null));
            if (first instanceof Plan before) {
                Subnet less = CutPaths.withoutSome(whole, random);
                RoutingResult now = new LashEngine().route(new EngineContext(less, few, config, before));
                RoutingResult fresh = new LashEngine().route(new EngineContext(less, few, config, null));
                assertThat(now instanceof Plan).as("seed " + seed).isEqualTo(fresh instanceof Plan);
                boolean isAnew =
                        now instanceof Plan plan && plan.findings().toString().contains("computed again");
                anew += isAnew ? 1 : 0;
                EngineConfig other =
                        new EngineConfig(Map.of("lash_start_vl", "1"), Map.of(), "", Sl2VlTables.DEFAULT, 1);
                Plan moved = (Plan) new LashEngine().route(new EngineContext(whole, TestRouting.QOS, other, before));
                assertThat(moved.findings()).as("no path stays").isEmpty();
            }
        }
        assertThat(anew).isPositive();
    }

    /**
     * Counts the pairs of switches that keep route and SL after a lost cable, of all and of the pairs that
     * are not cut; for documentation.
     */
    @Test
    @Tag("campaign")
    void mostPairsKeepRouteAndSlWhenACableGoes() {
        for (int[] radix : new int[][] {{4, 4, 4}, {6, 6, 1}, {8, 8, 1}, {5, 5, 5}, {8, 8, 8}}) {
            Subnet torus = TorusSketch.of(radix[0], radix[1], radix[2], 1, 1).subnet();
            printShare(radix[0] + "x" + radix[1] + "x" + radix[2], torus, Boolean.toString(radix[2] == 8));
        }
        for (int switches : new int[] {16, 32, 64, 128}) {
            printShare(
                    switches + " switches at random",
                    Subnets.of(RandomFabric.of(Seeds.random(switches), switches)),
                    "false");
        }
    }

    private static void printShare(String label, Subnet whole, String mesh) {
        int losses = 10;
        Plan first = routeAfter(null, whole, mesh);
        long[] kept = new long[2];
        long[] others = new long[2];
        long ns = 0;
        int anew = 0;
        for (int seed = 0; seed < losses; seed++) {
            Subnet less = CutPaths.withoutSome(whole, Seeds.random(seed));
            for (int how = 0; how < 2; how++) {
                long start = System.nanoTime();
                Plan now = routeAfter(how == 0 ? first : null, less, mesh);
                ns += how == 0 ? System.nanoTime() - start : 0;
                anew += how == 0 && now.findings().toString().contains("computed again") ? 1 : 0;
                kept[how] += countSame(first, now);
                others[how] += SlStability.compare(first, now).changedPaths();
            }
        }
        int switches = whole.fabric().switchCount();
        double all = (double) losses * switches * (switches - 1);
        System.out.printf(
                "%s: %.2f %% of pairs keep route and SL, %d paths have another SL, %d of %d found anew, %d ms each;"
                        + " without the plan in force %.2f %%, %d%n",
                label,
                100 * kept[0] / all,
                others[0],
                anew,
                losses,
                ns / 1_000_000 / losses,
                100 * kept[1] / all,
                others[1]);
        assertThat(kept[0]).isGreaterThanOrEqualTo(kept[1]);
    }

    /** Pairs of switches with the same way and SL. */
    private static int countSame(Plan before, Plan now) {
        Subnet subnet = now.subnet();
        int same = 0;
        for (int from = 0; from < subnet.fabric().switchCount(); from++) {
            for (int to = 0; to < subnet.fabric().switchCount(); to++) {
                int lid = subnet.lid(subnet.fabric().port(to, 0));
                same += from != to
                                && before.slMask(from, lid) == now.slMask(from, lid)
                                && CutPaths.isWhole(before, subnet, from, lid)
                                && CutPaths.isSameWay(before, now, from, lid)
                        ? 1
                        : 0;
            }
        }
        return same;
    }

    /** Pairs of switches with another way or SL than before, though no cable on the way there and back is lost. */
    private static int changes(Plan before, Plan now) {
        Subnet subnet = now.subnet();
        int changes = 0;
        for (int from = 0; from < subnet.fabric().switchCount(); from++) {
            for (int to = 0; to < subnet.fabric().switchCount(); to++) {
                int there = subnet.lid(subnet.fabric().port(to, 0));
                int back = subnet.lid(subnet.fabric().port(from, 0));
                boolean isSame = CutPaths.isSameWay(before, now, from, there)
                        && before.slMask(from, there) == now.slMask(from, there);
                changes += !isSame
                                && CutPaths.isWhole(before, subnet, from, there)
                                && CutPaths.isWhole(before, subnet, to, back)
                        ? 1
                        : 0;
            }
        }
        return changes;
    }

    /** Random fabrics have switches without hosts and parallel cables. The proof covers multicast and ports 0. */
    @Test
    void plansOfRandomFabricsAreFreeOfCreditLoops() {
        for (int seed = 0; seed < SEEDS; seed++) {
            Subnet subnet = Subnets.of(RandomFabric.of(Seeds.random(seed)));
            for (String mesh : List.of("false", "true")) {
                EngineConfig config =
                        new EngineConfig(Map.of("do_mesh_analysis", mesh), Map.of(), "", Sl2VlTables.DEFAULT, 1);
                RoutingChain.ChainResult result = new RoutingChain(
                                new DeadlockChecker(1),
                                List.of(new RoutingChain.Member(new LashEngine(), config)),
                                ChainPolicy.STRICT)
                        .route(subnet, TestRouting.QOS);
                assertThat(result.verdict()).as("seed " + seed).isInstanceOf(Certificate.class);
                assertThat(result.multicast()).as("seed " + seed).isNotNull();
            }
        }
    }
}
