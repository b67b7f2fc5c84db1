package io.torussm.torus2qos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.torussm.dataplane.DataPlane;
import io.torussm.dataplane.DataPlaneSettings;
import io.torussm.dataplane.Deadlock;
import io.torussm.dataplane.Destinations;
import io.torussm.dataplane.Hosts;
import io.torussm.dataplane.OfferedLoad;
import io.torussm.dataplane.PlanTables;
import io.torussm.dataplane.SlChoice;
import io.torussm.dataplane.TestTraffic;
import io.torussm.dataplane.Workload;
import io.torussm.deadlock.Cycle;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.deadlock.chain.ChainPolicy;
import io.torussm.deadlock.chain.RoutingChain;
import io.torussm.deadlock.chain.RoutingChain.ChainResult;
import io.torussm.deadlock.sl.SlVerdicts;
import io.torussm.routing.MulticastTree;
import io.torussm.routing.Plan;
import io.torussm.routing.minhop.MinHopEngine;
import io.torussm.subnet.Subnet;
import io.torussm.torus2qos.conf.Balance;
import io.torussm.torus2qos.discovery.Multipath;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Proved plans carry full load without a deadlock. The reference SM's tables deadlock where the checker finds
 * a credit loop.
 */
class TrafficTest {
    private static final int MLID = 0xc000;
    private static final long STEP_NS = 250_000;
    private static final int STEPS = 10;
    private static final double GROUP_LOAD = 0.05;

    /** In place of an SL: hosts have any, one for each pair. */
    private static final int ANY_SL = 16;

    /** One of so many cases is also sent over. */
    private static final int SENT = 24;

    /** Hosts send to both LIDs of every host, and to groups. */
    @ParameterizedTest
    @ValueSource(strings = {"6x5x1", "8x8x1", "4x4x4"})
    void lidsOfEitherOrderFlowTogether(String sizes) {
        TestTorus torus = TiesTest.torus(sizes, 2);
        ChainResult routed = MultipathTest.chain(torus, 1, Multipath.ORDERS);
        assertThat(run(TestTorus.plan(routed), routed.multicast(), -1, GROUP_LOAD))
                .isEmpty();
    }

    /** Host 0 sends to one host at another x and y, alternately on a path with x first and a path with y first. */
    @Test
    void hostsSendToTheLidsOfOthersByTurns() {
        TestTorus torus = TiesTest.torus("6x5x1", 1);
        Plan plan = TestTorus.plan(MultipathTest.chain(torus, 1, Multipath.ORDERS));
        Hosts hosts = new Hosts(plan.subnet());
        OfferedLoad offered = new OfferedLoad(
                hosts,
                (host, random) -> host == 0 ? torus.index(1, 1, 0) : Destinations.NO_DESTINATION,
                0.5,
                2_048,
                0,
                1);
        PlanTables tables = new PlanTables(plan, TestTorus.QOS, (portClass, low, high, vls) -> TestTraffic.FAIR);
        SlChoice sls = (from, dlid, level) -> plan.pathSl(hosts.lid(from), dlid, 0);
        DataPlane plane = new DataPlane(hosts, tables, sls, offered, DataPlaneSettings.DEFAULT);
        plane.run(STEP_NS);
        int sw = hosts.switchOf(0);
        double x = plane.utilization(plan.subnet().fabric().port(sw, torus.plusPort(0, 0, 0)));
        double y = plane.utilization(plan.subnet().fabric().port(sw, torus.plusPort(0, 1, 0)));
        assertThat(x).isCloseTo(y, within(0.02)).isGreaterThan(0.2);
    }

    /** Simulates traffic from all hosts to all hosts; a share of it goes to a group of all. */
    private static Optional<Deadlock> run(Plan plan, @Nullable MulticastTree tree, int sl, double groupShare) {
        Hosts hosts = new Hosts(plan.subnet());
        OfferedLoad offered = new OfferedLoad(hosts, Destinations.uniform(hosts.count()), 1, 2_048, 0, 1);
        SplittableRandom random = new SplittableRandom(1);
        return run(plan, tree, sl, (host, nowNs, message) -> {
            boolean isSent = offered.next(host, nowNs, message);
            message.to = random.nextDouble() < groupShare ? MLID : message.to;
            return isSent;
        });
    }

    private static Optional<Deadlock> run(Plan plan, @Nullable MulticastTree tree, int sl, Workload workload) {
        Hosts hosts = new Hosts(plan.subnet());
        PlanTables tables = new PlanTables(plan, TestTorus.QOS, (portClass, low, high, vls) -> TestTraffic.FAIR);
        if (tree != null) {
            int[] members = IntStream.range(0, hosts.count()).map(hosts::port).toArray();
            tables.addGroup(MLID, tree.route(MLID, members));
        }
        SlChoice sls = (from, dlid, level) -> dlid == MLID
                ? 0
                : sl == ANY_SL ? 7 * from + 3 * dlid & 15 : sl >= 0 ? sl : plan.pathSl(hosts.lid(from), dlid, 0);
        DataPlane plane = new DataPlane(hosts, tables, sls, workload, DataPlaneSettings.DEFAULT);
        Optional<Deadlock> deadlock = Optional.empty();
        for (int step = 1; step <= STEPS && deadlock.isEmpty(); step++) {
            plane.run(step * STEP_NS);
            deadlock = plane.deadlock();
        }
        assertThat(plane.tally().drops()).isZero();
        return deadlock;
    }

    /** The engine's tree is the reference's, bit for bit (GoldenMulticastTest); the checker takes another one. */
    @ParameterizedTest
    @ValueSource(strings = {"65_sw_root", "255_sw"})
    void multicastOfTheReferenceHangsAndOursDoesNot(String name) {
        GoldenFabric golden = new GoldenFabric(name);
        ChainResult result = TestTorus.chain(golden.conf, golden.subnet());
        Plan plan = TestTorus.plan(result);
        MulticastTree tree = plan.multicastTree().orElseThrow();
        CreditLoopTraffic creditLoop = new CreditLoopTraffic(plan, tree);
        Deadlock deadlock = run(plan, tree, -1, creditLoop.of(GROUP_LOAD)).orElseThrow();
        assertThat(deadlock.circle()).extracting(Deadlock.Wait::dlid).contains(MLID);
        assertThat(run(plan, result.multicast(), -1, creditLoop.of(GROUP_LOAD))).isEmpty();
    }

    @ParameterizedTest
    @Tag("campaign")
    @ValueSource(strings = {"666_sw1", "666_sw1_links8", "666_sw2z", "888_sw1"})
    void noneOfTheOthersThatTheCheckerTurnsDownFlows(String name) {
        multicastOfTheReferenceHangsAndOursDoesNot(name);
    }

    /** Radix 5 and more, as jobs have it that ask for no path records. */
    @ParameterizedTest
    @CsvSource({"65_pristine, true", "345_pristine, true", "333_pristine, false", "444_pristine, false"})
    void hostsThatAllUseOneSlHang(String name, boolean hangs) {
        GoldenFabric golden = new GoldenFabric(name);
        Plan plan = TestTorus.plan(TestTorus.chain(golden.conf, golden.subnet()));
        assertThat(run(plan, null, 0, 0).isPresent()).isEqualTo(hangs);
    }

    @ParameterizedTest
    @ValueSource(strings = {"65_sw_root", "345_pristine"})
    void provedPlansNeverDeadlock(String name) {
        GoldenFabric golden = new GoldenFabric(name);
        ChainResult result = TestTorus.chain(golden.conf, golden.subnet());
        assertThat(run(TestTorus.plan(result), Objects.requireNonNull(result.multicast()), -1, 0.02))
                .isEmpty();
    }

    /**
     * A second opinion on random faulty tori: a plan with a certificate never deadlocks, the last resort
     * included.
     */
    @ParameterizedTest
    @CsvSource({"1, 3"})
    void noPlanWithACertificateHangs(long first, int cases) {
        int loops = 0;
        int hangs = 0;
        int flowing = 0;
        int withMulticast = 0;
        long seed = first;
        for (int drawn = 0; drawn < cases; seed++) {
            FaultyCase each = FaultyCase.draw(seed);
            Subnet subnet = each.torus().fabric.subnet(each.lmc());
            if (each.torus().hosts == 0 || each.dataVls() < 8) {
                continue;
            }
            drawn++;
            ChainResult result = TestTorus.routeWithLastResort(each.conf(), subnet);
            if (result.plan() != null) {
                assertThat(run(result.plan(), result.multicast(), -1, result.multicast() == null ? 0 : 0.01))
                        .as("seed " + seed)
                        .isEmpty();
                flowing++;
                withMulticast += result.multicast() != null ? 1 : 0;
            }
            ChainResult shortest = new RoutingChain(
                            List.of(new MinHopEngine()), new DeadlockChecker(2), ChainPolicy.LOOPS_ACCEPTED)
                    .route(subnet, TestTorus.QOS);
            if (shortest.verdict() instanceof Cycle && shortest.plan() != null) {
                loops++;
                hangs += run(shortest.plan(), null, -1, 0).isPresent() ? 1 : 0;
            }
        }
        System.out.println("data plane: " + flowing + " plans with a certificate flow; of " + loops
                + " minhop plans with a credit loop " + hangs + " hang under uniform load");
        assertThat(flowing).isPositive();
        assertThat(withMulticast).isPositive();
        assertThat(hangs).isPositive();
    }

    @ParameterizedTest
    @Tag("campaign")
    @CsvSource({"1000, 500"})
    void noPlanOfACampaignWithACertificateHangs(long first, int cases) {
        noPlanWithACertificateHangs(first, cases);
    }

    /**
     * The verdicts of random faulty tori: all SLs are safe with one_sl, and where torus-2QoS says that hosts
     * may all have SL 0, or any, nothing hangs if they do.
     */
    @ParameterizedTest
    @CsvSource({"1, 48"})
    void verdictsAgreeWithTraffic(long first, int cases) {
        Map<String, Integer> counts = new TreeMap<>();
        for (long seed = first; seed < first + cases; seed++) {
            FaultyCase each = FaultyCase.draw(seed);
            Subnet subnet = each.torus().fabric.subnet(each.lmc());
            for (Balance balance : List.of(Balance.OFF, Balance.ONE_SL)) {
                ChainResult result = TiesTest.chain(each.conf(), subnet, TestTorus.QOS, balance);
                Plan plan = result.plan();
                if (plan != null && each.torus().hosts > 0 && each.dataVls() == 8) {
                    SlVerdicts verdicts =
                            SlVerdicts.of(plan, result.multicast(), TestTorus.QOS, new DeadlockChecker(2));
                    String name = balance + (plan.degradation().isPresent() ? ", last resort" : "");
                    assertThat(verdicts.pathRecords()).as("seed " + seed).isTrue();
                    boolean isWhole =
                            balance == Balance.ONE_SL && plan.degradation().isEmpty();
                    assertThat(verdicts.anySl() || !isWhole).as("seed " + seed).isTrue();
                    boolean isOne = verdicts.safeSls().contains(0);
                    String words = verdicts.anySl() ? "any SL" : isOne ? "one SL" : "path records only";
                    counts.merge(name + ": " + words, 1, Integer::sum);
                    if (seed % SENT == 0) {
                        boolean hangs = run(plan, result.multicast(), verdicts.anySl() ? ANY_SL : 0, GROUP_LOAD / 5)
                                .isPresent();
                        assertThat(hangs && isOne).as("seed " + seed).isFalse();
                        counts.merge(name + ": " + words + (hangs ? ", hangs" : ", flows"), 1, Integer::sum);
                    }
                }
            }
        }
        System.out.println("verdicts: " + counts);
        assertThat(counts).hasSizeGreaterThan(3);
    }

    @ParameterizedTest
    @Tag("campaign")
    @CsvSource({"1000, 12000"})
    void inManyMoreCasesToo(long first, int cases) {
        verdictsAgreeWithTraffic(first, cases);
    }
}
