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
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The trial of the loss of a few cables while no other work is due. It computes routes, proof and order of
 * writes for the fabric without one cable, and drops them. This has two benefits. The code is compiled then,
 * so that the reaction to the first real loss is faster. And cables without which no engine has routes are
 * reported in advance. If one cable of a ring is such, the others of that ring are tried too, and all are one
 * event.
 *
 * <p>The last trial is the loss of a whole switch, which uses other code paths (SLs and tables of absent
 * hosts, another multicast tree); its result is not reported.
 *
 * <p>Before all trials, an incremental proof is repeated as a whole. If the two ever differ, routes are
 * computed and proved again.
 *
 * <p>One cable at a time, and none while no engine routes the present fabric: a cable is not blamed for other
 * losses, or for a file. If a sweep begins, the present trial is the last. Owner thread: the loop.
 */
public final class FailurePrecheck {
    private static final String NO_ROUTES = "there would be no routes";
    private static final EventLog EVENTS = EventLog.of(FailurePrecheck.class);

    /** The time without other work before a trial. */
    public static final long QUIET_NS = TimeUnit.SECONDS.toNanos(1);

    /** The limit of forwarding entries; in larger fabrics there are no trials, to save memory. */
    private static final long MOST_ENTRIES = 1 << 26;

    /**
     * Limit of the cables of one ring that are tried because one of them is critical, and of the cables that
     * one event names.
     */
    private static final int MAX_OF_RING = 16;

    /** The time for which an event for a cable is not repeated. */
    private static final long SILENCE_NS = TimeUnit.HOURS.toNanos(1);

    /** Limit of the remembered cables; beyond it all are forgotten. */
    private static final int MAX_REMEMBERED = 1 << 12;

    private final Loop loop;
    private final Supplier<SweepState> known;
    private final BooleanSupplier isResting;
    private final Runnable mistrust;

    /** Number of trials over all plans, so that other cables are tried for each plan. */
    private int played;

    private int left;
    private boolean isSwitchLeft;
    private boolean isProofLeft;
    private boolean isWaiting;
    private boolean isStopped;
    private @Nullable Plan subject;

    /** Cables of the same ring as a critical one that are still to be tried. */
    private final ArrayDeque<NodePort> ring = new ArrayDeque<>();

    /** Set if the cost of a loss was reported for the present routes. */
    private boolean isCostSaid;

    private CriticalCables found = CriticalCables.NONE;

    /** Time of the event for a cable. */
    private final Map<NodePort, Long> saidNs = new HashMap<>();

    /**
     * Creates the precheck; it starts on request.
     *
     * @param known read for each cable
     * @param isResting checks that no other work is due
     * @param mistrust callback, called if the incremental proof does not hold
     */
    public FailurePrecheck(Loop loop, Supplier<SweepState> known, BooleanSupplier isResting, Runnable mistrust) {
        this.loop = loop;
        this.known = known;
        this.isResting = isResting;
        this.mistrust = mistrust;
    }

    /**
     * Tries the loss of some cables of the published subnet, unless that was done for the same routes.
     *
     * @param cables limit of the trials
     * @param on executor of the computation
     */
    public void begin(int cables, RoutingOptions options, Executor on) {
        PublishedView view = known.get().view();
        Plan routed = view == null ? null : view.plan().asRouted();
        if (routed == null || routed == subject) {
            return;
        }
        subject = routed;
        isProofLeft = true;
        ring.clear();
        found = CriticalCables.NONE;
        isCostSaid = false;
        long entries =
                (long) routed.subnet().fabric().switchCount() * routed.subnet().topLid();
        left = entries > MOST_ENTRIES ? 0 : cables;
        isSwitchLeft = left > 0;
        await(options, on);
    }

    /** Checks whether no trial is left. */
    public boolean isDone() {
        return !isWaiting;
    }

    /** Ends all trials, present and future, because the executor may be shut down. */
    public void stop() {
        isStopped = true;
    }

    private void await(RoutingOptions options, Executor on) {
        if ((left > 0 || !ring.isEmpty() || isSwitchLeft || isProofLeft) && !isWaiting) {
            isWaiting = true;
            loop.schedule(QUIET_NS, () -> {
                isWaiting = false;
                next(options, on);
            });
        }
    }

    private void next(RoutingOptions options, Executor on) {
        PublishedView view = known.get().view();
        SweepState.Policy policy = known.get().policy();
        boolean isRouted = view != null && view.plan().retention().isEmpty();
        if (isStopped || view == null || !isRouted || policy == null) {
            return;
        }
        if (!isResting.getAsBoolean()) {
            await(options, on);
            return;
        }
        Certificate proof = policy.proof();
        if (isProofLeft && proof != null && proof.isIncremental()) {
            isProofLeft = false;
            compute(options, on, () -> policy.chain().doubts(proof), doubts -> judged(proof, doubts));
            return;
        }
        isProofLeft = false;
        if (left == 0 && ring.isEmpty() && !isSwitchLeft) {
            return;
        }
        Fabric wholeFabric = view.subnet().fabric();
        NodePort cable = !ring.isEmpty() ? ring.poll() : left > 0 ? another(wholeFabric) : null;
        if (cable != null) {
            SingleFailure failure = new SingleFailure(cable);
            compute(options, on, () -> play(view, policy, options, failure), effect -> played(view, cable, effect));
            return;
        }
        left = 0;
        isSwitchLeft = false;
        if (wholeFabric.switchCount() == 0) {
            return;
        }
        SingleFailure lost =
                new SingleFailure(wholeFabric.nodePort(wholeFabric.port(played % wholeFabric.switchCount(), 0)));
        compute(options, on, () -> play(view, policy, options, lost), effect -> {});
    }

    private void compute(RoutingOptions options, Executor on, Supplier<String> playing, Consumer<String> then) {
        isWaiting = true;
        on.execute(() -> {
            String effect = "";
            try {
                effect = playing.get();
            } catch (RuntimeException | Error bug) {
                EVENTS.report(SmEvent.PRECHECK_DEFECT, bug);
                FatalErrors.escalate(bug);
            } finally {
                String came = effect;
                loop.execute(() -> {
                    isWaiting = false;
                    then.accept(came);
                    await(options, on);
                });
            }
        });
    }

    /** Returns the next cable in turn; null if there is none. */
    private @Nullable NodePort another(Fabric wholeFabric) {
        left--;
        int[] cables = SingleFailure.cables(wholeFabric);
        // far apart, and in different directions
        return cables.length == 0 ? null : wholeFabric.nodePort(cables[(int) (played++ * 7919L % cables.length)]);
    }

    /** Handles the repeated proof; it is ignored if there is a newer one. */
    private void judged(Certificate proof, String doubts) {
        SweepState.Policy policy = known.get().policy();
        if (!doubts.isEmpty() && policy != null && policy.proof() == proof) {
            EVENTS.report(SmEvent.PROOF_DOUBTED.says(doubts));
            mistrust.run();
        }
    }

    private void played(PublishedView view, NodePort cable, String effect) {
        if (!effect.isEmpty()) {
            if (found.isEmpty()) {
                ring.addAll(CriticalCables.sameRing(view.plan(), cable, MAX_OF_RING));
            }
            found = found.with(cable, effect);
        }
        if (ring.isEmpty() && !found.isEmpty()) {
            say(view);
            found = CriticalCables.NONE;
        }
    }

    private void say(PublishedView view) {
        long nowNs = loop.nowNs();
        saidNs.values().removeIf(ns -> nowNs - ns >= SILENCE_NS);
        if (saidNs.keySet().containsAll(found.cables())) {
            return;
        }
        if (saidNs.size() > MAX_REMEMBERED) {
            saidNs.clear();
        }
        found.cables().forEach(cable -> saidNs.put(cable, nowNs));
        boolean isCost = isWhole(view.plan()) && !found.effect().equals(NO_ROUTES);
        if (!isCost || !isCostSaid) {
            EVENTS.report((isCost ? SmEvent.SINGLE_FAILURE_COST : SmEvent.SINGLE_FAILURE)
                    .says(found.text(view.plan(), MAX_OF_RING)));
        }
        isCostSaid |= isCost;
    }

    /** Checks whether the engine reports no loss. */
    private static boolean isWhole(Plan plan) {
        return plan.findings().stream().noneMatch(finding -> finding.severity() == Finding.Severity.WARNING);
    }

    /**
     * Tries a failure. Pure.
     *
     * @return the effect on the routes, if it is bad; else empty, also for an impossible failure
     */
    static String play(PublishedView view, SweepState.Policy policy, RoutingOptions options, SingleFailure failure) {
        RoutingChain engines = policy.chain();
        Fabric fabric = failure.in(view.subnet().fabric());
        if (fabric == null) {
            return "";
        }
        Plan previousPlan = view.plan().asRouted();
        Subnet subnet = view.subnet().on(fabric);
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
        PlanDifference.of(view, plan);
        engines.transition(new PlannedTables(previousPlan, plan), previousPlan, result, options);
        return "";
    }
}
