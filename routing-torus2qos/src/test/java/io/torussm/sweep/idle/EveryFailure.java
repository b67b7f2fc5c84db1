package io.torussm.sweep.idle;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.deadlock.chain.ReadyPlan;
import io.torussm.deadlock.chain.RoutingChain;
import io.torussm.deadlock.chain.RoutingChain.ChainResult;
import io.torussm.deadlock.transition.Transition;
import io.torussm.fabric.Fabric;
import io.torussm.routing.EarlierFacts;
import io.torussm.routing.Plan;
import io.torussm.subnet.Subnet;
import io.torussm.sweep.SweepHarness;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** The ready plan for every failure of a torus, compared with the computed one. */
final class EveryFailure {
    final SweepHarness sm;
    final ReadyPlans.Basis basis;
    final List<SingleFailure> failures;
    final List<SingleFailure> missing = new ArrayList<>();
    final List<SingleFailure> withoutOrder = new ArrayList<>();
    long bytes;
    int maxBytes;

    /** Plans with a tree for multicast that is not the engine's. */
    int grownTrees;

    EveryFailure(String torus) {
        sm = ReadyPlansTest.startedHarness(torus);
        RoutingChain chain = new RoutingChain(List.of(sm.engine), new DeadlockChecker(1));
        Subnet subnet = sm.publishedView().subnet();
        ChainResult result = chain.route(subnet, sm.settings.routingOptions());
        Certificate proof = (Certificate) Objects.requireNonNull(result.verdict());
        Plan plan = Objects.requireNonNull(result.plan());
        basis = new ReadyPlans.Basis(subnet, plan, chain, sm.settings.routingOptions(), proof);
        failures = SingleFailure.of(subnet.fabric());
    }

    void compare() {
        for (SingleFailure failure : failures) {
            Fabric fabric =
                    Objects.requireNonNull(failure.applyTo(basis.subnet().fabric()));
            Subnet subnet = basis.subnet().restrictedTo(fabric);
            assertThat(SingleFailure.between(basis.subnet(), subnet)).isEqualTo(failure);
            ReadyPlan ready = basis.chain()
                    .precompute(
                            subnet,
                            basis.options(),
                            basis.plan(),
                            basis.proof(),
                            plan -> new PlannedTables(basis.plan(), plan),
                            () -> true);
            if (ready == null) {
                missing.add(failure);
            } else {
                compare(ready, subnet);
                bytes += ready.bytes();
                maxBytes = Math.max(maxBytes, ready.bytes());
                if (!ready.hasOrder()) {
                    withoutOrder.add(failure);
                }
            }
        }
    }

    private void compare(ReadyPlan ready, Subnet subnet) {
        ChainResult fresh =
                basis.chain().route(subnet, basis.options(), basis.plan(), EarlierFacts.NONE, basis.proof());
        ChainResult taken = Objects.requireNonNull(
                basis.chain().route(subnet, basis.options(), basis.plan(), EarlierFacts.NONE, basis.proof(), ready));
        Plan computed = Objects.requireNonNull(fresh.plan());
        Plan plan = Objects.requireNonNull(taken.plan());
        assertThat(taken.findings()).isEqualTo(fresh.findings());
        assertThat(taken.multicast()).isEqualTo(fresh.multicast());
        grownTrees += computed.multicastTree().equals(Optional.ofNullable(fresh.multicast())) ? 0 : 1;
        assertThat(Objects.requireNonNull(taken.verdict()).text())
                .isEqualTo(Objects.requireNonNull(fresh.verdict()).text());
        byte[][] tables = ready.tables(basis.plan(), subnet.fabric());
        for (int sw = 0; sw < tables.length; sw++) {
            assertThat(tables[sw]).isEqualTo(computed.lft(sw));
            assertThat(plan.lft(sw)).isEqualTo(computed.lft(sw));
        }
        assertSameSls(plan, computed);
        assertSameNumbers((Certificate) taken.verdict(), (Certificate) Objects.requireNonNull(fresh.verdict()), plan);
        if (ready.hasOrder()) {
            assertSameOrder(ready, plan, fresh);
        }
    }

    private static void assertSameNumbers(Certificate taken, Certificate fresh, Plan plan) {
        Fabric fabric = plan.subnet().fabric();
        for (int port = 0; port < fabric.port(fabric.switchCount(), 0); port++) {
            for (int vl = 0; vl < 16; vl++) {
                if (taken.number(port, vl) != fresh.number(port, vl)) {
                    throw new AssertionError("another number at " + fabric.portName(port));
                }
            }
        }
    }

    private static void assertSameSls(Plan plan, Plan computed) {
        Subnet subnet = plan.subnet();
        int switches = subnet.fabric().switchCount();
        for (int lid = 1; lid <= subnet.topLid(); lid++) {
            for (int sw = 0; subnet.switchOfLid(lid) != Fabric.NONE && sw < switches; sw++) {
                if (plan.slMask(sw, lid) != computed.slMask(sw, lid)) {
                    throw new AssertionError("switch " + sw + " sends to LID " + lid + " with other SLs");
                }
            }
        }
    }

    private void assertSameOrder(ReadyPlan ready, Plan plan, ChainResult fresh) {
        Plan computed = Objects.requireNonNull(fresh.plan());
        Transition kept =
                Objects.requireNonNull(ready.transition(new PlannedTables(basis.plan(), plan), basis.plan(), plan));
        Transition found = basis.chain()
                .transition(new PlannedTables(basis.plan(), computed), basis.plan(), fresh, basis.options());
        assertThat(kept.isFree()).isEqualTo(found.isFree());
        assertThat(kept.isVanishedLast()).isEqualTo(found.isVanishedLast());
        for (int sw = 0; sw < plan.subnet().fabric().switchCount(); sw++) {
            assertThat(kept.earlyLids(sw)).isEqualTo(found.earlyLids(sw));
            assertThat(kept.lateLids(sw)).isEqualTo(found.lateLids(sw));
            assertThat(kept.droppedLids(sw)).isEqualTo(found.droppedLids(sw));
        }
    }
}
