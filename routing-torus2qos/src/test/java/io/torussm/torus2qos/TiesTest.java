package io.torussm.torus2qos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.deadlock.chain.ChainPolicy;
import io.torussm.deadlock.chain.RoutingChain;
import io.torussm.deadlock.chain.RoutingChain.ChainResult;
import io.torussm.deadlock.sl.SlStability;
import io.torussm.routing.EngineConfig;
import io.torussm.routing.EngineContext;
import io.torussm.routing.EngineFile;
import io.torussm.routing.MulticastTree;
import io.torussm.routing.Plan;
import io.torussm.routing.RoutingOptions;
import io.torussm.routing.Sl2VlTables;
import io.torussm.subnet.Subnet;
import io.torussm.testing.TestRouting;
import io.torussm.torus2qos.conf.Balance;
import io.torussm.torus2qos.discovery.Multipath;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code balance = ties}: the paths that it distributes, and the paths that it must not change. */
class TiesTest {
    private static final int CASES = 40;
    private static final long CAMPAIGN_CASES = Long.getLong("cases", 10_000);
    private static final int FIRST_OF_CAMPAIGN = 100_000;

    static TestTorus torus(String sizes, int hosts) {
        int[] radix =
                Arrays.stream(sizes.split("x", -1)).mapToInt(Integer::parseInt).toArray();
        return new TestTorus(radix, "", 1, hosts, null);
    }

    static ChainResult chain(String conf, Subnet subnet, RoutingOptions options, Balance balance) {
        return new RoutingChain(
                        List.of(new Torus2QosEngine(TestTorus.parse(conf), 2, balance, Multipath.OFF)),
                        new DeadlockChecker(2),
                        ChainPolicy.WITH_LAST_RESORT)
                .route(subnet, options);
    }

    private static ChainResult chain(TestTorus torus) {
        return chain(
                torus.conf() + "next_seed\n" + torus.seed(middle(torus)),
                torus.fabric.subnet(0),
                TestRouting.QOS,
                Balance.TIES);
    }

    static int[] middle(TestTorus torus) {
        return Arrays.stream(torus.radix).map(radix -> radix / 2).toArray();
    }

    private static LinkLoads loads(TestTorus torus, Balance balance) {
        return new LinkLoads(
                TestTorus.plan(new Torus2QosEngine(TestTorus.parse(torus.conf()), 2, balance, Multipath.OFF)
                        .route(torus.fabric.subnet(0), TestRouting.QOS)));
    }

    @ParameterizedTest
    @CsvSource({
        "4x4x4, 1, 1.5, 1",
        "6x6x6, 1, 1.3333, 1.1111",
        "6x6x6, 2, 1.3333, 1",
        "6x6x6, 3, 1.3333, 1.0370",
        "8x8x8, 1, 1.25, 1",
        "5x5x5, 1, 1, 1",
        "6x5x1, 1, 1.3333, 1.0222",
        "4x6x8, 2, 1.5, 1",
        "10x10x1, 1, 1.2, 1.04",
        "12x12x1, 2, 1.1667, 1.0278"
    })
    void sharesOutPathsBetweenOppositeSwitches(String sizes, int hosts, double off, double ties) {
        TestTorus torus = torus(sizes, hosts);
        assertThat(loads(torus, Balance.OFF).worstDimension()).isCloseTo(off, within(1e-4));
        assertThat(loads(torus, Balance.TIES).worstDimension()).isCloseTo(ties, within(1e-4));
    }

    /** Prints the figures of the table in torus-2qos.md. */
    @ParameterizedTest
    @Tag("campaign")
    @ValueSource(strings = {"4x4x4", "6x6x6", "8x8x8", "10x10x10", "12x12x12", "16x16x16", "6x5x1", "4x6x8"})
    void measures(String sizes) {
        for (int hosts = 1; hosts <= 2; hosts++) {
            StringBuilder line = new StringBuilder(sizes + ", hosts on each switch: " + hosts);
            for (int lost = 0; lost <= 1; lost++) {
                TestTorus torus = torus(sizes, hosts);
                if (lost == 1) {
                    torus.fabric.remove(torus.guid(middle(torus)));
                }
                for (Balance balance : Balance.values()) {
                    LinkLoads loads = loads(torus, balance);
                    line.append(String.format(
                            Locale.ROOT,
                            "; %d lost, %s: %.4f, worst dimension %.4f",
                            lost,
                            balance,
                            loads.maxToMean(),
                            loads.worstDimension()));
                }
            }
            System.out.println(line);
        }
    }

    @ParameterizedTest
    @MethodSource("io.torussm.torus2qos.GoldenFabric#routed")
    void isProvedOnAnyFabricThatTheReferenceRoutes(String name) {
        GoldenFabric golden = new GoldenFabric(name);
        ChainResult routed = chain(golden.conf, TestFabric.subnet(golden.fabric, 0), TestRouting.QOS, Balance.TIES);
        assertThat(routed.verdict()).isInstanceOf(Certificate.class);
        assertThat(routed.refusals()).isEmpty();
        assertThat(routed.multicast()).isNotNull();
        if (name.endsWith("pristine")) {
            assertThat(TestTorus.plan(routed).multicastTree()).contains(routed.multicast());
        }
    }

    /** The rule does not look the same from everywhere, so the missing one is each in turn. */
    @ParameterizedTest
    @ValueSource(strings = {"4x4x2", "6x6x1", "8x8x1", "12x4x1"})
    void standsTheLossOfAnySwitchAndKeepsAllSls(String sizes) {
        TestTorus whole = torus(sizes, 1);
        Plan before = TestTorus.plan(chain(whole));
        for (int lost = 0; lost < whole.count(); lost++) {
            TestTorus torus = torus(sizes, 1);
            torus.fabric.remove(torus.guid(torus.at(lost)));
            ChainResult routed = chain(torus);
            assertThat(routed.refusals())
                    .as("without %s", Arrays.toString(torus.at(lost)))
                    .isEmpty();
            assertThat(routed.multicast()).isNotNull();
            assertThat(SlStability.compare(before, TestTorus.plan(routed)).findings())
                    .isEmpty();
        }
    }

    @Test
    @Tag("slow")
    void servesDamagedToriWithTheSlsOfTheWholeOnes() {
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
            drawn.torus().balance = Balance.TIES;
            violations(drawn, counts).forEach(error -> disagreements.add("seed " + seed + ": " + error));
        });
        System.out.println("damaged tori with ties split: " + counts);
        assertThat(disagreements).as(counts.toString()).isEmpty();
        assertThat(counts.keySet())
                .anyMatch(outcome -> outcome.startsWith("routed"))
                .anyMatch(outcome -> outcome.startsWith("refused"));
    }

    private static List<String> violations(FaultyCase drawn, Map<String, Integer> counts) {
        Subnet subnet = drawn.torus().fabric.subnet(drawn.lmc());
        ChainResult off = chain(drawn.conf(), subnet, drawn.options(), Balance.OFF);
        ChainResult ties = chain(drawn.conf(), subnet, drawn.options(), Balance.TIES);
        String what = (off.refusals().isEmpty() ? "routed" : "refused") + ", with ties split "
                + (ties.refusals().isEmpty() ? "routed" : "refused");
        counts.merge(what, 1, Integer::sum);
        Plan plan = ties.plan();
        if (plan == null) {
            return List.of("not routed");
        }
        NaiveTables tables = new NaiveTables(drawn.damaged(), plan);
        List<String> errors = new ArrayList<>(tables.errors.stream().limit(3).toList());
        if (!tables.unicastCycle().isEmpty()) {
            errors.add("credit loop: " + tables.unicastCycle());
        }
        MulticastTree chosen = ties.multicast();
        if (chosen == null) {
            counts.merge("no multicast", 1, Integer::sum);
        } else {
            NaiveMulticast tree =
                    NaiveMulticast.of(drawn.damaged(), chosen, plan.subnet().fabric());
            if (!tables.cycleWith(tree).isEmpty()) {
                errors.add("credit loop with multicast");
            }
        }
        return errors;
    }

    @Test
    void isASettingOfTheEngineThatIsOffByDefault() {
        TestTorus torus = torus("6x6x1", 1);
        Plan off = torus.plan(torus.conf());
        assertThat(differences(off, planWithSettings(torus, Map.of("balance", "off"))))
                .isZero();
        assertThat(differences(off, planWithSettings(torus, Map.of()))).isZero();
        assertThat(differences(off, planWithSettings(torus, Map.of("balance", "ties"))))
                .isPositive();
    }

    private static Plan planWithSettings(TestTorus torus, Map<String, String> values) {
        EngineFile file = EngineFile.read("torus-2QoS.conf", torus.conf());
        EngineConfig config = new EngineConfig(values, Map.of("torus_config", file), "", Sl2VlTables.DEFAULT, 1);
        return TestTorus.plan(
                new Torus2QosEngine().route(new EngineContext(torus.fabric.subnet(0), TestRouting.QOS, config, null)));
    }

    private static long differences(Plan one, Plan other) {
        long different = 0;
        for (int sw = 0; sw < one.subnet().fabric().switchCount(); sw++) {
            different += Arrays.equals(one.lft(sw), other.lft(sw)) ? 0 : 1;
        }
        return different;
    }
}
