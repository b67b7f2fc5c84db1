package io.torussm.sweep;

import io.torussm.deadlock.ReadyPlan;
import io.torussm.event.FatalErrors;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.fabric.Fabric;
import io.torussm.routing.RoutingOptions;
import io.torussm.transport.Loop;
import io.torussm.view.PublishedView;
import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Computes plans, proofs and orders of writes for every single failure while there is nothing else to do, one after the other, and keeps
 * them for the sweep that needs one ({@link ReadyPlans}). What happened last is computed first, since a cable that was lost is the likeliest
 * to be lost again; then cables, far apart; then switches. They are thrown away, and computed anew, when anything changes that they are made of.
 *
 * <p>A sweep that begins does not wait: what is being computed is given up at its next step. Owner thread: the loop.
 */
final class PlanPreparation {
    private static final EventLog EVENTS = EventLog.of(PlanPreparation.class);

    /** Fabrics with more forwarding entries are left alone: the memory is better kept for what is needed. */
    private static final long MOST_ENTRIES = 1 << 26;

    /** Failures that happened, which are computed first if they may happen again. */
    private static final int MAX_RECENT = 64;

    private final Loop loop;
    private final Supplier<Known> known;
    private final BooleanSupplier isIdle;
    private final LongAdder taken = new LongAdder();

    /** What happened last, the last first. */
    private final ArrayDeque<SingleFailure> recent = new ArrayDeque<>();

    /** Null if none are to be ready. */
    private @Nullable ReadyPlans ready;

    /** For the same routes with other hosts: one that restarts is away and comes back. Null if there are none. */
    private @Nullable ReadyPlans aside;

    private boolean isWaiting;
    private boolean isStopped;

    /** Whether what is being computed is still wanted. */
    private volatile boolean isWanted;

    private volatile ReadyReport report = ReadyReport.NONE;

    /**
     * What came of computing a plan.
     *
     * @param plan null if it is not kept
     */
    private record Foreseen(@Nullable ReadyPlan plan, boolean isDefect) {}

    /**
     * Creates a preparation that waits to be asked for.
     *
     * @param isIdle whether there is nothing else to do
     */
    PlanPreparation(Loop loop, Supplier<Known> known, BooleanSupplier isIdle) {
        this.loop = loop;
        this.known = known;
        this.isIdle = isIdle;
    }

    /**
     * Computes plans for the subnet that is published, unless that was done.
     *
     * @param limit of the memory that they take, in bytes; 0 for none
     * @param on where they are computed
     */
    void begin(long limit, RoutingOptions options, Executor on) {
        PublishedView view = known.get().view();
        ReadyPlans.Basis basis = ReadyPlans.Basis.of(view, known.get().policy(), options);
        if (basis == null || limit == 0 || entries(basis) > MOST_ENTRIES) {
            forget();
        } else {
            prepare(basis, limit);
        }
        await(on, FailurePrecheck.QUIET_NS);
    }

    private void prepare(ReadyPlans.Basis basis, long limit) {
        ReadyPlans before = ready;
        ReadyPlans other = aside;
        if (before != null && before.isFor(basis, limit)) {
            return;
        }
        if (before != null) {
            remember(SingleFailure.between(before.basis().subnet(), basis.subnet()));
        }
        aside = before != null && before.basis().isSameRoutingAs(basis) ? before : null;
        know(other != null && other.isFor(basis, limit) ? other : new ReadyPlans(basis, limit, recent, taken));
    }

    /** None are ready, and none are to be. */
    void forget() {
        aside = null;
        know(null);
    }

    private static long entries(ReadyPlans.Basis basis) {
        return (long) basis.subnet().fabric().switchCount() * basis.subnet().topLid();
    }

    private void remember(@Nullable SingleFailure happened) {
        if (happened != null && !happened.equals(SingleFailure.NONE)) {
            recent.remove(happened);
            recent.addFirst(happened);
        }
        if (recent.size() > MAX_RECENT) {
            recent.removeLast();
        }
    }

    private void know(@Nullable ReadyPlans plans) {
        ready = plans;
        tell();
    }

    private void tell() {
        ReadyPlans plans = ready;
        ReadyPlans other = aside;
        long more = other == null ? 0 : other.bytes();
        report = plans == null ? ReadyReport.NONE : plans.report(more, taken.sum());
    }

    /** Plans that are ready; null if there are none. */
    @Nullable
    ReadyPlans ready() {
        return ready;
    }

    /** How many plans are ready; from any thread. */
    ReadyReport report() {
        return report.with(taken.sum());
    }

    /** A sweep begins. */
    void giveWay() {
        isWanted = false;
    }

    /** Nothing is computed from now on, whoever asks: the executor may be gone. */
    void stop() {
        isStopped = true;
        isWanted = false;
    }

    private void await(Executor on, long delayNs) {
        ReadyPlans plans = ready;
        if (plans != null && plans.isAnyLeft() && !isWaiting) {
            isWaiting = true;
            loop.schedule(delayNs, () -> {
                isWaiting = false;
                next(on);
            });
        }
    }

    private void next(Executor on) {
        ReadyPlans plans = ready;
        if (isStopped || plans == null) {
            return;
        }
        if (!isIdle.getAsBoolean()) {
            await(on, FailurePrecheck.QUIET_NS);
            return;
        }
        SingleFailure failure = plans.next();
        if (failure != null) {
            isWaiting = true;
            isWanted = true;
            on.execute(() -> compute(plans, failure, on));
        }
    }

    private void compute(ReadyPlans plans, SingleFailure failure, Executor on) {
        Foreseen foreseen = new Foreseen(null, true);
        try {
            foreseen = new Foreseen(foresee(plans.basis(), failure), false);
        } catch (RuntimeException | Error bug) {
            EVENTS.report(SmEvent.PRECHECK_DEFECT, bug);
            FatalErrors.escalate(bug);
        } finally {
            Foreseen came = foreseen;
            loop.execute(() -> {
                isWaiting = false;
                computed(plans, failure, came);
                await(on, isWanted ? 0 : FailurePrecheck.QUIET_NS);
            });
        }
    }

    private void computed(ReadyPlans plans, SingleFailure failure, Foreseen foreseen) {
        ReadyPlan plan = foreseen.plan();
        if (plan != null) {
            ReadyPlans other = aside;
            plans.add(failure, plan, other == null || other == plans ? 0 : other.bytes());
        } else if (foreseen.isDefect()) {
            plans.end();
        } else if (!isWanted) {
            plans.again(failure);
        }
        tell();
    }

    private @Nullable ReadyPlan foresee(ReadyPlans.Basis basis, SingleFailure failure) {
        Fabric fabric = failure.in(basis.subnet().fabric());
        return fabric == null
                ? null
                : basis.chain()
                        .foresee(
                                basis.subnet().on(fabric),
                                basis.options(),
                                basis.plan(),
                                basis.proof(),
                                plan -> new PlannedTables(basis.plan(), plan),
                                () -> isWanted);
    }
}
