package io.torussm.daemon.planning;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.planning.PairReport.Row;
import io.torussm.daemon.planning.TorusSymmetry.FailureClass;
import io.torussm.daemon.planning.WhatIf.Outcome;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.deadlock.chain.RoutingChain;
import io.torussm.deadlock.chain.RoutingChain.ChainResult;
import io.torussm.fabric.Fabric;
import io.torussm.routing.Plan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Topology;
import io.torussm.subnet.LidAssigner;
import io.torussm.subnet.Subnet;
import io.torussm.testing.Seeds;
import io.torussm.testing.TestRouting;
import io.torussm.torus2qos.Torus2QosEngine;
import io.torussm.torus2qos.conf.Torus2QosConf;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * The report on pairs of failures: each pair is of one kind, and the report on a kind is true for its members, which
 * are simulated one by one.
 */
class PairReportTest {
    @Test
    void everyPairIsOfOneKind() {
        Routed torus = torus5x4();
        int parts = 20 + 40;
        Map<String, Integer> members = new HashMap<>();
        Set<String> all = new HashSet<>();
        for (FailureClass kind : torus.symmetry.pairs()) {
            List<Failure> pairs = torus.symmetry.pairs(kind);
            members.put(kind.name(), pairs.size());
            pairs.forEach(pair -> assertThat(all.add(pair.name())).isTrue());
            assertThat(kind.members()).isEqualTo(pairs.size());
            assertThat(pairs).containsAll(kind.samples());
        }
        assertThat(all).hasSize(parts * (parts - 1) / 2);
        assertThat(members)
                .containsEntry("switch and switch, apart by 1,0", 20)
                .containsEntry("link in x and switch, apart by 0.5,0", 40)
                .containsEntry("link in x and link in y, apart by 0.5,0.5", 80);
        assertThat(torus.symmetry.singles())
                .extracting(FailureClass::name)
                .containsExactly("link in x", "link in y", "switch");
    }

    /** Members that were not simulated for the report have the effects that it gives for their kind. */
    @Test
    void membersMatchTheReportOnTheirKind() {
        Routed torus = torus5x4();
        PairReport report = PairReport.of(torus.symmetry, torus.whatIf);
        Map<String, Row> rows = new HashMap<>();
        report.rows().forEach(row -> rows.put(row.kind(), row));
        Random random = Seeds.random(7);
        for (FailureClass kind : torus.symmetry.pairs()) {
            Row row = Objects.requireNonNull(rows.get(kind.name()));
            List<Failure> pairs = torus.symmetry.pairs(kind);
            Outcome outcome = torus.whatIf.of(pairs.get(random.nextInt(pairs.size())));
            if (row.refused() == 0 || row.refused() == row.pairs()) {
                assertThat(outcome.isRouted()).as(outcome.failure()).isEqualTo(row.refused() == 0);
            }
            if (outcome.isRouted()) {
                assertThat(outcome.lostPairs()).as(outcome.failure()).isEqualTo(row.lostPairs());
                assertThat(outcome.changedSls()).as(outcome.failure()).isEqualTo(row.changedSls());
            }
        }
    }

    private static WhatIf whatIf(Plan plan, ChainResult result, RoutingChain chain) {
        return new WhatIf(plan, result.verdict(), chain, TestRouting.QOS);
    }

    private record Routed(Plan plan, WhatIf whatIf, TorusSymmetry symmetry) {
        static Routed torus(String spec, String conf) {
            Topology topology = TorusSpec.parse(spec).topology();
            Fabric fabric = TopologyFabric.reachableFrom(
                    topology.nodes().stream()
                            .filter(Topology.Node::isSwitch)
                            .findFirst()
                            .orElseThrow(),
                    0);
            Subnet subnet = LidAssigner.assign(fabric, LidAssigner.KnownLids.NONE, 0, false, 0xfe80L << 48)
                    .subnet()
                    .orElseThrow();
            RoutingChain chain = new RoutingChain(
                    List.of(new Torus2QosEngine(Torus2QosConf.parse("torus-2QoS.conf", conf), 1)),
                    new DeadlockChecker(1));
            ChainResult result = chain.route(subnet, TestRouting.QOS);
            Plan plan = Objects.requireNonNull(result.plan(), result.findings()::toString);
            return new Routed(
                    plan,
                    PairReportTest.whatIf(plan, result, chain),
                    TorusSymmetry.of(plan).orElseThrow());
        }
    }

    private static Routed torus5x4() {
        return Routed.torus(
                "torus:5x4x1,hosts=1",
                "torus 5 4 1\nxp_link 0x200000 0x200040\nyp_link 0x200000 0x200010\nym_link 0x200000 0x200030\n");
    }
}
