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
 * due. The results are kept for the sweep that needs one ({@link ReadyPlans}). The order is: recent failures, because
 * a lost cable is the most likely to be lost again; then cables, far apart; then switches. If an input changes, the
 * results are dropped and computed again.
 *
 * <p>A sweep does not wait for a computation, which ends at its next step. Owner thread: the loop.
 */
public final class PlanPreparation {
    private static final EventLog EVENTS = EventLog.of(PlanPreparation.class);

    /** Max number of forwarding entries (switches x top LID); in larger fabrics no plans are kept, to save memory. */
    private static final long MAX_ENTRIES = 1 << 26;

    /** Max number of recent failures, which are computed first if they can occur again. */
    private static final int MAX_RECENT = 64;

    private final Loop loop;
    private final Supplier<SweepState> sweepState;
    private final BooleanSupplier isIdle;
    private final LongAdder taken = new LongAdder();

    /** Recent failures, the last first. */
    private final ArrayDeque<SingleFailure> recentFailures = new ArrayDeque<>();

    /** Plans for the present routes and hosts; null if no plans are to be computed. */
    private @Nullable ReadyPlans readyPlans;

    /**
     * Plans for the same routes with other hosts. They are used again when a host that restarts returns. Null if there
     * are none.
     */
    private @Nullable ReadyPlans otherHostPlans;

    private boolean isWaiting;
    private boolean isStopped;

    /** Set while the result of the present computation is needed. */
    private volatile boolean isResultNeeded;

    private volatile ReadyReport report = ReadyReport.NONE;

    /**
     * The outcome of a computation.
     *
     * @param plan precomputed plan; null if the failure cannot occur, or the computation was cancelled or failed
     * @param isDefect whether the computation ended by an exception
     */
    private record PrecomputedPlan(@Nullable ReadyPlan plan, boolean isDefect) {}

    /**
     * Creates the precomputation; it starts on request.
     *
     * @param known returns the state between sweeps
     * @param isIdle checks that no other work is due
     */
    public PlanPreparation(Loop loop, Supplier<SweepState> known, BooleanSupplier isIdle) {
        this.loop = loop;
        this.sweepState = known;
        this.isIdle = isIdle;
    }

    /**
     * Computes plans for the published subnet, unless they are computed already.
     *
     * @param maxBytes max memory of the plans in bytes; 0: no plans are kept
     * @param executor executor of the computation
     */
    public void begin(long maxBytes, RoutingOptions options, Executor executor) {
        PublishedView view = sweepState.get().view();
        ReadyPlans.Basis basis = ReadyPlans.Basis.of(view, sweepState.get().policy(), options);
        if (basis == null || maxBytes == 0 || entries(basis) > MAX_ENTRIES) {
            forget();
        } else {
            prepare(basis, maxBytes);
        }
        await(executor, FailurePrecheck.QUIET_NS);
    }

    private void prepare(ReadyPlans.Basis basis, long maxBytes) {
        ReadyPlans previous = readyPlans;
        ReadyPlans setAside = otherHostPlans;
        if (previous != null && previous.isFor(basis, maxBytes)) {
            return;
        }
        if (previous != null) {
            remember(SingleFailure.between(previous.basis().subnet(), basis.subnet()));
        }
        otherHostPlans = previous != null && previous.basis().isSameRoutingAs(basis) ? previous : null;
        setPlans(
                setAside != null && setAside.isFor(basis, maxBytes)
                        ? setAside
                        : new ReadyPlans(basis, maxBytes, recentFailures, taken));
    }

    /** Drops all plans and computes none. */
    public void forget() {
        otherHostPlans = null;
        setPlans(null);
    }

    private static long entries(ReadyPlans.Basis basis) {
        return (long) basis.subnet().fabric().switchCount() * basis.subnet().topLid();
    }

    private void remember(@Nullable SingleFailure failure) {
        if (failure != null && !failure.equals(SingleFailure.NONE)) {
            recentFailures.remove(failure);
            recentFailures.addFirst(failure);
        }
        if (recentFailures.size() > MAX_RECENT) {
            recentFailures.removeLast();
        }
    }

    private void setPlans(@Nullable ReadyPlans plans) {
        readyPlans = plans;
        publishReport();
    }

    private void publishReport() {
        ReadyPlans plans = readyPlans;
        ReadyPlans setAside = otherHostPlans;
        long setAsideBytes = setAside == null ? 0 : setAside.bytes();
        report = plans == null ? ReadyReport.NONE : plans.report(setAsideBytes, taken.sum());
    }

    /** Returns the ready plans; null if there are none. */
    @Nullable
    public ReadyPlans ready() {
        return readyPlans;
    }

    /** Returns the numbers of ready plans; may be called from any thread. */
    public ReadyReport report() {
        return report.with(taken.sum());
    }

    /** Cancels the present computation, because a sweep begins. */
    public void cancelComputation() {
        isResultNeeded = false;
    }

    /** Ends the computation for good, because the executor may be shut down. */
    public void stop() {
        isStopped = true;
        isResultNeeded = false;
    }

    private void await(Executor executor, long delayNs) {
        ReadyPlans plans = readyPlans;
        if (plans != null && plans.hasNext() && !isWaiting) {
            isWaiting = true;
            loop.schedule(delayNs, () -> {
                isWaiting = false;
                next(executor);
            });
        }
    }

    private void next(Executor executor) {
        ReadyPlans plans = readyPlans;
        if (isStopped || plans == null) {
            return;
        }
        if (!isIdle.getAsBoolean()) {
            await(executor, FailurePrecheck.QUIET_NS);
            return;
        }
        SingleFailure failure = plans.next();
        if (failure != null) {
            isWaiting = true;
            isResultNeeded = true;
            executor.execute(() -> compute(plans, failure, executor));
        }
    }

    private void compute(ReadyPlans plans, SingleFailure failure, Executor executor) {
        PrecomputedPlan foreseen = new PrecomputedPlan(null, true);
        try {
            foreseen = new PrecomputedPlan(precompute(plans.basis(), failure), false);
        } catch (RuntimeException | Error bug) {
            EVENTS.report(SmEvent.PRECHECK_DEFECT, bug);
            FatalErrors.escalate(bug);
        } finally {
            PrecomputedPlan outcome = foreseen;
            loop.execute(() -> {
                isWaiting = false;
                onComputed(plans, failure, outcome);
                await(executor, isResultNeeded ? 0 : FailurePrecheck.QUIET_NS);
            });
        }
    }

    private void onComputed(ReadyPlans plans, SingleFailure failure, PrecomputedPlan foreseen) {
        ReadyPlan plan = foreseen.plan();
        if (plan != null) {
            ReadyPlans setAside = otherHostPlans;
            plans.add(failure, plan, setAside == null || setAside == plans ? 0 : setAside.bytes());
        } else if (foreseen.isDefect()) {
            plans.end();
        } else if (!isResultNeeded) {
            plans.requeue(failure);
        }
        publishReport();
    }

    private @Nullable ReadyPlan precompute(ReadyPlans.Basis basis, SingleFailure failure) {
        Fabric fabric = failure.applyTo(basis.subnet().fabric());
        return fabric == null
                ? null
                : basis.chain()
                        .precompute(
                                basis.subnet().restrictedTo(fabric),
                                basis.options(),
                                basis.plan(),
                                basis.proof(),
                                plan -> new PlannedTables(basis.plan(), plan),
                                () -> isResultNeeded);
    }
}
