package io.torussm.sweep.idle;

import io.torussm.deadlock.chain.ReadyPlan;
import io.torussm.event.FatalErrors;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.fabric.Fabric;
import io.torussm.routing.RoutingOptions;
import io.torussm.sweep.state.SweepState;
import io.torussm.transport.Loop;
import io.torussm.view.PublishedView;
import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The precomputation of plans, proofs and orders of writes for every single failure while no other work is
 * due. They are kept for the sweep that needs one ({@link ReadyPlans}). Recent failures are first, because a
 * lost cable is the most likely to be lost again; then cables, far apart; then switches. If an input changes,
 * they are dropped and computed again.
 *
 * <p>A sweep does not wait: the present computation ends at its next step. Owner thread: the loop.
 */
public final class PlanPreparation {
    private static final EventLog EVENTS = EventLog.of(PlanPreparation.class);

    /** The limit of forwarding entries; in larger fabrics there are no precomputed plans, to save memory. */
    private static final long MOST_ENTRIES = 1 << 26;

    /** Limit of the recent failures, which are computed first if they can occur again. */
    private static final int MAX_RECENT = 64;

    private final Loop loop;
    private final Supplier<SweepState> known;
    private final BooleanSupplier isIdle;
    private final LongAdder taken = new LongAdder();

    /** Recent failures, the last first. */
    private final ArrayDeque<SingleFailure> recent = new ArrayDeque<>();

    /** Null if no plans are to be computed. */
    private @Nullable ReadyPlans ready;

    /**
     * Plans for the same routes with other hosts, because a host that restarts leaves and returns. Null if
     * there are none.
     */
    private @Nullable ReadyPlans aside;

    private boolean isWaiting;
    private boolean isStopped;

    /** Set while the result of the present computation is needed. */
    private volatile boolean isWanted;

    private volatile ReadyReport report = ReadyReport.NONE;

    /**
     * The outcome of a computation.
     *
     * @param plan null if it is not kept
     */
    private record Foreseen(@Nullable ReadyPlan plan, boolean isDefect) {}

    /**
     * Creates the precomputation; it starts on request.
     *
     * @param isIdle checks that no other work is due
     */
    public PlanPreparation(Loop loop, Supplier<SweepState> known, BooleanSupplier isIdle) {
        this.loop = loop;
        this.known = known;
        this.isIdle = isIdle;
    }

    /**
     * Computes plans for the published subnet, unless that was done.
     *
     * @param limit limit of their memory, in bytes; 0 for none
     * @param on executor of the computation
     */
    public void begin(long limit, RoutingOptions options, Executor on) {
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
        ReadyPlans previous = ready;
        ReadyPlans other = aside;
        if (previous != null && previous.isFor(basis, limit)) {
            return;
        }
        if (previous != null) {
            remember(SingleFailure.between(previous.basis().subnet(), basis.subnet()));
        }
        aside = previous != null && previous.basis().isSameRoutingAs(basis) ? previous : null;
        know(other != null && other.isFor(basis, limit) ? other : new ReadyPlans(basis, limit, recent, taken));
    }

    /** Drops all plans and computes none. */
    public void forget() {
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

    /** Returns the ready plans; null if there are none. */
    @Nullable
    public ReadyPlans ready() {
        return ready;
    }

    /** Returns the numbers of ready plans; from any thread. */
    public ReadyReport report() {
        return report.with(taken.sum());
    }

    /** Handles the begin of a sweep. */
    public void giveWay() {
        isWanted = false;
    }

    /** Ends the computation for good, because the executor may be shut down. */
    public void stop() {
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
