package io.torussm.daemon.maintenance;

import io.torussm.daemon.config.SmOptions;
import io.torussm.deadlock.chain.RoutingChain;
import io.torussm.event.DeviceText;
import io.torussm.event.EventField;
import io.torussm.event.FatalErrors;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.fabric.Fabric;
import io.torussm.routing.Plan;
import io.torussm.routing.RoutingOptions;
import io.torussm.subnet.Drains;
import io.torussm.subnet.Drains.Drain;
import io.torussm.subnet.Neighbors;
import io.torussm.transport.Loop;
import io.torussm.view.CableHistory;
import io.torussm.view.CableHistory.Ends;
import io.torussm.view.CableHistory.EntryType;
import io.torussm.view.FabricState;
import io.torussm.view.PlacedSubnet;
import io.torussm.view.PublishedView;
import io.torussm.view.RoutingState;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The isolation and release of cables that flap or lose packets. After each sweep, and every ten seconds, it takes the
 * next action from {@link IsolationStep}. It runs {@link DrainBudget} on another thread, and drains or undrains. Owner
 * thread: the {@code sm} loop.
 */
public final class Isolator {
    private static final EventLog EVENTS = EventLog.of(Isolator.class);
    private static final long CHECK_INTERVAL_NS = TimeUnit.SECONDS.toNanos(10);

    /** Time after an isolation within which a link that is down counts as taken down, not as failed. */
    private static final Duration TAKE_DOWN_TIME = Duration.ofSeconds(30);

    private final Loop loop;
    private final Drains drains;
    private final CableHistory history;
    private final Policy policy;
    private final Master master;
    private final Executor executor;
    private final Consumer<Throwable> defects;

    /** Cables that the subnet needs, each with the plan for which this was found. */
    private final Map<Ends, Plan> indispensable = new HashMap<>();

    /** Cables that are reported as indispensable, with their names. */
    private final Map<Ends, DeviceText> reportedIndispensable = new LinkedHashMap<>();

    /** Cables that are reported as isolated. */
    private final Set<Drain> reportedIsolations = new LinkedHashSet<>();

    private boolean isEvaluating;
    private Loop.Timer next = () -> {};

    /**
     * The settings of the operator, and measurements. The suppliers are read again for each decision, on the loop.
     *
     * @param rules conditions for isolation
     * @param routing routing chain of the active routes
     * @param options options of the routing chain
     * @param errors present error counts of ports
     */
    public record Policy(
            Supplier<SmOptions.Isolation> rules,
            Supplier<RoutingChain> routing,
            Supplier<RoutingOptions> options,
            Supplier<CableErrors.Counts> errors) {}

    /**
     * The subnet manager.
     *
     * @param state the discovered and the published subnet; without a view while it is not master
     * @param sweepHeavy starts a sweep of the whole fabric as soon as possible
     */
    public record Master(Supplier<FabricState> state, Runnable sweepHeavy) {}

    /**
     * Creates an isolator that does nothing until the first sweep.
     *
     * @param on executor of {@link DrainBudget}, one task at a time
     * @param defects receiver of exceptions of {@link DrainBudget}
     */
    public Isolator(
            Loop loop,
            Drains drains,
            CableHistory history,
            Policy policy,
            Master master,
            Executor on,
            Consumer<Throwable> defects) {
        this.loop = loop;
        this.drains = drains;
        this.history = history;
        this.policy = policy;
        this.master = master;
        this.executor = on;
        this.defects = defects;
    }

    /** Handles the end of a sweep. */
    public void checkCables() {
        loop.requireInLoop();
        next.cancel();
        FabricState state = master.state().get();
        PublishedView view = state.view();
        if (view == null || isIdle()) {
            return;
        }
        next = loop.schedule(CHECK_INTERVAL_NS, this::checkCables);
        Instant now = loop.timeOfDay();
        SwitchPorts ports = new SwitchPorts(view.subnet().fabric());
        Map<Neighbors.CableEnd, Drain> drained = ports.drainsByEnd(drains.all());
        List<CableErrors> errors = policy.rules().get().isolateErrorRate() == 0
                ? List.of()
                : CableErrors.of(view.placed(), policy.errors().get());
        reportConditions(cables(ports, errors, now), drained, now);
        watch(state, cables(ports, errors, now), now);
        List<CableRecord> cables = cables(ports, errors, now);
        if (!isEvaluating) {
            IsolationStep.IsolationInput known = new IsolationStep.IsolationInput(
                    cables, drains.isolations(), drained, cable -> isRefused(cable, view.plan()));
            IsolationStep step = IsolationStep.next(policy.rules().get(), known, now);
            boolean isSettled = !DrainBudget.isAnyUsed(view.subnet().fabric(), drains.all());
            if (step instanceof IsolationStep.Isolate isolate && isSettled) {
                evaluate(state, view, ports, isolate);
            } else if (step instanceof IsolationStep.Release release) {
                release(release);
            }
        }
    }

    /**
     * Checks that no cable is isolated or may be isolated. A sweep follows each change of settings, so no timer is
     * needed.
     */
    private boolean isIdle() {
        return !policy.rules().get().isOn()
                && drains.isolations().isEmpty()
                && reportedIsolations.isEmpty()
                && reportedIndispensable.isEmpty();
    }

    private List<CableRecord> cables(SwitchPorts ports, List<CableErrors> errors, Instant now) {
        return CableRecord.of(history.entries(), errors, now).stream()
                .filter(cable -> ports.isCable(cable.near().port(), cable.far().port()))
                .toList();
    }

    /**
     * Checks the links of isolated cables. Such a cable carries no data and is not part of the fabric, but its ports
     * report the state of the link.
     */
    private void watch(FabricState state, List<CableRecord> cables, Instant now) {
        PlacedSubnet seen = state.visibleSubnet();
        if (seen == null) {
            return;
        }
        SwitchPorts ports = new SwitchPorts(seen.fabric());
        for (CableRecord cable : cables) {
            boolean isUp = ports.isLinkUp(cable.near().port())
                    && ports.isLinkUp(cable.far().port());
            boolean isSettled = isUp || cable.isolatedFor(now).compareTo(TAKE_DOWN_TIME) > 0;
            boolean hasChanged = cable.isIsolated() && isUp != cable.isUp() && isSettled;
            if (hasChanged && isUp) {
                history.note(now, EntryType.UP, cable.near(), cable.far());
            } else if (hasChanged || (cable.isIsolated() && !isUp && history.isOff(cable.ends()))) {
                boolean isSwitchAbsent = ports.port(cable.near().port()) == Fabric.NONE
                        || ports.port(cable.far().port()) == Fabric.NONE;
                history.noteLoss(now, cable.near(), cable.far(), isSwitchAbsent);
            }
        }
    }

    private boolean isRefused(CableRecord cable, Plan plan) {
        Plan previous = indispensable.get(cable.ends());
        return previous != null && previous.isSameRouting(plan);
    }

    /** Clears the state when another SM becomes master, which makes its own decisions. */
    public void forget() {
        loop.requireInLoop();
        next.cancel();
        indispensable.clear();
        reportedIndispensable.clear();
        reportedIsolations.clear();
    }

    /**
     * Reports the begin and end of conditions. This includes cables that an operator undrained or another SM isolated,
     * since the history contains them.
     */
    private void reportConditions(List<CableRecord> cables, Map<Neighbors.CableEnd, Drain> drained, Instant now) {
        List<Drain> isolations = drains.isolations();
        reportedIsolations.removeIf(drain -> !isolations.contains(drain));
        isolations.stream()
                .filter(drain -> !reportedIsolations.contains(drain))
                .forEach(drain -> reportIsolated(drain, "as before"));
        for (CableRecord cable : cables) {
            Drain near = drained.get(cable.near().port());
            Drain drain = near == null ? drained.get(cable.far().port()) : near;
            if (cable.isIsolated() && (drain == null || !drain.isIsolation())) {
                history.note(now, EntryType.RELEASED, cable.near(), cable.far());
            }
        }
        reportedIndispensable.entrySet().removeIf(each -> {
            boolean isOver = cables.stream()
                    .filter(cable -> cable.ends().equals(each.getKey()))
                    .noneMatch(cable -> !cable.isIsolated()
                            && !IsolationStep.reason(policy.rules().get(), cable, now)
                                    .isEmpty());
            if (isOver) {
                EVENTS.report(SmEvent.LINK_SPARED, EventField.NAME.of(each.getValue()));
            }
            return isOver;
        });
    }

    private void reportIsolated(Drain drain, String reason) {
        reportedIsolations.add(drain);
        EVENTS.report(SmEvent.LINK_ISOLATED, EventField.NAME.of(drain.device()), EventField.REASON.of(reason));
    }

    // --- isolation ---

    private void evaluate(FabricState state, PublishedView view, SwitchPorts ports, IsolationStep.Isolate wanted) {
        Fabric fabric = view.subnet().fabric();
        CableRecord cable = wanted.cable();
        int port = ports.port(cable.near().port());
        int node = fabric.nodeOf(port);
        if (fabric.peer(port) == Fabric.NONE) {
            boolean isSpared = state.routing() == RoutingState.ROUTED;
            applyVerdict(view, wanted, port, isSpared ? "" : "routes are not as they should be without it");
            return;
        }
        String objection = DrainBudget.objection(fabric, drains.all(), node, fabric.portNum(port));
        if (!objection.isEmpty()) {
            applyVerdict(view, wanted, port, objection);
            return;
        }
        RoutingChain chain = policy.routing().get();
        RoutingOptions options = policy.options().get();
        isEvaluating = true;
        try {
            executor.execute(() -> {
                String[] verdict = {"it could not be verified"};
                try {
                    verdict[0] = DrainBudget.of(view.plan(), chain, options, node, fabric.portNum(port))
                            .objection();
                } catch (RuntimeException | Error bug) {
                    defects.accept(bug);
                    FatalErrors.escalate(bug);
                } finally {
                    loop.execute(() -> {
                        isEvaluating = false;
                        applyVerdict(view, wanted, port, verdict[0]);
                    });
                }
            });
        } catch (RejectedExecutionException e) {
            isEvaluating = false; // the SM ends
        }
    }

    /** Handles a verdict. It is valid only for the routes for which it was computed. */
    private void applyVerdict(PublishedView view, IsolationStep.Isolate wanted, int port, String objection) {
        PublishedView currentView = master.state().get().view();
        if (currentView == null) {
            return;
        }
        CableRecord cable = wanted.cable();
        Fabric fabric = view.subnet().fabric();
        String name = "link " + cable.near().text() + " to " + cable.far().text();
        Instant at = loop.timeOfDay();
        Drain drain =
                new Drain(fabric.nodeGuid(fabric.nodeOf(port)), fabric.portNum(port), name, at, Drains.Cause.ISOLATION);
        if (!currentView.plan().isSameRouting(view.plan())) {
            checkCables();
        } else if (objection.isEmpty()) {
            drains.drain(drain);
            history.note(at, EntryType.ISOLATED, cable.near(), cable.far());
            reportIsolated(drain, wanted.reason());
            master.sweepHeavy().run();
        } else {
            indispensable.put(cable.ends(), currentView.plan());
            if (reportedIndispensable.put(cable.ends(), drain.device()) == null) {
                EVENTS.report(
                        SmEvent.LINK_NOT_SPARED,
                        EventField.NAME.of(drain.device()),
                        EventField.REASON.of(wanted.reason() + "; " + objection));
            }
            checkCables();
        }
    }

    private void release(IsolationStep.Release wanted) {
        drains.undrain(wanted.drain());
        reportedIsolations.remove(wanted.drain());
        EVENTS.report(
                SmEvent.ISOLATION_OVER,
                EventField.NAME.of(wanted.drain().device()),
                EventField.REASON.of(wanted.reason()));
        CableRecord cable = wanted.cable();
        if (cable != null) {
            history.note(loop.timeOfDay(), EntryType.RELEASED, cable.near(), cable.far());
        }
        master.sweepHeavy().run();
    }
}
