package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.EventField;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.routing.Degradation;
import io.torussm.routing.Engine;
import io.torussm.routing.EngineContext;
import io.torussm.routing.PathSls;
import io.torussm.routing.Plan;
import io.torussm.routing.Refusal;
import io.torussm.routing.RoutingResult;
import io.torussm.routing.minhop.MinHopEngine;
import io.torussm.routing.updn.UpDownEngine;
import io.torussm.subnet.Subnet;
import io.torussm.sweep.idle.FailurePrecheck;
import io.torussm.testing.BoundedWait;
import io.torussm.testing.LoggedEvents;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Losses of cables that are only tried. */
class FailurePrecheckTest {
    @RegisterExtension
    final LoggedEvents log = new LoggedEvents();

    private static final long LONG_NS = TimeUnit.SECONDS.toNanos(30);

    /** Records the number of cables of the fabrics that it gets, and refuses those that lack one. */
    private static final class CountingEngine implements Engine {
        final List<Integer> cables = new ArrayList<>();
        boolean refuses;
        boolean degrades;

        /** The exception of the next trial. */
        @Nullable
        Throwable thrown;

        @Override
        public String name() {
            return "counting";
        }

        @Override
        public RoutingResult route(EngineContext context) {
            Subnet subnet = context.subnet();
            int ends = 0;
            for (int port = 0; port < subnet.fabric().portCount(); port++) {
                ends += subnet.fabric().peer(port) >= 0 ? 1 : 0;
            }
            cables.add(ends / 2);
            boolean isWhole = ends / 2 == Objects.requireNonNull(cables.get(0));
            Throwable now = thrown;
            if (!isWhole && now != null) {
                thrown = null;
                if (now instanceof Error error) {
                    throw error;
                }
                throw (RuntimeException) now;
            }
            if (refuses && !isWhole) {
                return new Refusal(name(), List.of(Finding.error("no way")));
            }
            RoutingResult routed = new MinHopEngine().route(context);
            return degrades && !isWhole && routed instanceof Plan plan ? degraded(plan) : routed;
        }
    }

    private static Plan degraded(Plan plan) {
        byte[][] lfts = new byte[plan.subnet().fabric().switchCount()][];
        for (int sw = 0; sw < lfts.length; sw++) {
            lfts[sw] = plan.lft(sw);
        }
        return plan.withTables(lfts)
                .degradation(new Degradation("the ring is cut", false, 200, 3, 7, 5, 30, -1))
                .build();
    }

    private static SweepHarness startAndSweep(CountingEngine engine) {
        SweepHarness sm = new SweepHarness("torus:4x3x1,hosts=1");
        sm.engine = engine;
        assertThat(sm.sweep()).isEqualTo("up");
        assertThat(engine.cables).hasSize(1);
        return sm;
    }

    private static void pass(SweepHarness sm) {
        long until = sm.loop.nowNs() + LONG_NS;
        sm.loop.schedule(LONG_NS, () -> {});
        BoundedWait.until(sm.loop, "time passes", () -> sm.loop.nowNs() >= until, LONG_NS);
    }

    static List<Throwable> faults() {
        return List.of(
                new IllegalStateException("provoked"),
                new AssertionError("provoked"),
                new OutOfMemoryError("provoked"),
                new StackOverflowError("provoked"));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void aDefectInOneLossDoesNotEndTheOthers(Throwable fault) {
        Thread.UncaughtExceptionHandler before = Thread.currentThread().getUncaughtExceptionHandler();
        List<Throwable> escalated = new ArrayList<>();
        Thread.currentThread().setUncaughtExceptionHandler((thread, thrown) -> escalated.add(thrown));
        try {
            CountingEngine engine = new CountingEngine();
            SweepHarness sm = startAndSweep(engine);
            engine.thrown = fault;
            sm.sweeper.idle().precheckFailures(3, Runnable::run);
            pass(sm);
            assertThat(engine.cables).as("goes on, to the switch in the end").hasSize(5);
            assertThat(log.of(SmEvent.PRECHECK_DEFECT)).hasSize(1);
            assertThat(escalated).hasSize(fault instanceof VirtualMachineError ? 1 : 0);
        } finally {
            Thread.currentThread().setUncaughtExceptionHandler(before);
        }
    }

    @Test
    void theConfiguredNumberOfCablesIsRemovedOnceForTheSameRoutes() {
        CountingEngine engine = new CountingEngine();
        SweepHarness sm = startAndSweep(engine);
        int whole = engine.cables.get(0);
        Executor here = Runnable::run;
        sm.sweeper.idle().precheckFailures(3, here);
        assertThat(engine.cables).as("not at once").hasSize(1);
        pass(sm);
        assertThat(engine.cables)
                .as("and in the end a switch, with four cables and a host")
                .containsExactly(whole, whole - 1, whole - 1, whole - 1, whole - 5);
        sm.sweeper.idle().precheckFailures(3, here);
        pass(sm);
        assertThat(engine.cables).hasSize(5);
        assertThat(sm.sweeper.counts().routings()).isEqualTo(1);
    }

    /** The pool is shut down with the SM, and refuses later tasks. */
    @Test
    void noFailureIsPlayedAfterTheSweeperHasStopped() {
        CountingEngine engine = new CountingEngine();
        SweepHarness sm = startAndSweep(engine);
        sm.sweeper.idle().precheckFailures(3, Runnable::run);
        sm.sweeper.stop();
        pass(sm);
        assertThat(engine.cables).hasSize(1);
    }

    /** Claims that its SLs are unchanged, which is sometimes false. */
    private static final class LyingEngine implements Engine {
        int sl;

        @Override
        public String name() {
            return "lying";
        }

        @Override
        public RoutingResult route(EngineContext context) {
            Plan plan = (Plan) new UpDownEngine().route(context);
            Subnet subnet = context.subnet();
            byte[][] lfts = new byte[subnet.fabric().switchCount()][];
            for (int sw = 0; sw < lfts.length; sw++) {
                lfts[sw] = plan.lft(sw);
            }
            return Plan.builder(name(), subnet, lfts).sls(sls(sl)).build();
        }

        private static PathSls sls(int sl) {
            return new PathSls() {
                @Override
                public int sl(int srcLid, int dstLid, int wanted) {
                    return sl;
                }

                @Override
                public int mask(int srcSw, int dstLid) {
                    return 1 << sl;
                }

                @Override
                public boolean isSameAs(PathSls other) {
                    return true;
                }
            };
        }
    }

    @Test
    void aProofFromTheOneBeforeIsMadeOnceMoreAsAWhole() {
        SweepHarness sm = new SweepHarness("torus:4x3x1,hosts=1");
        LyingEngine engine = new LyingEngine();
        sm.engine = engine;
        assertThat(sm.sweep()).isEqualTo("up");
        removeCable(sm, 1);
        sm.sweeper.idle().precheckFailures(0, Runnable::run);
        pass(sm);
        assertThat(log.of(SmEvent.PROOF_DOUBTED)).as("it was honest so far").isEmpty();

        engine.sl = 3;
        removeCable(sm, 2);
        sm.sweeper.idle().precheckFailures(0, Runnable::run);
        pass(sm);
        assertThat(log.only(SmEvent.PROOF_DOUBTED).get(EventField.TEXT)).contains("dependencies");
        sm.await(4);
        sm.sweeper.idle().precheckFailures(0, Runnable::run);
        pass(sm);
        assertThat(log.of(SmEvent.PROOF_DOUBTED))
                .as("a whole one is not doubted")
                .hasSize(1);
    }

    private static void removeCable(SweepHarness sm, int portNum) {
        sm.fabric.unlink(0x200000, portNum);
        assertThat(sm.sweep()).isEqualTo("up");
    }

    @Test
    void aPrecheckWritesNoTable() {
        SweepHarness sm = startAndSweep(new CountingEngine());
        sm.requests.clear();
        sm.sweeper.idle().precheckFailures(5, Runnable::run);
        pass(sm);
        assertThat(sm.requests).isEmpty();
    }

    @Test
    void noFailureIsPlayedIfNoneIsConfigured() {
        CountingEngine engine = new CountingEngine();
        SweepHarness sm = startAndSweep(engine);
        sm.sweeper.idle().precheckFailures(0, Runnable::run);
        pass(sm);
        assertThat(engine.cables).hasSize(1);
    }

    @Test
    void oneAtATime() {
        SweepHarness sm = startAndSweep(new CountingEngine());
        List<Runnable> handed = new ArrayList<>();
        sm.sweeper.idle().precheckFailures(5, handed::add);
        pass(sm);
        assertThat(handed).hasSize(1);
    }

    @Test
    void aSweepComesFirst() {
        CountingEngine engine = new CountingEngine();
        SweepHarness sm = startAndSweep(engine);
        long due = sm.loop.nowNs() + FailurePrecheck.QUIET_NS;
        sm.loop.schedule(FailurePrecheck.QUIET_NS - 1, () -> {
            sm.isRequestLost = mad -> true;
            sm.sweeper.sweepHeavy();
        });
        sm.sweeper.idle().precheckFailures(1, Runnable::run);
        sm.loop.schedule(FailurePrecheck.QUIET_NS, () -> {});
        BoundedWait.until(sm.loop, "time passes", () -> sm.loop.nowNs() >= due, LONG_NS);
        assertThat(sm.sweeper.isResting()).isFalse();
        assertThat(engine.cables).hasSize(1);
        sm.isRequestLost = mad -> false;
        sm.await(2);
        pass(sm);
        assertThat(engine.cables).as("the sweep's own, and the two that waited").hasSize(4);
    }

    /** The engine has no coordinates: each cable is a line. */
    @Test
    void aCableWithoutWhichThereAreNoRoutesIsNamedOnceAnHour() {
        CountingEngine engine = new CountingEngine();
        SweepHarness sm = startAndSweep(engine);
        engine.refuses = true;
        sm.sweeper.idle().precheckFailures(1, Runnable::run);
        pass(sm);
        LoggedEvents.LoggedEvent named = log.only(SmEvent.SINGLE_FAILURE);
        assertThat(named.fields()).containsKeys(EventField.GUID, EventField.PORT);
        assertThat(named.get(EventField.TEXT)).contains("no routes");
    }

    /** This applies to a fabric without routes, and to a file that an engine cannot read now. */
    @Test
    void noCableIsBlamedWhileThereAreNoRoutesAnyway() {
        CountingEngine engine = new CountingEngine();
        SweepHarness sm = startAndSweep(engine);
        sm.sweeper.idle().precheckFailures(2, Runnable::run);
        CountingEngine broken = new CountingEngine();
        broken.cables.add(-1);
        broken.refuses = true;
        sm.engine = broken;
        assertThat(sm.sweep()).startsWith("refused");
        pass(sm);
        assertThat(log.of(SmEvent.SINGLE_FAILURE)).isEmpty();
        assertThat(engine.cables).hasSize(1);
        assertThat(broken.cables).as("and the sweep's own").hasSize(2);
    }

    /** The reader of the event would seek a cable that has gone, or routes that are not active. */
    @Test
    void theResultOfATrialOnEarlierRoutesIsIgnored() {
        CountingEngine engine = new CountingEngine();
        SweepHarness sm = startAndSweep(engine);
        List<Runnable> handed = new ArrayList<>();
        sm.sweeper.idle().precheckFailures(1, handed::add);
        pass(sm);
        removeCable(sm, 1);
        engine.refuses = true;
        handed.get(0).run();
        pass(sm);
        assertThat(engine.cables).as("two sweeps and the trial").hasSize(3);
        assertThat(log.of(SmEvent.SINGLE_FAILURE)).isEmpty();
    }

    /** The report of a cost does not silence that of a worse effect of the same cable. */
    @Test
    void aCableWhoseLossBecomesWorseIsReportedAgain() {
        CountingEngine engine = new CountingEngine();
        SweepHarness sm = startAndSweep(engine);
        int cables = 24;
        engine.degrades = true;
        sm.sweeper.idle().precheckFailures(cables, Runnable::run);
        pass(sm);
        log.only(SmEvent.SINGLE_FAILURE_COST);

        engine.cables.clear();
        removeCable(sm, 1);
        engine.refuses = true;
        sm.sweeper.idle().precheckFailures(cables - 1, Runnable::run);
        pass(sm);
        assertThat(log.of(SmEvent.SINGLE_FAILURE)).hasSize(cables - 1);
    }

    /** One cost is reported for each plan, so other cables have had no event yet. */
    @Test
    void aCostThatWasNotReportedIsReportedForTheNextRoutes() {
        CountingEngine engine = new CountingEngine();
        SweepHarness sm = startAndSweep(engine);
        engine.degrades = true;
        sm.sweeper.idle().precheckFailures(24, Runnable::run);
        pass(sm);
        String first = log.only(SmEvent.SINGLE_FAILURE_COST).get(EventField.TEXT);

        engine.cables.clear();
        removeCable(sm, 1);
        sm.sweeper.idle().precheckFailures(23, Runnable::run);
        pass(sm);
        assertThat(log.of(SmEvent.SINGLE_FAILURE_COST)).hasSize(2);
        assertThat(log.of(SmEvent.SINGLE_FAILURE_COST).get(1).get(EventField.TEXT))
                .isNotEqualTo(first);
    }
}
