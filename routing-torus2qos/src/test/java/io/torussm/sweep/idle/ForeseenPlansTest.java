package io.torussm.sweep.idle;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.deadlock.chain.ReadyPlan;
import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;
import io.torussm.subnet.Subnet;
import io.torussm.sweep.SweepHarness;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A plan that is computed in advance for a single failure is the one that a sweep would compute. */
class ForeseenPlansTest {
    @Test
    void everyPlanOfASmallTorusIsTheOneThatWouldBeComputed() {
        EveryFailure every = new EveryFailure(ReadyPlansTest.TORUS);
        every.compare();
        assertThat(every.failures).hasSize(144 + 47);
        assertThat(every.missing).isEmpty();
        assertThat(every.withoutOrder).isEmpty();
    }

    @Test
    void treesForMulticastThatAreNotTheEnginesAreKept() {
        EveryFailure every = new EveryFailure("torus:3x3x6,hosts=1");
        every.failures.removeIf(failure -> !failure.isOfSwitch());
        every.compare();
        assertThat(every.missing).isEmpty();
        assertThat(every.grownTrees).isEqualTo(18);
    }

    /** 1,536 cables, and all switches but the one that the SM hangs on. */
    @Test
    @Tag("campaign")
    void everyPlanOfALargerTorusIsTheOneThatWouldBeComputed() {
        long begunNs = System.nanoTime();
        EveryFailure every = new EveryFailure("torus:8x8x8,hosts=2");
        every.compare();
        System.out.printf(
                "%d failures, %d without a plan, %d without an order, %d bytes in all, at most %d, in %d s%n",
                every.failures.size(),
                every.missing.size(),
                every.withoutOrder.size(),
                every.bytes,
                every.maxBytes,
                TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begunNs));
        assertThat(every.failures).hasSize(1536 + 511);
        assertThat(every.missing).isEmpty();
    }

    /** Plans of other things in force are not asked. */
    @Test
    void plansAreForTheirOwnFabric() {
        EveryFailure every = new EveryFailure("torus:3x3x3,hosts=1");
        ReadyPlans plans = new ReadyPlans(every.basis, ReadyPlansTest.MAX_PLAN_BYTES, Set.of(), new LongAdder());
        SingleFailure failure = Objects.requireNonNull(plans.next());
        Subnet subnet = every.basis
                .subnet()
                .restrictedTo(Objects.requireNonNull(
                        failure.applyTo(every.basis.subnet().fabric())));
        ReadyPlan plan = Objects.requireNonNull(every.basis
                .chain()
                .precompute(
                        subnet,
                        every.basis.options(),
                        every.basis.plan(),
                        every.basis.proof(),
                        now -> new PlannedTables(every.basis.plan(), now),
                        () -> true));
        plans.add(failure, plan, 0);
        assertThat(plans.planFor(every.basis, subnet)).isSameAs(plan);
        ReadyPlans.Basis other = new ReadyPlans.Basis(
                every.basis.subnet(),
                every.basis.plan(),
                every.basis.chain().withoutDefault(false),
                every.basis.options(),
                every.basis.proof());
        assertThat(plans.planFor(other, subnet)).isNull();
        assertThat(plans.isFor(other, ReadyPlansTest.MAX_PLAN_BYTES)).isFalse();
    }

    /** Two lost cables, a changed speed of a link or a changed address are no single failure. */
    @Test
    void onlyASingleFailureIsOne() {
        SweepHarness sm = ReadyPlansTest.startedHarness(ReadyPlansTest.TORUS);
        Subnet whole = sm.publishedView().subnet();
        Fabric fabric = whole.fabric();
        int[] cables = SingleFailure.cables(fabric);
        assertThat(SingleFailure.between(whole, whole)).isEqualTo(SingleFailure.NONE);
        assertThat(SingleFailure.between(whole, whole.with(fabric.without(cables[1], cables[2]))))
                .isNull();
        PortInfo info = Objects.requireNonNull(fabric.portInfo(cables[5]));
        Fabric slower = fabric.with(cables[5], info.with(PortInfo.LINK_SPEED_ACTIVE, 1));
        assertThat(SingleFailure.between(whole, whole.with(slower))).isNull();
        assertThat(SingleFailure.between(whole, whole.with(slower.without(cables[5]))))
                .isEqualTo(new SingleFailure(fabric.nodePort(cables[5])));
        assertThat(SingleFailure.between(whole.with(fabric.without(cables[1])), whole))
                .isNull();
    }
}
