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
 * tables of devices are read back. A sweep does not wait for it. Owner thread: the loop, except for reports.
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
        this.precheck = new FailurePrecheck(parts.loop(), knowledge::now, isResting, mistrustProof);
        this.preparation =
                new PlanPreparation(parts.loop(), knowledge::now, () -> isResting.getAsBoolean() && precheck.isDone());
        this.drift = new DriftWatch(
                parts.client(), parts.loop(), programmers, knowledge::view, isResting, parts.driftPace(), sweepHeavy);
    }

    /**
     * Tries the loss of some cables of the published subnet, and reports those without which there would be
     * no routes. It also compiles the code that a real loss needs.
     *
     * @param cables limit of the trials for the same routes
     * @param on executor of the computation; another one than that of sweeps
     */
    public void precheckFailures(int cables, Executor on) {
        parts.loop().check();
        precheck.begin(cables, parts.settings().get().routingOptions(), on);
    }

    /**
     * Computes plans for single failures of the published subnet, and keeps them for sweeps that find one.
     *
     * @param limit limit of their memory, in bytes; 0 for none
     * @param on executor of the computation; another one than that of sweeps
     */
    public void keepPlansReady(long limit, Executor on) {
        parts.loop().check();
        preparation.begin(limit, parts.settings().get().routingOptions(), on);
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
        drift.published();
    }

    /** Handles the begin of a sweep. */
    void giveWay() {
        drift.hold();
        preparation.giveWay();
    }

    /** Forgets all, because another SM is master. */
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
