package io.torussm.sweep;

import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.RoutingChain;
import io.torussm.event.FatalErrors;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.fabric.Fabric;
import io.torussm.fabric.NodePort;
import io.torussm.routing.Degradation;
import io.torussm.routing.Plan;
import io.torussm.routing.Remembered;
import io.torussm.routing.RoutingOptions;
import io.torussm.subnet.Subnet;
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
 * Plays the loss of a few cables through while there is nothing else to do: routes, proves and finds the order of change
 * for the fabric with one cable less, and throws that away. Code that was run is compiled, so the first cable that is lost
 * in earnest is answered sooner; and cables without which no engine has routes are named while they still work: where one of a
 * ring is found, the others of that ring are played, too, and all are one line.
 *
 * <p>Last comes the loss of a whole switch, which takes the same code by other ways (SLs and tables of hosts that are gone, another tree for
 * multicast); nothing is said of it.
 *
 * <p>First of all the proof that rests on the one before is made once more, as a whole: should it ever be another, the routes are
 * computed and proved anew.
 *
 * <p>One cable at a time, and none while no engine routes the fabric as it is: no cable is blamed for what others lack, or for a
 * file. When a sweep begins the cable being played is the last. Owner thread: the loop.
 */
final class FailurePrecheck {
    private static final String NO_ROUTES = "there would be no routes";
    private static final EventLog EVENTS = EventLog.of(FailurePrecheck.class);

    /** How long nothing may have been to do before a cable is played. */
    static final long QUIET_NS = TimeUnit.SECONDS.toNanos(1);

    /** Fabrics with more forwarding entries are left alone: the memory is better kept for what is needed. */
    private static final long MOST_ENTRIES = 1 << 26;

    /** Cables of one ring that are played because one of them is critical, and cables that one line names. */
    private static final int MAX_OF_RING = 16;

    /** So long nothing is said of a cable again. */
    private static final long SILENCE_NS = TimeUnit.HOURS.toNanos(1);

    /** Cables that are remembered for that; beyond this all are forgotten. */
    private static final int MAX_REMEMBERED = 1 << 12;

    private final Loop loop;
    private final Supplier<Known> known;
    private final BooleanSupplier isResting;
    private final Runnable mistrust;

    /** Cables played so far, over all plans, so that each plan is tried with others. */
    private int played;

    private int left;
    private boolean isSwitchLeft;
    private boolean isProofLeft;
    private boolean isWaiting;
    private boolean isStopped;
    private @Nullable Plan subject;

    /** Cables of the same ring as a critical one that are still to be played. */
    private final ArrayDeque<NodePort> ring = new ArrayDeque<>();

    /** Whether the price of a loss was reported of the present routes. */
    private boolean isCostSaid;

    private CriticalCables found = CriticalCables.NONE;

    /** When it was said of a cable. */
    private final Map<NodePort, Long> saidNs = new HashMap<>();

    /**
     * Creates a precheck that waits to be asked for.
     *
     * @param known asked anew for each cable
     * @param isResting whether there is nothing else to do
     * @param mistrust called if the proof that was made from the one before does not hold
     */
    FailurePrecheck(Loop loop, Supplier<Known> known, BooleanSupplier isResting, Runnable mistrust) {
        this.loop = loop;
        this.known = known;
        this.isResting = isResting;
        this.mistrust = mistrust;
    }

    /**
     * Plays some cables of the subnet that is published, unless that was done for the same routes.
     *
     * @param cables at most so many
     * @param on where it is computed
     */
    void begin(int cables, RoutingOptions options, Executor on) {
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

    /** Whether nothing is left to be played. */
    boolean isDone() {
        return !isWaiting;
    }

    /** No cable is played from now on, whoever asks: the executor may be gone. */
    void stop() {
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
        Known.Policy policy = known.get().policy();
        boolean isRouted = view != null && view.plan().standing().isEmpty();
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
        Fabric whole = view.subnet().fabric();
        NodePort cable = !ring.isEmpty() ? ring.poll() : left > 0 ? another(whole) : null;
        if (cable != null) {
            SingleFailure failure = new SingleFailure(cable);
            compute(options, on, () -> play(view, policy, options, failure), effect -> played(view, cable, effect));
            return;
        }
        left = 0;
        isSwitchLeft = false;
        if (whole.switchCount() == 0) {
            return;
        }
        SingleFailure lost = new SingleFailure(whole.nodePort(whole.port(played % whole.switchCount(), 0)));
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

    /** The next cable in turn; null if there is none. */
    private @Nullable NodePort another(Fabric whole) {
        left--;
        int[] cables = SingleFailure.cables(whole);
        // far apart, and in different directions
        return cables.length == 0 ? null : whole.nodePort(cables[(int) (played++ * 7919L % cables.length)]);
    }

    /** A proof in whose place there is a newer one matters no more. */
    private void judged(Certificate proof, String doubts) {
        Known.Policy policy = known.get().policy();
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

    /** Checks whether nothing is lost, as far as the engine can tell. */
    private static boolean isWhole(Plan plan) {
        return plan.findings().stream().noneMatch(finding -> finding.severity() == Finding.Severity.WARNING);
    }

    /**
     * Plays a failure. Pure.
     *
     * @return what would become of the routes, if that is bad; else empty, as for a failure that cannot be
     */
    static String play(PublishedView view, Known.Policy policy, RoutingOptions options, SingleFailure failure) {
        RoutingChain engines = policy.chain();
        Fabric fabric = failure.in(view.subnet().fabric());
        if (fabric == null) {
            return "";
        }
        Plan before = view.plan().asRouted();
        Subnet subnet = view.subnet().on(fabric);
        RoutingChain.ChainResult result = engines.route(subnet, options, before, Remembered.of(before), policy.proof());
        Plan plan = result.plan();
        if (plan == null) {
            return NO_ROUTES;
        }
        Degradation degradation = plan.degradation().orElse(null);
        if (degradation != null && view.plan().degradation().isEmpty()) {
            return "routes would be degraded: " + degradation.summary();
        }
        PlanDifference.of(view, plan);
        engines.transition(new PlannedTables(before, plan), before, result, options);
        return "";
    }
}
