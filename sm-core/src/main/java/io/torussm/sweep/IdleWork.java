package io.torussm.sweep;

import io.torussm.program.Programmers;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What is done for the published subnet while no sweep runs or is due: failures are computed in advance, and what devices hold is read
 * back. A sweep that begins does not wait for it. Owner thread: the loop, except for reports.
 */
public final class IdleWork {
    private final SweepContext parts;
    private final FailurePrecheck precheck;
    private final PlanPreparation preparation;
    private final DriftWatch drift;

    /**
     * Creates work that waits to be asked for.
     *
     * @param isResting whether there is nothing else to do
     * @param mistrustProof called if the proof that was made from the one before does not hold
     * @param sweepHeavy asked for if a device does not hold what was written to it
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
     * Plays the loss of some cables of the published subnet through, and reports those without which there would be no routes. The code
     * has been run then when a cable is lost in earnest.
     *
     * @param cables at most so many for the same routes
     * @param on where it is computed; not where sweeps wait for their routes
     */
    public void precheckFailures(int cables, Executor on) {
        parts.loop().check();
        precheck.begin(cables, parts.settings().get().routingOptions(), on);
    }

    /**
     * Computes plans for single failures of the published subnet, and keeps them for sweeps that find one.
     *
     * @param limit of the memory that they take, in bytes; 0 for none
     * @param on where they are computed; not where sweeps wait for their routes
     */
    public void keepPlansReady(long limit, Executor on) {
        parts.loop().check();
        preparation.begin(limit, parts.settings().get().routingOptions(), on);
    }

    /** How many plans are ready for single failures; may be called from any thread. */
    public ReadyReport readyPlans() {
        return preparation.report();
    }

    /** Reads back what devices hold. */
    public DriftWatch drift() {
        return drift;
    }

    /** Plans that were computed in advance; null if there are none. */
    @Nullable
    ReadyPlans ready() {
        return preparation.ready();
    }

    /** A subnet is published. */
    void published() {
        drift.published();
    }

    /** A sweep begins. */
    void giveWay() {
        drift.hold();
        preparation.giveWay();
    }

    /** Another SM is master. */
    void forget() {
        drift.forget();
        preparation.forget();
    }

    /** Nothing is done from now on, whoever asks: the executors may be gone. */
    void stop() {
        precheck.stop();
        preparation.stop();
        drift.forget();
    }
}
