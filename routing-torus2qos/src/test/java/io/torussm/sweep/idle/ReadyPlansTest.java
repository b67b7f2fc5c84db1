package io.torussm.sweep.idle;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.routing.Engine;
import io.torussm.routing.EngineContext;
import io.torussm.routing.RoutingResult;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.subnet.LinkSettings;
import io.torussm.sweep.SweepHarness;
import io.torussm.testing.Seeds;
import io.torussm.torus2qos.Torus2QosEngine;
import io.torussm.torus2qos.conf.Torus2QosConf;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Plans that are kept ready for single failures are taken by sweeps, and are thrown away when they do not fit any more.
 */
class ReadyPlansTest {
    static final String TORUS = "torus:4x4x3,hosts=2";
    private static final String SMALL = "torus:4x3x3,hosts=1";
    static final long MAX_PLAN_BYTES = 1 << 20;
    private static final long PRECOMPUTATION_NS = TimeUnit.SECONDS.toNanos(5);

    static SweepHarness startedHarness(String torus) {
        SweepHarness sm = new SweepHarness(TorusSpec.parse(torus).topology(), FaultPlan.NONE);
        String conf = TorusSpec.parse(torus).torus2QosConf();
        sm.engine = new Torus2QosEngine(Torus2QosConf.parse("torus-2QoS.conf", conf), 1);
        assertThat(sm.sweep()).isEqualTo("up");
        return sm;
    }

    /** Returns an SM that has had time to compute plans. */
    private static SweepHarness preparedHarness(String torus) {
        SweepHarness sm = startedHarness(torus);
        sm.sweeper.idle().keepPlansReady(MAX_PLAN_BYTES, Runnable::run);
        sm.loop.runFor(PRECOMPUTATION_NS);
        return sm;
    }

    @Test
    void aLostCableIsAnsweredByAReadyPlan() {
        SweepHarness sm = preparedHarness(TORUS);
        SweepHarness other = startedHarness(TORUS);
        other.loop.runFor(PRECOMPUTATION_NS);
        assertThat(sm.sweeper.idle().readyPlans().plans()).isEqualTo(191);
        for (SweepHarness each : List.of(sm, other)) {
            each.requests.clear();
            each.findings.clear();
            loseCable(each, 17, 1);
        }
        assertThat(sm.sweeper.idle().readyPlans().taken()).isEqualTo(1);
        assertSame(sm, other);
    }

    @Test
    void aLostSwitchIsAnsweredByAReadyPlan() {
        SweepHarness sm = preparedHarness(TORUS);
        SweepHarness other = startedHarness(TORUS);
        other.loop.runFor(PRECOMPUTATION_NS);
        for (SweepHarness each : List.of(sm, other)) {
            each.requests.clear();
            each.findings.clear();
            int ends = each.ends.size();
            each.fabric.failSwitch(guid(each, 30));
            each.await(ends + 1);
            each.awaitRest();
        }
        assertThat(sm.sweeper.idle().readyPlans().taken()).isEqualTo(1);
        assertSame(sm, other);
    }

    /** The proof that was taken is made again for the plans that come after it. */
    @Test
    void plansFollowEachOther() {
        SweepHarness sm = preparedHarness(TORUS);
        SweepHarness other = startedHarness(TORUS);
        int cable = 0;
        for (int[] lost : new int[][] {{17, 1}, {40, 3}, {5, 5}}) {
            loseCable(sm, lost[0], lost[1]);
            loseCable(other, lost[0], lost[1]);
            assertThat(sm.sweeper.idle().readyPlans().taken()).isEqualTo(++cable);
            assertThat(sm.findings).isEqualTo(other.findings);
            sm.sweeper.idle().keepPlansReady(MAX_PLAN_BYTES, Runnable::run);
            sm.loop.runFor(PRECOMPUTATION_NS);
        }
    }

    /**
     * Cables, switches and hosts that go and come, one after the other or soon after each other, with plans and
     * without.
     */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void randomFaultsAreAnsweredAlike(long seed) {
        SweepHarness sm = startedHarness(SMALL);
        SweepHarness other = startedHarness(SMALL);
        Random random = Seeds.random(seed);
        for (int i = 0; i < 8; i++) {
            sm.sweeper.idle().keepPlansReady(MAX_PLAN_BYTES, Runnable::run);
            long quietNs = random.nextInt(4) == 0 ? PRECOMPUTATION_NS / 10 : PRECOMPUTATION_NS;
            Consumer<SweepHarness> event = event(random);
            for (SweepHarness each : List.of(sm, other)) {
                each.loop.runFor(quietNs);
                event.accept(each);
                each.loop.runFor(PRECOMPUTATION_NS);
                each.awaitRest();
            }
            assertSame(sm, other);
        }
        assertThat(sm.sweeper.idle().readyPlans().taken()).isPositive();
    }

    private static Consumer<SweepHarness> event(Random random) {
        int sw = 1 + random.nextInt(35);
        int portNum = 1 + random.nextInt(6);
        return switch (random.nextInt(5)) {
            case 0 -> sm -> sm.fabric.failSwitch(guid(sm, sw));
            case 1 ->
                sm -> sm.topology.nodes().stream()
                        .filter(node -> node.isSwitch())
                        .forEach(node -> sm.fabric.restoreSwitch(node.nodeGuid()));
            case 2 -> sm -> sm.fabric.relink(guid(sm, sw), portNum);
            default -> sm -> sm.fabric.unlink(guid(sm, sw), portNum);
        };
    }

    /** Plans for the previous fabric are discarded, and the current computation is cancelled. */
    @Test
    void aSecondFailureWhilePlansAreComputed() {
        SweepHarness sm = startedHarness(TORUS);
        ArrayDeque<Runnable> tasks = new ArrayDeque<>();
        Executor held = tasks::add;
        sm.sweeper.idle().keepPlansReady(MAX_PLAN_BYTES, held);
        compute(sm, tasks, 60);
        assertThat(sm.sweeper.idle().readyPlans().plans()).isEqualTo(60);
        loseCable(sm, 3, 1);
        sm.sweeper.idle().keepPlansReady(MAX_PLAN_BYTES, held);
        assertThat(sm.sweeper.idle().readyPlans().plans()).isZero();
        assertThat(tasks).hasSize(1);
        long before = sm.sweeper.idle().readyPlans().taken();
        loseCable(sm, 40, 3);
        assertThat(sm.sweeper.idle().readyPlans().taken()).isEqualTo(before);
        sm.sweeper.idle().keepPlansReady(MAX_PLAN_BYTES, held);
        compute(sm, tasks, 1);
        assertThat(sm.sweeper.idle().readyPlans().plans()).isZero();
        compute(sm, tasks, 10);
        assertThat(sm.sweeper.idle().readyPlans().plans()).isEqualTo(10);
    }

    /** A cable that was lost is the likeliest to be lost again. */
    @Test
    void plansForTheLastFailureAreComputedFirst() {
        SweepHarness sm = startedHarness(TORUS);
        ArrayDeque<Runnable> tasks = new ArrayDeque<>();
        sm.sweeper.idle().keepPlansReady(MAX_PLAN_BYTES, tasks::add);
        compute(sm, tasks, 1);
        loseCable(sm, 17, 1);
        sm.sweeper.idle().keepPlansReady(MAX_PLAN_BYTES, tasks::add);
        sm.loop.runFor(PRECOMPUTATION_NS);
        int ends = sm.ends.size();
        sm.fabric.relink(guid(sm, 17), 1);
        sm.await(ends + 1);
        sm.awaitRest();
        long taken = sm.sweeper.idle().readyPlans().taken();
        sm.sweeper.idle().keepPlansReady(MAX_PLAN_BYTES, tasks::add);
        compute(sm, tasks, 2); // the first of them is of the fabric before
        loseCable(sm, 17, 1);
        assertThat(sm.sweeper.idle().readyPlans().taken()).isEqualTo(taken + 1);
    }

    @Test
    void anotherSettingThrowsPlansAway() {
        SweepHarness sm = preparedHarness(TORUS);
        sm.settings = SweepHarness.settings(LinkSettings.limitedTo(3));
        sm.sweep();
        ArrayDeque<Runnable> none = new ArrayDeque<>();
        sm.sweeper.idle().keepPlansReady(MAX_PLAN_BYTES, none::add);
        assertThat(sm.sweeper.idle().readyPlans().plans()).isZero();
        loseCable(sm, 17, 1);
        assertThat(sm.sweeper.idle().readyPlans().taken()).isZero();
    }

    @Test
    void plansKeepWithinTheirRoom() {
        SweepHarness sm = startedHarness(TORUS);
        sm.sweeper.idle().keepPlansReady(20_000, Runnable::run);
        sm.loop.runFor(PRECOMPUTATION_NS);
        ReadyReport report = sm.sweeper.idle().readyPlans();
        assertThat(report.bytes()).isBetween(18_000L, 20_000L);
        assertThat(report.plans()).isBetween(20, 190);
        assertThat(report.failures()).isEqualTo(191);
        sm.sweeper.idle().keepPlansReady(0, Runnable::run);
        assertThat(sm.sweeper.idle().readyPlans()).isEqualTo(ReadyReport.NONE);
    }

    /** A host that restarts changes no route, and is back before everything could be computed for its absence. */
    @Test
    void aHostThatRestartsThrowsNothingAway() {
        SweepHarness sm = preparedHarness(TORUS);
        long bytes = sm.sweeper.idle().readyPlans().bytes();
        ArrayDeque<Runnable> none = new ArrayDeque<>();
        long host = sm.publishedView()
                .subnet()
                .fabric()
                .nodeGuid(sm.publishedView().subnet().fabric().nodeCount() - 1);
        int ends = sm.ends.size();
        sm.fabric.unlink(host, 1);
        sm.await(ends + 1);
        sm.sweeper.idle().keepPlansReady(MAX_PLAN_BYTES, none::add);
        assertThat(sm.sweeper.idle().readyPlans().plans()).isZero();
        assertThat(sm.sweeper.idle().readyPlans().bytes()).isEqualTo(bytes);
        sm.fabric.relink(host, 1);
        sm.await(ends + 2);
        sm.sweeper.idle().keepPlansReady(MAX_PLAN_BYTES, none::add);
        assertThat(sm.sweeper.idle().readyPlans().plans()).isEqualTo(191);
        assertThat(sm.sweeper.idle().readyPlans().bytes()).isEqualTo(bytes);
        loseCable(sm, 17, 1);
        assertThat(sm.sweeper.idle().readyPlans().taken()).isEqualTo(1);
    }

    /** An SM that yields to another master discards its knowledge of the fabric. */
    @Test
    void anotherMasterThrowsPlansAway() {
        SweepHarness sm = preparedHarness(TORUS);
        sm.sweeper.withdraw();
        assertThat(sm.sweeper.idle().readyPlans()).isEqualTo(ReadyReport.NONE);
    }

    /** If a precomputed proof differs from the sweep's own one, the sweep ends, and the next one proves everything. */
    @Test
    void aDefectThrowsTheProofAway() {
        SweepHarness sm = preparedHarness(TORUS);
        Engine engine = sm.engine;
        List<Boolean> fromScratch = new ArrayList<>();
        boolean[] isBroken = {true};
        sm.engine = new Engine() {
            @Override
            public String name() {
                return engine.name();
            }

            @Override
            public RoutingResult route(EngineContext context) {
                if (isBroken[0]) {
                    throw new IllegalStateException("a defect");
                }
                fromScratch.add(context.similarPlan() == null);
                return engine.route(context);
            }
        };
        assertThat(sm.sweep()).contains("a defect");
        isBroken[0] = false;
        assertThat(sm.sweep()).isEqualTo("up");
        assertThat(fromScratch).containsExactly(true);
    }

    private static long guid(SweepHarness sm, int sw) {
        return sm.topology.nodes().stream()
                .filter(node -> node.isSwitch())
                .mapToLong(node -> node.nodeGuid())
                .sorted()
                .skip(sw)
                .findFirst()
                .orElseThrow();
    }

    private static void loseCable(SweepHarness sm, int sw, int portNum) {
        int ends = sm.ends.size();
        sm.fabric.unlink(guid(sm, sw), portNum);
        sm.await(ends + 1);
        sm.awaitRest();
    }

    private static void compute(SweepHarness sm, ArrayDeque<Runnable> tasks, int count) {
        sm.loop.runFor(PRECOMPUTATION_NS);
        for (int i = 0; i < count; i++) {
            tasks.remove().run();
            sm.loop.runFor(PRECOMPUTATION_NS);
        }
    }

    /** Checks that requests, events and writes are the same, one by one. */
    private static void assertSame(SweepHarness sm, SweepHarness other) {
        assertThat(sm.findings).isEqualTo(other.findings);
        assertThat(sm.ends).isEqualTo(other.ends);
        assertThat(sm.requests).hasSameSizeAs(other.requests);
        for (int i = 0; i < sm.requests.size(); i++) {
            assertThat(Arrays.equals(sm.requests.get(i), other.requests.get(i)))
                    .as("request %s", i)
                    .isTrue();
        }
    }
}
