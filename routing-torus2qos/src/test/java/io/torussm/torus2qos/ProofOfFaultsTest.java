package io.torussm.torus2qos;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.deadlock.DeadlockChecker.Proof;
import io.torussm.deadlock.growth.TreeGrowth;
import io.torussm.deadlock.incremental.IncrementalProof;
import io.torussm.event.Finding;
import io.torussm.routing.Engine;
import io.torussm.routing.EngineConfig;
import io.torussm.routing.EngineContext;
import io.torussm.routing.Plan;
import io.torussm.routing.Refusal;
import io.torussm.routing.RoutingResult;
import io.torussm.routing.Sl2VlTables;
import io.torussm.routing.dfsssp.DfssspEngine;
import io.torussm.routing.dor.DorEngine;
import io.torussm.routing.minhop.MinHopEngine;
import io.torussm.routing.sssp.SsspEngine;
import io.torussm.routing.updn.UpDownEngine;
import io.torussm.subnet.Subnet;
import io.torussm.testing.Seeds;
import io.torussm.torus2qos.conf.Balance;
import io.torussm.torus2qos.discovery.Multipath;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tori lose switches and cables and get them back. The incremental proof gives the same result as a proof
 * from nothing, for tables of any engine.
 */
class ProofOfFaultsTest {
    private static final int EVENTS = 8;

    private final Map<String, Integer> counts = new TreeMap<>();

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.torussm.testing.Seeds#few")
    void isThatFromNothing(long seed) {
        Random random = Seeds.random(seed);
        int[] radix = {3 + random.nextInt(3), 3 + random.nextInt(3), random.nextInt(2) == 0 ? 3 : 1};
        TestTorus torus =
                new TestTorus(radix, seed % 5 == 0 ? "x" : "", 1 + random.nextInt(2), random.nextInt(3), null);
        List<Balance> balances = List.of(Balance.OFF, Balance.OFF, Balance.TIES, Balance.ONE_SL);
        torus.balance = balances.get(random.nextInt(balances.size()));
        if (torus.balance == Balance.OFF) {
            List<Multipath> multipaths = List.of(Multipath.OFF, Multipath.SIDES, Multipath.ORDERS);
            torus.multipath = multipaths.get(random.nextInt(multipaths.size()));
        }
        Torus2QosEngine engine =
                new Torus2QosEngine(TestTorus.parse(torus.confOfSeeds()), 2, torus.balance, torus.multipath);
        verifyRandomEvents(torus, engine, EngineConfig.NONE, random);
    }

    /** Whatever cable is lost alone, and when it is back: nothing is walked as a whole. */
    @Test
    void takesNoWholeWalkForOneFault() {
        TestTorus torus = new TestTorus(6, 6, 6);
        Engine engine = new Torus2QosEngine(TestTorus.parse(torus.confOfSeeds()), 2);
        Map<Long, Integer> lids = new HashMap<>();
        for (int d = 0; d < 3; d++) {
            Certificate before = null;
            for (List<Fault> faults : List.of(List.<Fault>of(), List.of(Fault.ofCable(27, d)), List.<Fault>of())) {
                Subnet subnet = TestFabric.subnet(Fault.damaged(torus, faults), lids);
                before = prove((Plan) engine.route(subnet, TestTorus.QOS), before, faults.toString());
                assertThat(before).isNotNull();
            }
        }
        assertThat(counts).isEqualTo(Map.of("incremental", 6));
    }

    static Stream<Engine> engines() {
        return Stream.of(new MinHopEngine(), new DorEngine(), new UpDownEngine(), new SsspEngine(), new DfssspEngine());
    }

    @ParameterizedTest
    @MethodSource("engines")
    void isThatFromNothingWithOtherEngines(Engine engine) {
        for (int seed = 1; seed <= 4; seed++) {
            Random random = Seeds.random(seed);
            TestTorus torus = new TestTorus(new int[] {4, 3 + random.nextInt(2), 1}, "", 1, random.nextInt(3), null);
            verifyRandomEvents(torus, engine, new EngineConfig(Map.of(), Map.of(), "", Sl2VlTables.DEFAULT, 2), random);
        }
        assertThat(counts.keySet()).containsAnyOf("incremental", "whole", "no certificate");
    }

    @ParameterizedTest(name = "seed {0}")
    @Tag("campaign")
    @MethodSource("io.torussm.testing.Seeds#few")
    void isThatFromNothingInManyMoreCases(long seed) {
        for (int i = 0; i < 50; i++) {
            isThatFromNothing(1000 * seed + i);
        }
    }

    private void verifyRandomEvents(TestTorus torus, Engine engine, EngineConfig config, Random random) {
        Map<Long, Integer> lids = new HashMap<>();
        TestFabric.subnet(torus.fabric.fabric(), lids);
        TreeSet<Fault> faults = new TreeSet<>();
        @Nullable Certificate before = null;
        @Nullable Plan similar = null;
        List<TreeSet<Fault>> history = new ArrayList<>();
        for (int event = 0; event < EVENTS; event++) {
            Subnet subnet = TestFabric.subnet(Fault.damaged(torus, faults), lids);
            RoutingResult result =
                    engine.route(new EngineContext(subnet, TestTorus.QOS, config, null, Map.of(), similar));
            assertEqualsFullProof(
                    result,
                    engine.route(new EngineContext(subnet, TestTorus.QOS, config, null, Map.of())),
                    torus + " " + history + " then " + faults);
            if (result instanceof Plan plan) {
                similar = plan;
                Certificate after = prove(plan, before, torus + " " + history + " then " + faults);
                before = after == null ? before : after;
            }
            history.add(new TreeSet<>(faults));
            if (faults.isEmpty() || random.nextInt(3) > 0) {
                faults.add(Fault.draw(torus, 4, random));
            } else {
                faults.remove(faults.first());
            }
        }
    }

    private static void assertEqualsFullProof(RoutingResult result, RoutingResult fromNothing, String label) {
        assertThat(result).as(label).hasSameClassAs(fromNothing);
        assertThat(findings(result)).as(label).isEqualTo(findings(fromNothing));
        if (result instanceof Plan plan && fromNothing instanceof Plan other) {
            for (int sw = 0; sw < plan.subnet().fabric().switchCount(); sw++) {
                assertThat(plan.lft(sw)).as(label + ", switch " + sw).isEqualTo(other.lft(sw));
            }
        }
    }

    private static List<Finding> findings(RoutingResult result) {
        return result instanceof Plan plan ? plan.findings() : ((Refusal) result).findings();
    }

    /** After the loss of a cable only switches of its line have new tables. */
    @Test
    void tablesThatStayAreTakenOver() {
        TestTorus torus = new TestTorus(6, 6, 6);
        Engine engine = new Torus2QosEngine(TestTorus.parse(torus.confOfSeeds()), 2);
        Map<Long, Integer> lids = new HashMap<>();
        Plan whole = (Plan) engine.route(TestFabric.subnet(torus.fabric.fabric(), lids), TestTorus.QOS);
        for (int d = 0; d < 3; d++) {
            Subnet subnet = TestFabric.subnet(Fault.damaged(torus, List.of(Fault.ofCable(27, d))), lids);
            Plan after = (Plan)
                    engine.route(new EngineContext(subnet, TestTorus.QOS, EngineConfig.NONE, null, Map.of(), whole));
            assertThat(IntStream.range(0, 216).filter(sw -> after.lft(sw) != whole.lft(sw)))
                    .hasSizeBetween(1, 6);
        }
    }

    private @Nullable Certificate prove(Plan plan, @Nullable Certificate before, String label) {
        Proof proof =
                IncrementalProof.prove(new DeadlockChecker(2), plan, TestTorus.QOS, before, TreeGrowth::candidates);
        Proof whole = new DeadlockChecker(1).prove(plan, TestTorus.QOS, TreeGrowth::candidates);
        assertThat(proof.verdict().text()).as(label).isEqualTo(whole.verdict().text());
        assertThat(proof.isPlanned()).as(label).isEqualTo(whole.isPlanned());
        assertThat(proof.multicast() == null).as(label).isEqualTo(whole.multicast() == null);
        if (!(proof.verdict() instanceof Certificate certificate)) {
            counts.merge("no certificate", 1, Integer::sum);
            return null;
        }
        assertThat(certificate.isSameProof((Certificate) whole.verdict()))
                .as(label)
                .isTrue();
        assertThat(certificate.verify(plan, TestTorus.QOS)).as(label).isTrue();
        if (before != null) {
            counts.merge(certificate.isIncremental() ? "incremental" : "whole", 1, Integer::sum);
        }
        return certificate;
    }
}
