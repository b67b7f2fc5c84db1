package io.torussm.sweep;

import io.torussm.program.Programmers;
import io.torussm.sweep.idle.DriftWatch;
import io.torussm.sweep.idle.FailurePrecheck;
import io.torussm.sweep.idle.PlanPreparation;
import io.torussm.sweep.idle.ReadyPlans;
import io.torussm.sweep.idle.ReadyReport;
import io.torussm.sweep.stages.SweepContext;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The work for the published subnet while no sweep is running or due: failures are computed in advance, and
 * tables of devices are read back. A sweep does not wait for this work. Owner thread: the loop, except for
 * {@link #readyPlans}.
 */
public final class IdleWork {
    private final SweepContext parts;
    private final FailurePrecheck precheck;
    private final PlanPreparation preparation;
    private final DriftWatch drift;

    /**
     * Creates the work; it starts on request.
     *
     * @param isResting checks that no other work is due
     * @param mistrustProof callback, called if the incremental proof does not hold
     * @param sweepHeavy callback, called if the tables of a device differ from the written ones
     */
    IdleWork(
            SweepContext parts,
            Programmers programmers,
            Knowledge knowledge,
            BooleanSupplier isResting,
            Runnable mistrustProof,
            Runnable sweepHeavy) {
        this.parts = parts;
        this.precheck = new FailurePrecheck(parts.loop(), knowledge::sweepState, isResting, mistrustProof);
        this.preparation = new PlanPreparation(
                parts.loop(), knowledge::sweepState, () -> isResting.getAsBoolean() && precheck.isDone());
        this.drift = new DriftWatch(
                parts.client(), parts.loop(), programmers, knowledge::view, isResting, parts.driftPace(), sweepHeavy);
    }

    /**
     * Tries the loss of some cables of the published subnet, and reports the cables whose loss would leave no
     * routes. The trials also make the virtual machine compile the code that a real loss needs.
     *
     * @param cables max number of trials for the same routes
     * @param executor executor of the computation, which sweeps do not use
     */
    public void precheckFailures(int cables, Executor executor) {
        parts.loop().requireInLoop();
        precheck.begin(cables, parts.settings().get().routingOptions(), executor);
    }

    /**
     * Computes plans for single failures of the published subnet, and keeps them for sweeps that find one.
     *
     * @param maxBytes max memory of the plans in bytes; 0: no plans are kept
     * @param executor executor of the computation, which sweeps do not use
     */
    public void keepPlansReady(long maxBytes, Executor executor) {
        parts.loop().requireInLoop();
        preparation.begin(maxBytes, parts.settings().get().routingOptions(), executor);
    }

    /** Returns the number of plans that are ready for single failures; may be called from any thread. */
    public ReadyReport readyPlans() {
        return preparation.report();
    }

    /** Returns the read-back of devices. */
    public DriftWatch drift() {
        return drift;
    }

    /** Returns the precomputed plans; null if there are none. */
    @Nullable
    ReadyPlans ready() {
        return preparation.ready();
    }

    /** Handles the publication of a subnet. */
    void published() {
        drift.onPublication();
    }

    /** Suspends the work, because a sweep begins. */
    void suspend() {
        drift.interrupt();
        preparation.cancelComputation();
    }

    /** Drops the results, because another SM is master. */
    void forget() {
        drift.forget();
        preparation.forget();
    }

    /** Ends all work, present and future, because the executors may be shut down. */
    void stop() {
        precheck.stop();
        preparation.stop();
        drift.forget();
    }
}
