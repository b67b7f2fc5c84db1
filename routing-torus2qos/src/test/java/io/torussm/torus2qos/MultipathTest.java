package io.torussm.torus2qos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.deadlock.chain.ChainPolicy;
import io.torussm.deadlock.chain.RoutingChain;
import io.torussm.deadlock.chain.RoutingChain.ChainResult;
import io.torussm.deadlock.sl.SlStability;
import io.torussm.fabric.Fabric;
import io.torussm.routing.EngineConfig;
import io.torussm.routing.EngineContext;
import io.torussm.routing.EngineFile;
import io.torussm.routing.MulticastTree;
import io.torussm.routing.Plan;
import io.torussm.routing.RoutingOptions;
import io.torussm.routing.RoutingResult;
import io.torussm.routing.Sl2VlTables;
import io.torussm.subnet.Subnet;
import io.torussm.testing.TestRouting;
import io.torussm.torus2qos.conf.Balance;
import io.torussm.torus2qos.conf.Dim;
import io.torussm.torus2qos.discovery.Multipath;
import io.torussm.torus2qos.discovery.Torus;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code multipath}: LIDs of one port with paths of their own. */
class MultipathTest {
    private static final long CASES = 40;
    private static final long CAMPAIGN_CASES = Long.getLong("cases", 10_000);
    private static final int FIRST_OF_CAMPAIGN = 200_000;

    private static ChainResult chain(String conf, Subnet subnet, RoutingOptions options, Multipath multipath) {
        return new RoutingChain(
                        List.of(new Torus2QosEngine(TestTorus.parse(conf), 2, Balance.OFF, multipath)),
                        new DeadlockChecker(2),
                        ChainPolicy.WITH_LAST_RESORT)
                .route(subnet, options);
    }

    static ChainResult chain(TestTorus torus, int lmc, Multipath multipath) {
        String conf = torus.conf() + "next_seed\n" + torus.seed(TiesTest.middle(torus));
        return chain(conf, torus.fabric.subnet(lmc), TestRouting.QOS, multipath);
    }

    private static int[] hosts(Plan plan) {
        Fabric fabric = plan.subnet().fabric();
        return IntStream.range(0, fabric.portCount())
                .filter(port -> fabric.isEndport(port) && !fabric.isSwitch(fabric.nodeOf(port)))
                .map(plan.subnet()::lid)
                .toArray();
    }

    /** Returns the dimensions of a path between switches, in the order in which it takes them, such as {@code xxz}. */
    private static String path(Plan plan, int fromLid, int toLid) {
        Fabric fabric = plan.subnet().fabric();
        Torus torus = ((TorusExplainer) plan.explainer()).paths().torus();
        StringBuilder path = new StringBuilder();
        for (int sw = plan.subnet().switchOfLid(fromLid); sw != plan.subnet().switchOfLid(toLid); ) {
            int port = fabric.port(sw, plan.lft(sw)[toLid] & 0xff);
            path.append(Dim.name(torus.portClass(port)));
            sw = fabric.nodeOf(fabric.peer(port));
        }
        return path.toString();
    }

    @ParameterizedTest
    @CsvSource({
        "3x3x3, 1",
        "4x4x4, 1",
        "5x5x5, 1",
        "6x6x6, 1",
        "7x7x3, 1",
        "8x8x8, 1",
        "3x3x1, 2",
        "4x4x1, 1",
        "5x7x1, 1",
        "8x8x1, 2",
        "2x5x8, 1",
        "10x6x1, 1",
        "12x4x1, 1"
    })
    void isProvedWithTheTreeThatWasWished(String sizes, int lmc) {
        TestTorus torus = TiesTest.torus(sizes, 1);
        for (Multipath multipath : List.of(Multipath.SIDES, Multipath.ORDERS)) {
            ChainResult routed = chain(torus, lmc, multipath);
            assertThat(routed.refusals()).isEmpty();
            assertThat(routed.verdict()).isInstanceOf(Certificate.class);
            assertThat(TestTorus.plan(routed).multicastTree()).contains(routed.multicast());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SIDES", "ORDERS"})
    void everySecondLidHasItsOwnPathAndTheOthersThoseOfOneLid(Multipath multipath) {
        TestTorus torus = TiesTest.torus("8x6x5", 1);
        Plan off = TestTorus.plan(chain(torus, 2, Multipath.OFF));
        Plan plan = TestTorus.plan(chain(torus, 2, multipath));
        boolean hasOrders = multipath == Multipath.ORDERS;
        for (int from : hosts(plan)) {
            for (int to : hosts(plan)) {
                for (int offset = 0; offset < 4; offset++) {
                    String path = path(plan, from, to + offset);
                    boolean isOdd = offset % 2 == 1;
                    assertThat(path).hasSameSizeAs(path(off, from, to));
                    assertThat(path).matches(isOdd && hasOrders ? "z*y*x*" : "x*y*z*");
                    int sl = plan.pathSl(from + offset, to + offset, 0);
                    assertThat(plan.pathSl(to + offset, from + offset, 0)).isEqualTo(sl);
                    assertThat(plan.pathSl(from, to + offset, 8))
                            .isEqualTo(hasOrders ? sl : sl | TorusSl.QOS_BIT)
                            .isGreaterThanOrEqualTo(0);
                    assertThat(sl & TorusSl.QOS_BIT).isEqualTo(isOdd && hasOrders ? TorusSl.QOS_BIT : 0);
                    if (!isOdd) {
                        assertThat(sl).isEqualTo(off.pathSl(from, to, 0));
                    }
                }
            }
        }
        for (int lid = 1; lid <= plan.subnet().topLid(); lid++) {
            for (int sw = 0; sw < plan.subnet().fabric().switchCount() && isEven(plan, lid); sw++) {
                assertThat(plan.lft(sw)[lid]).isEqualTo(off.lft(sw)[lid]);
            }
        }
    }

    private static boolean isEven(Plan plan, int lid) {
        int port = plan.subnet().portOfLid(lid);
        return port == Fabric.NONE || (lid - plan.subnet().lid(port)) % 2 == 0;
    }

    @ParameterizedTest
    @ValueSource(strings = {"4x4x4", "6x6x6", "8x8x1", "10x6x1"})
    void pathsBetweenOppositeSwitchesGoBothWaysAlike(String sizes) {
        TestTorus torus = TiesTest.torus(sizes, 1);
        for (Multipath multipath : List.of(Multipath.SIDES, Multipath.ORDERS)) {
            assertThat(new LinkLoads(TestTorus.plan(chain(torus, 1, multipath))).worstDimension())
                    .isCloseTo(1, within(1e-9));
        }
    }

    /** Parallel cables are dealt out to the LIDs of either kind. */
    @Test
    void servesParallelCablesMeshesAndShuffledPorts() {
        TestTorus torus = new TestTorus(new int[] {4, 5, 3}, "y", 2, 2, new java.util.Random(5));
        ChainResult routed = chain(torus, 1, Multipath.ORDERS);
        assertThat(routed.refusals()).isEmpty();
        Plan plan = TestTorus.plan(routed);
        for (int from : hosts(plan)) {
            for (int to : hosts(plan)) {
                assertThat(path(plan, from, to)).matches("x*y*z*");
                assertThat(path(plan, from, to + 1)).matches("z*y*x*");
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"4x4x2, SIDES", "6x6x1, SIDES", "4x4x2, ORDERS", "6x6x1, ORDERS", "8x8x1, ORDERS", "3x4x5, ORDERS"})
    void standsTheLossOfAnySwitchAndKeepsAllSls(String sizes, Multipath multipath) {
        Plan before = TestTorus.plan(chain(TiesTest.torus(sizes, 1), 1, multipath));
        TestTorus whole = TiesTest.torus(sizes, 1);
        for (int lost = 0; lost < whole.count(); lost++) {
            TestTorus torus = TiesTest.torus(sizes, 1);
            torus.fabric.remove(torus.guid(torus.at(lost)));
            ChainResult routed = chain(torus, 1, multipath);
            assertThat(routed.refusals())
                    .as("without %s", Arrays.toString(torus.at(lost)))
                    .isEmpty();
            assertThat(routed.multicast()).isNotNull();
            assertThat(SlStability.compare(before, TestTorus.plan(routed)).findings())
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("io.torussm.torus2qos.GoldenFabric#routed")
    void servesAnyFabricThatTheReferenceRoutes(String name) {
        GoldenFabric golden = new GoldenFabric(name);
        for (Multipath multipath : List.of(Multipath.SIDES, Multipath.ORDERS)) {
            ChainResult routed = chain(golden.conf, TestFabric.subnet(golden.fabric, 1), TestRouting.QOS, multipath);
            assertThat(routed.verdict()).isInstanceOf(Certificate.class);
            assertThat(routed.multicast()).isNotNull();
        }
    }

    @Test
    @Tag("slow")
    void servesDamagedTori() {
        verifyAll(LongStream.range(0, CASES));
    }

    @Test
    @Tag("campaign")
    void servesManyMoreDamagedTori() {
        verifyAll(LongStream.range(FIRST_OF_CAMPAIGN, FIRST_OF_CAMPAIGN + CAMPAIGN_CASES));
    }

    private static void verifyAll(LongStream seeds) {
        Map<String, Integer> counts = new TreeMap<>();
        List<String> disagreements = new ArrayList<>();
        seeds.forEach(seed -> {
            FaultyCase drawn = FaultyCase.draw(seed);
            Multipath multipath = seed % 2 == 0 ? Multipath.SIDES : Multipath.ORDERS;
            violations(drawn, multipath, counts).forEach(error -> disagreements.add("seed " + seed + ": " + error));
        });
        System.out.println("damaged tori with multipath: " + counts);
        assertThat(disagreements).as(counts.toString()).isEmpty();
        assertThat(counts.keySet())
                .anyMatch(outcome -> outcome.startsWith("routed"))
                .anyMatch(outcome -> outcome.startsWith("refused"));
    }

    private static List<String> violations(FaultyCase drawn, Multipath multipath, Map<String, Integer> counts) {
        drawn.torus().multipath = multipath;
        Subnet subnet = drawn.torus().fabric.subnet(1);
        ChainResult off = chain(drawn.conf(), subnet, drawn.options(), Multipath.OFF);
        ChainResult routed = chain(drawn.conf(), subnet, drawn.options(), multipath);
        String what = (off.refusals().isEmpty() ? "routed" : "refused") + ", with " + multipath + " "
                + (routed.refusals().isEmpty() ? "routed" : "refused");
        counts.merge(what, 1, Integer::sum);
        Plan plan = routed.plan();
        if (plan == null) {
            counts.merge("with too few VLs", 1, Integer::sum);
            return drawn.dataVls() < 8 && multipath == Multipath.ORDERS ? List.of() : List.of("not routed");
        }
        NaiveTables tables = new NaiveTables(drawn.damaged(), plan);
        List<String> errors = new ArrayList<>(tables.errors.stream().limit(3).toList());
        if (!tables.unicastCycle().isEmpty()) {
            errors.add("credit loop: " + tables.unicastCycle());
        }
        MulticastTree chosen = routed.multicast();
        if (chosen == null) {
            counts.merge("no multicast", 1, Integer::sum);
        } else if (!tables.cycleWith(
                        NaiveMulticast.of(drawn.damaged(), chosen, plan.subnet().fabric()))
                .isEmpty()) {
            errors.add("credit loop with multicast");
        }
        return errors;
    }

    private static RoutingResult routeWithSettings(
            TestTorus torus, RoutingOptions options, Map<String, String> values) {
        EngineFile file = EngineFile.read("torus-2QoS.conf", torus.conf());
        EngineConfig config = new EngineConfig(values, Map.of("torus_config", file), "", Sl2VlTables.DEFAULT, 1);
        return new Torus2QosEngine().route(new EngineContext(torus.fabric.subnet(1), options, config, null));
    }

    @Test
    void isASettingThatIsOffByDefault() {
        TestTorus torus = TiesTest.torus("6x6x1", 1);
        Plan off = TestTorus.plan(routeWithSettings(torus, TestRouting.QOS, Map.of()));
        Plan orders = TestTorus.plan(routeWithSettings(torus, TestRouting.QOS, Map.of("multipath", "orders")));
        int[] hosts = hosts(off);
        assertThat(path(off, hosts[0], hosts[7] + 1)).isEqualTo("xy");
        assertThat(path(orders, hosts[0], hosts[7] + 1)).isEqualTo("yx");
        assertThat(off.multicastSls()).isEqualTo(0x101);
        assertThat(orders.multicastSls()).isEqualTo(1);
    }

    @Test
    void ordersTakeEightDataVls() {
        TestTorus torus = TiesTest.torus("6x6x1", 1);
        RoutingOptions few = TestRouting.qosWithVls(4);
        assertThat(TestTorus.refusal(routeWithSettings(torus, few, Map.of("multipath", "orders")))
                        .reason())
                .contains("8 data VLs")
                .contains("4 for each order")
                .contains("multipath = sides");
        TestTorus.plan(routeWithSettings(torus, few, Map.of("multipath", "sides")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ties", "one_sl"})
    void doesNotGoWithBalance(String balance) {
        TestTorus torus = TiesTest.torus("6x6x1", 1);
        assertThat(TestTorus.refusal(routeWithSettings(
                                torus, TestRouting.QOS, Map.of("multipath", "sides", "balance", balance)))
                        .reason())
                .contains("multipath")
                .contains("balance");
    }

    @Test
    void explainsTheOrderAndTheSide() {
        TestTorus torus = TiesTest.torus("6x5x4", 1);
        Plan plan = TestTorus.plan(routeWithSettings(torus, TestRouting.QOS, Map.of("multipath", "orders")));
        int from = plan.subnet().fabric().nodeByGuid(torus.guid(0, 0, 0));
        int to = hosts(plan)[torus.index(3, 1, 2)];
        assertThat(explainHop(plan, from, to)).isEqualTo("+x  DOR: x first");
        assertThat(explainHop(plan, from, to + 1))
                .isEqualTo("-z  DOR: z first; both ways are equally long, this LID's crosses the dateline;"
                        + " crosses the dateline");
    }

    private static String explainHop(Plan plan, int sw, int dlid) {
        return plan.explainer().explainHop(sw, 0, plan.lft(sw)[dlid] & 0xff, dlid);
    }
}
