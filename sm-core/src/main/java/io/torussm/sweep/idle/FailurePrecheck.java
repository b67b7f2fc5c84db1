package io.torussm.sweep.idle;

import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.chain.RoutingChain;
import io.torussm.event.FatalErrors;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.fabric.Fabric;
import io.torussm.fabric.NodePort;
import io.torussm.routing.Degradation;
import io.torussm.routing.EarlierFacts;
import io.torussm.routing.Plan;
import io.torussm.routing.RoutingOptions;
import io.torussm.subnet.Subnet;
import io.torussm.sweep.state.PlanDifference;
import io.torussm.sweep.state.SweepState;
import io.torussm.transport.Loop;
import io.torussm.view.PublishedView;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The trial of the loss of a few cables while no other work is due. It computes routes, proof and order of
 * writes for the fabric without one cable, and drops them. This has two benefits. First, the virtual machine compiles
 * the code, so that the reaction to the first real loss is faster. Second, cables whose loss leaves no routes are
 * reported in advance. If one cable of a ring is critical, the others of that ring are tried too, and one event
 * reports all of them.
 *
 * <p>The last trial is the loss of a whole switch, which uses other code paths (SLs and tables of absent
 * hosts, another multicast tree); its result is not reported.
 *
 * <p>Before all trials, an incremental proof is repeated as a whole. If the two proofs ever differ, routes are
 * computed and proved again.
 *
 * <p>One cable is tried at a time. None is tried while no engine routes the present fabric, because the reason of a
 * refusal may be another loss or a file. If a sweep begins, no further trial starts until the sweep has ended. Owner
 * thread: the loop.
 */
public final class FailurePrecheck {
    private static final String NO_ROUTES = "there would be no routes";
    private static final EventLog EVENTS = EventLog.of(FailurePrecheck.class);

    /** The time without other work before a trial. */
    public static final long QUIET_NS = TimeUnit.SECONDS.toNanos(1);

    /** Max number of forwarding entries (switches x top LID). In larger fabrics there are no trials, to save memory. */
    private static final long MAX_ENTRIES = 1 << 26;

    /**
     * Limit of the cables of one ring that are tried because one of them is critical, and of the cables that
     * one event names.
     */
    private static final int MAX_OF_RING = 16;

    /** The time for which an event for a cable is not repeated, unless the effect of its loss becomes worse. */
    private static final long SILENCE_NS = TimeUnit.HOURS.toNanos(1);

    /** Max number of losses in {@link #lastEventNs}; if there are more, all are removed. */
    private static final int MAX_EVENT_TIMES = 1 << 12;

    private final Loop loop;
    private final Supplier<SweepState> sweepState;
    private final BooleanSupplier isResting;
    private final Runnable requireWholeProof;

    /** Number of trials over all plans, so that other cables are tried for each plan. */
    private int trialCount;

    /** Number of cables that are still to be tried for the present routes. */
    private int remainingCables;

    private boolean isSwitchTrialDue;
    private boolean isProofRepetitionDue;

    /** Set while a trial is scheduled or computed. */
    private boolean isWaiting;

    private boolean isStopped;

    /** The routes for which trials were begun; null before the first. */
    private @Nullable Plan triedPlan;

    /** Cables of the same ring as a critical one that are still to be tried. */
    private final ArrayDeque<NodePort> ringCables = new ArrayDeque<>();

    /** Set if the cost of a loss was reported for the present routes. */
    private boolean isCostReported;

    /** Critical cables that are not reported yet. */
    private CriticalCables criticalCables = CriticalCables.NONE;

    /** Time of the last event for a loss. */
    private final Map<ReportedLoss, Long> lastEventNs = new HashMap<>();

    /** A cable and the event that reported the effect of its loss. */
    private record ReportedLoss(NodePort cable, SmEvent event) {}

    /**
     * Creates the precheck; it starts on request.
     *
     * @param known returns the state between sweeps; called for each trial
     * @param isResting checks that no other work is due
     * @param mistrust callback, called if the incremental proof does not hold
     */
    public FailurePrecheck(Loop loop, Supplier<SweepState> known, BooleanSupplier isResting, Runnable mistrust) {
        this.loop = loop;
        this.sweepState = known;
        this.isResting = isResting;
        this.requireWholeProof = mistrust;
    }

    /**
     * Tries the loss of some cables of the published subnet, unless that was done for the same routes.
     *
     * @param cables max number of trials of cables, except for cables of the same ring as a critical one
     * @param executor executor of the computation
     */
    public void begin(int cables, RoutingOptions options, Executor executor) {
        PublishedView view = sweepState.get().view();
        Plan routed = view == null ? null : view.plan().asRouted();
        if (routed == null || routed == triedPlan) {
            return;
        }
        triedPlan = routed;
        isProofRepetitionDue = true;
        ringCables.clear();
        criticalCables = CriticalCables.NONE;
        isCostReported = false;
        long entries =
                (long) routed.subnet().fabric().switchCount() * routed.subnet().topLid();
        remainingCables = entries > MAX_ENTRIES ? 0 : cables;
        isSwitchTrialDue = remainingCables > 0;
        await(options, executor);
    }

    /** Checks whether no trial is left. */
    public boolean isDone() {
        return !isWaiting;
    }

    /** Ends all trials, present and future, because the executor may be shut down. */
    public void stop() {
        isStopped = true;
    }

    private void await(RoutingOptions options, Executor executor) {
        if ((remainingCables > 0 || !ringCables.isEmpty() || isSwitchTrialDue || isProofRepetitionDue) && !isWaiting) {
            isWaiting = true;
            loop.schedule(QUIET_NS, () -> {
                isWaiting = false;
                next(options, executor);
            });
        }
    }

    private void next(RoutingOptions options, Executor executor) {
        PublishedView view = sweepState.get().view();
        SweepState.Policy policy = sweepState.get().policy();
        boolean isRouted = view != null && view.plan().retention().isEmpty();
        if (isStopped || view == null || !isRouted || policy == null) {
            return;
        }
        if (!isResting.getAsBoolean()) {
            await(options, executor);
            return;
        }
        Certificate proof = policy.proof();
        if (isProofRepetitionDue && proof != null && proof.isIncremental()) {
            isProofRepetitionDue = false;
            compute(
                    options,
                    executor,
                    () -> policy.chain().fullProofDifference(proof),
                    doubts -> onProofRepeated(proof, doubts));
            return;
        }
        isProofRepetitionDue = false;
        if (remainingCables == 0 && ringCables.isEmpty() && !isSwitchTrialDue) {
            return;
        }
        Fabric wholeFabric = view.subnet().fabric();
        NodePort cable =
                !ringCables.isEmpty() ? ringCables.poll() : remainingCables > 0 ? nextCable(wholeFabric) : null;
        if (cable != null) {
            SingleFailure failure = new SingleFailure(cable);
            compute(
                    options,
                    executor,
                    () -> tryFailure(view, policy, options, failure),
                    effect -> onTrialEnd(view, cable, effect));
            return;
        }
        remainingCables = 0;
        isSwitchTrialDue = false;
        if (wholeFabric.switchCount() == 0) {
            return;
        }
        SingleFailure lostSwitch =
                new SingleFailure(wholeFabric.nodePort(wholeFabric.port(trialCount % wholeFabric.switchCount(), 0)));
        compute(options, executor, () -> tryFailure(view, policy, options, lostSwitch), effect -> {});
    }

    private void compute(
            RoutingOptions options, Executor executor, Supplier<String> trial, Consumer<String> completion) {
        isWaiting = true;
        executor.execute(() -> {
            String effect = "";
            try {
                effect = trial.get();
            } catch (RuntimeException | Error bug) {
                EVENTS.report(SmEvent.PRECHECK_DEFECT, bug);
                FatalErrors.escalate(bug);
            } finally {
                String result = effect;
                loop.execute(() -> {
                    isWaiting = false;
                    completion.accept(result);
                    await(options, executor);
                });
            }
        });
    }

    /** Returns the next cable in turn; null if the fabric has no cable between switches. */
    private @Nullable NodePort nextCable(Fabric wholeFabric) {
        remainingCables--;
        int[] cables = SingleFailure.cables(wholeFabric);
        return cables.length == 0
                ? null
                : wholeFabric.nodePort(cables[SingleFailure.permuted(trialCount++ % cables.length, cables.length)]);
    }

    /**
     * Handles the repetition of a proof. The result is ignored if there is a newer proof.
     *
     * @param doubts the difference between the proofs; empty if they agree
     */
    private void onProofRepeated(Certificate proof, String doubts) {
        SweepState.Policy policy = sweepState.get().policy();
        if (!doubts.isEmpty() && policy != null && policy.proof() == proof) {
            EVENTS.report(SmEvent.PROOF_DOUBTED.finding(doubts));
            requireWholeProof.run();
        }
    }

    /** Handles the result of a trial, unless other routes are active now: the cable may be lost already. */
    private void onTrialEnd(PublishedView view, NodePort cable, String effect) {
        PublishedView current = sweepState.get().view();
        if (isStopped
                || current == null
                || current.plan().asRouted() != view.plan().asRouted()) {
            return;
        }
        if (!effect.isEmpty()) {
            if (criticalCables.isEmpty()) {
                ringCables.addAll(CriticalCables.sameRing(view.plan(), cable, MAX_OF_RING));
            }
            criticalCables = criticalCables.with(cable, effect);
        }
        if (ringCables.isEmpty() && !criticalCables.isEmpty()) {
            reportCriticalCables(view);
            criticalCables = CriticalCables.NONE;
        }
    }

    /** Reports cables without which there are no routes apart from those without which the routes are worse. */
    private void reportCriticalCables(PublishedView view) {
        CriticalCables present = criticalCables.presentIn(view.plan().subnet().fabric());
        report(view, present.where(NO_ROUTES::equals));
        report(view, present.where(effect -> !effect.equals(NO_ROUTES)));
    }

    private void report(PublishedView view, CriticalCables cables) {
        if (cables.isEmpty()) {
            return;
        }
        long nowNs = loop.nowNs();
        lastEventNs.values().removeIf(ns -> nowNs - ns >= SILENCE_NS);
        boolean isCost = isWhole(view.plan()) && !cables.effects().containsValue(NO_ROUTES);
        SmEvent event = isCost ? SmEvent.SINGLE_FAILURE_COST : SmEvent.SINGLE_FAILURE;
        List<ReportedLoss> losses = cables.cables().stream()
                .map(cable -> new ReportedLoss(cable, event))
                .toList();
        if (lastEventNs.keySet().containsAll(losses) || (isCost && isCostReported)) {
            return;
        }
        if (lastEventNs.size() > MAX_EVENT_TIMES) {
            lastEventNs.clear();
        }
        losses.forEach(loss -> lastEventNs.put(loss, nowNs));
        EVENTS.report(event.finding(cables.text(view.plan(), MAX_OF_RING)));
        isCostReported |= isCost;
    }

    /** Checks whether the engine reports no loss: the plan has no warning. */
    private static boolean isWhole(Plan plan) {
        return plan.findings().stream().noneMatch(finding -> finding.severity() == Finding.Severity.WARNING);
    }

    /**
     * Computes the reaction to a failure. Pure.
     *
     * @return the effect on the routes as a clause; empty if there are routes as good as before, or the failure cannot
     *     occur
     */
    static String tryFailure(
            PublishedView view, SweepState.Policy policy, RoutingOptions options, SingleFailure failure) {
        RoutingChain engines = policy.chain();
        Fabric fabric = failure.applyTo(view.subnet().fabric());
        if (fabric == null) {
            return "";
        }
        Plan previousPlan = view.plan().asRouted();
        Subnet subnet = view.subnet().restrictedTo(fabric);
        RoutingChain.ChainResult result =
                engines.route(subnet, options, previousPlan, EarlierFacts.of(previousPlan), policy.proof());
        Plan plan = result.plan();
        if (plan == null) {
            return NO_ROUTES;
        }
        Degradation degradation = plan.degradation().orElse(null);
        if (degradation != null && view.plan().degradation().isEmpty()) {
            return "routes would be degraded: " + degradation.summary();
        }
        // The results are dropped; the calls make the virtual machine compile the code of a real loss.
        PlanDifference.of(view, plan);
        engines.transition(new PlannedTables(previousPlan, plan), previousPlan, result, options);
        return "";
    }
}
