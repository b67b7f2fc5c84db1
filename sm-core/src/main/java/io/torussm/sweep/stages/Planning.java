package io.torussm.sweep.stages;

import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.chain.RoutingChain;
import io.torussm.event.Finding;
import io.torussm.event.log.EventLog;
import io.torussm.fabric.Fabric;
import io.torussm.partition.PartitionSettings;
import io.torussm.program.Programmers;
import io.torussm.program.smp.SweepSettings;
import io.torussm.routing.EarlierFacts;
import io.torussm.routing.Plan;
import io.torussm.routing.RetainedRoutes;
import io.torussm.stage.Stage;
import io.torussm.subnet.CoordinateStore;
import io.torussm.subnet.Subnet;
import io.torussm.subnet.SubnetMemory;
import io.torussm.sweep.idle.ReadyPlans;
import io.torussm.sweep.state.FabricStates;
import io.torussm.sweep.state.PlanDifference;
import io.torussm.sweep.state.SweepCounts;
import io.torussm.sweep.state.SweepCounts.Judgement;
import io.torussm.sweep.state.SweepEvent;
import io.torussm.sweep.state.SweepState;
import io.torussm.view.Absences;
import io.torussm.view.FabricState;
import io.torussm.view.PlacedSubnet;
import io.torussm.view.PublishedView;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The computation of a sweep between reading and writing: the devices of the subnet, their LIDs, and routes.
 * If no engine routes the fabric, the active routes remain. The methods are in the order of execution. An instance is
 * used once. Owner thread: the loop; routes are computed on the pool.
 */
public final class Planning {
    private static final EventLog EVENTS = EventLog.of(Planning.class);

    private final SweepContext parts;
    private final SweepSettings settings;
    private final SubnetMemory memory;
    private final StageRunner stages;
    private final Programmers programmers;
    private final DeviceFaults faults;
    private final SweepCounts counts;
    private final @Nullable ReadyPlans readyPlans;
    private final Listener listener;

    /** The policy with which engines were run last; null before the first run. */
    private SweepState.@Nullable Policy policy;

    /** The found subnet with LIDs; null before LIDs are assigned. */
    private @Nullable PlacedSubnet placed;

    /** The findings of engines; null if none was run. */
    private @Nullable List<Finding> engineFindings;

    private SweepCounts.@Nullable Proof proof;

    /** The effect of the plan on clients of the published plan; null until it is computed. */
    private @Nullable PlanDifference difference;

    /** The continuation after the difference is computed. */
    private Runnable whenCompared = () -> {};

    private FabricState previousState = FabricState.NOTHING;

    /** The absences of the found fabric; null until they are needed. */
    private @Nullable Absences absences;

    private boolean isRefused;

    /** Indexes of ports with an excluded device behind them. */
    private BitSet borders = new BitSet();

    /**
     * The input of the computation.
     *
     * @param kind kind of the sweep
     * @param sweepState the state with the discovery of this sweep
     * @param previousState the fabric state after the previous sweep
     * @param comparison comparison of the remembered view, in the first sweep of a mastership
     */
    public record Input(
            SweepCounts.SweepScope kind,
            SweepState sweepState,
            PartitionSettings partitions,
            FabricState previousState,
            ViewComparison comparison) {
        private boolean isLocal() {
            return kind == SweepCounts.SweepScope.LOCAL;
        }
    }

    /**
     * The consumer of the outcome, on the loop. Exactly one of planned, refused, widened, superseded and failed is
     * called, once.
     */
    public interface Listener {
        /** Checks whether the sweep is preempted now. */
        boolean isOver();

        /** Receives the contents of the operator's files; again with the proof that was made with them. */
        void onPolicy(SweepState.Policy policy);

        /** Receives the routes to program: new ones, or the active ones. */
        void onPlan(Plan plan, Routed routed);

        /** Receives the refusal: no engine has routes, and none are active. */
        void onRefusal(List<Finding> findings);

        /** Ends the sweep, because the whole fabric must be read first. */
        void onWidening();

        /** Ends the sweep, because it is preempted. */
        void onSupersession();

        /** Ends the sweep, because LIDs cannot be assigned. */
        void onFailure(String problem);
    }

    /**
     * Creates the computation.
     *
     * @param ready precomputed plans; null if there are none
     */
    public Planning(
            SweepContext parts,
            SweepSettings settings,
            StageRunner stages,
            Programmers programmers,
            DeviceFaults faults,
            SweepCounts counts,
            @Nullable ReadyPlans ready,
            Listener listener) {
        this.parts = parts;
        this.settings = settings;
        this.memory = parts.memory();
        this.stages = stages;
        this.programmers = programmers;
        this.faults = faults;
        this.counts = counts;
        this.readyPlans = ready;
        this.listener = listener;
        this.proof = counts.proof();
    }

    /** Starts with a discovered fabric. */
    public void start(Fabric fabric, Input input) {
        policy = input.sweepState().policy();
        previousState = input.previousState();
        address(fabric, input);
    }

    private void address(Fabric found, Input input) {
        Addressing.AddressedSubnet addressed = new Addressing(faults, settings, memory.lids(), memory.vportLids())
                .address(found, input.kind() == SweepCounts.SweepScope.HEAVY, input.sweepState());
        stages.errors().tolerate(addressed.admitted().tolerated());
        borders = addressed.admitted().borders();
        Subnet subnet = addressed.subnet();
        if (subnet == null) {
            listener.onFailure(addressed.problem());
            return;
        }
        Map<Long, CoordinateStore.Place> places = memory.places().knownPlaces();
        placed = PlacedSubnet.at(places, subnet);
        input.comparison().compare(subnet);
        stages.run(routes(subnet, places, input), subnet, routed -> onRouted(subnet, routed, input));
    }

    /**
     * Returns the stage that computes routes. If a local sweep found changes of hosts or leaf switches only, the stage
     * retains the published routes instead.
     */
    private Stage<Subnet, Routed> routes(Subnet subnet, Map<Long, CoordinateStore.Place> places, Input input) {
        PublishedView published = input.sweepState().view();
        SweepState.Policy lastPolicy = policy;
        RoutingChain engines = input.isLocal() && lastPolicy != null
                ? lastPolicy.chain()
                : parts.routing().get();
        Optional<Stage<Subnet, Routed>> retainedRoutes = published == null
                        || !input.isLocal()
                        || input.sweepState().openWork().isUnfinished()
                ? Optional.empty()
                : retained(published, engines, subnet);
        if (retainedRoutes.isPresent()) {
            difference = PlanDifference.NONE;
            return retainedRoutes.get();
        }
        Certificate lastProof = lastPolicy == null ? null : lastPolicy.proof();
        decide(new SweepState.Policy(engines, input.partitions(), lastProof));
        counts.countRouting();
        return new Routing(
                parts.pool(),
                engines,
                settings.routingOptions(),
                new Routing.PreviousState(
                        published,
                        lastProof,
                        new EarlierFacts(places, memory.trees().tree()),
                        readyPlans,
                        parts.remembered()),
                published == null ? Map.of() : programmers.tables().staleTables(published.plan(), subnet.fabric()),
                programmers.tables().reading(memory.lids().topLid()),
                this::onCompared);
    }

    private void decide(SweepState.Policy newPolicy) {
        policy = newPolicy;
        listener.onPolicy(newPolicy);
    }

    private Optional<Stage<Subnet, Routed>> retained(PublishedView published, RoutingChain engines, Subnet subnet) {
        Plan plan = published.plan();
        Optional<Plan> samePlan = plan.onSubnet(subnet);
        boolean isForwarding =
                !programmers.tables().staleTables(plan, subnet.fabric()).isEmpty();
        Optional<Plan> wholePlan = samePlan.isPresent() || isForwarding
                ? Optional.empty()
                : RetainedRoutes.withoutLeaves(plan, published.multicast(), subnet);
        return samePlan.<Stage<Subnet, Routed>>map(it -> new ReusedPlan(published, it))
                .or(() -> wholePlan.map(it -> new RemainingRoutes(
                        parts.pool(), engines, settings.routingOptions(), published, currentSubnet -> wholePlan)));
    }

    private void onRouted(Subnet subnet, Routed routed, Input input) {
        if (listener.isOver()) {
            listener.onSupersession();
            return;
        }
        RoutingChain.ChainResult result = routed.result();
        if (result != null) {
            engineFindings = result.findings();
            if (result.verdict() instanceof Certificate certificate) {
                decide(Objects.requireNonNull(policy).with(certificate));
            }
            recordCoordinates(result);
            parts.listener().accept(new SweepEvent.EnginesRan(result));
        }
        Plan plan = routed.plan();
        // Drains may be cancelled here, because nothing is written yet: the next sweep also reads the devices that
        // are no longer drained.
        boolean isAsItShouldBe =
                plan != null && (result == null || plan.degradation().isEmpty());
        if (isAsItShouldBe) {
            faults.quarantine().confirmDrains();
        }
        if (!isAsItShouldBe && faults.quarantine().cancelDrains()) {
            listener.onWidening();
        } else if (plan == null) {
            onRefused(subnet, Objects.requireNonNull(result, "the published routes are not refused"), input);
        } else {
            recordVerdict(plan, result, input);
            listener.onPlan(plan, routed);
        }
    }

    /** Records the coordinates of switches; an engine may have coordinates even if it refuses the fabric. */
    private void recordCoordinates(RoutingChain.ChainResult result) {
        PlacedSubnet addresses = placed;
        Plan partial = result.partialPlan();
        if (addresses != null && partial != null) {
            placed = new PlacedSubnet(addresses.subnet(), partial.explainer());
        }
    }

    private void recordVerdict(Plan plan, RoutingChain.@Nullable ChainResult result, Input input) {
        if (result == null) {
            counts.countJudgement(Judgement.RETAINED);
            return;
        }
        proof = SweepCounts.Proof.of(result.verdict());
        counts.countJudgement(proof == null ? Judgement.UNPROVED : Judgement.CERTIFIED);
        faults.routed().update(result.findings(), absences()::isLoss);
        if (input.sweepState().view() == null) {
            memory.places().changesTo(plan.subnet().fabric(), plan::coordinates).forEach(EVENTS::report);
        }
    }

    private void onRefused(Subnet subnet, RoutingChain.ChainResult refused, Input input) {
        counts.countJudgement(Judgement.REFUSED);
        Fabric found = input.sweepState().fabric();
        if (found != null && faults.quarantine().excludeWholeSwitches(found)) {
            address(found, input);
        } else {
            retainRoutes(subnet, refused, input);
        }
    }

    /**
     * Retains the published routes, or the tables that switches contain, because no engine routes the subnet. The
     * devices that these routes serve are programmed.
     */
    private void retainRoutes(Subnet subnet, RoutingChain.ChainResult refused, Input input) {
        isRefused = true;
        faults.routed()
                .updatePart(
                        refused.findings().stream()
                                .filter(finding -> finding.severity() == Finding.Severity.WARNING)
                                .toList(),
                        absences()::isLoss);
        RetainedRoutesStage active = new RetainedRoutesStage(
                parts.pool(),
                Objects.requireNonNull(policy).chain(),
                settings.routingOptions(),
                refused.partialPlan(),
                input.sweepState().view(),
                programmers.tables().reading(memory.lids().topLid()));
        stages.run(active, subnet, found -> {
            Plan plan = found.routed().plan();
            if (plan == null) {
                List<Finding> findings = new ArrayList<>(refused.findings());
                findings.addAll(found.reasons());
                listener.onRefusal(findings);
            } else {
                listener.onPlan(plan, found.routed());
            }
        });
    }

    /**
     * Returns the absences, which are reported at the end of the sweep, so that the same findings of engines are not
     * reported. Empty in the first discovery.
     */
    private Absences absences() {
        PlacedSubnet currentSubnet = placed;
        if (previousState.found() == null || currentSubnet == null) {
            return Absences.NONE;
        } else if (absences == null) {
            absences = FabricStates.absences(
                    previousState,
                    currentSubnet,
                    faults.quarantine()::isLeftOut,
                    memory,
                    parts.loop().timeOfDay());
        }
        return absences;
    }

    /** Handles the comparison with the published plan. Writes of tables do not wait for it; the publication does. */
    private void onCompared(PlanDifference found) {
        List<Finding> changes = found.findings().stream()
                .filter(change ->
                        !absences().isLoss(change) && !previousState.absences().isLoss(change))
                .toList();
        faults.routed().reportChanges(changes);
        parts.listener().accept(new SweepEvent.RoutesCompared(changes, found.changedSls()));
        difference = found;
        whenCompared.run();
    }

    // --- results for the rest of the sweep ---

    /** Continues when the effect of the plan on clients of the published plan is known. */
    public void whenCompared(Runnable next) {
        if (difference == null) {
            whenCompared = next;
        } else {
            next.run();
        }
    }

    /** Returns the indexes of ports with an excluded device behind them. */
    public BitSet borders() {
        return borders;
    }

    /** Checks whether no engine routes the subnet. */
    public boolean isRefused() {
        return isRefused;
    }

    /** Returns the found subnet, and the findings of engines. */
    public FabricStates.SweepObservation seen() {
        return new FabricStates.SweepObservation(placed, engineFindings);
    }

    /** Handles the publication of the subnet with the last answers of its ports. */
    public void onPublication(Fabric fabric) {
        if (placed != null && isRefused) {
            placed = placed.withAnswersOf(fabric);
        }
        counts.changedSls(difference == null ? 0 : difference.changedSls());
        counts.setProof(proof);
    }
}
