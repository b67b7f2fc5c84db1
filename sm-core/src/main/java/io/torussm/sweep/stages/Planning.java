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
    private final @Nullable ReadyPlans ready;
    private final Listener listener;

    /** The policy with which engines were run last; null before the first run. */
    private SweepState.@Nullable Policy policy;

    /** The found subnet with LIDs; null before LIDs are assigned. */
    private @Nullable PlacedSubnet placed;

    /** The findings of engines; null if none was run. */
    private @Nullable List<Finding> said;

    private SweepCounts.@Nullable Proof proof;

    /** The effect of the plan on clients of the published plan; null until it is computed. */
    private @Nullable PlanDifference difference;

    /** The continuation after the difference is computed. */
    private Runnable whenCompared = () -> {};

    private FabricState before = FabricState.NOTHING;

    /** The absences of the found fabric; null until they are needed. */
    private @Nullable Absences absences;

    private boolean isRefused;

    /** Indexes of ports with an excluded device behind them. */
    private BitSet borders = new BitSet();

    /**
     * The input of the computation.
     *
     * @param kind kind of the sweep
     * @param known the state with the discovery of this sweep
     * @param before the fabric state after the previous sweep
     * @param comparison comparison of the remembered view, in the first sweep of a mastership
     */
    public record Input(
            SweepCounts.SweepScope kind,
            SweepState known,
            PartitionSettings partitions,
            FabricState before,
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
        void decided(SweepState.Policy policy);

        /** Receives the routes to program: new ones, or the active ones. */
        void planned(Plan plan, Routed routed);

        /** Receives the refusal: no engine has routes, and none are active. */
        void refused(List<Finding> findings);

        /** Ends the sweep, because the whole fabric must be read first. */
        void widened();

        /** Ends the sweep, because it is preempted. */
        void superseded();

        /** Ends the sweep, because LIDs cannot be assigned. */
        void failed(String problem);
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
        this.ready = ready;
        this.listener = listener;
        this.proof = counts.proof();
    }

    /** Starts with a discovered fabric. */
    public void start(Fabric fabric, Input input) {
        policy = input.known().policy();
        before = input.before();
        address(fabric, input);
    }

    private void address(Fabric found, Input input) {
        Addressing.Addressed addressed = new Addressing(faults, settings, memory.lids())
                .address(found, input.kind() == SweepCounts.SweepScope.HEAVY, input.known());
        stages.errors().tolerate(addressed.admitted().tolerated());
        borders = addressed.admitted().borders();
        Subnet subnet = addressed.subnet();
        if (subnet == null) {
            listener.failed(addressed.problem());
            return;
        }
        Map<Long, CoordinateStore.Place> places = memory.places().known();
        placed = PlacedSubnet.at(places, subnet);
        input.comparison().compare(subnet);
        stages.run(routes(subnet, places, input), subnet, routed -> onRouted(subnet, routed, input));
    }

    /**
     * Returns the stage that computes routes. If a local sweep found changes of hosts or leaf switches only, the stage
     * retains the published routes instead.
     */
    private Stage<Subnet, Routed> routes(Subnet subnet, Map<Long, CoordinateStore.Place> places, Input input) {
        PublishedView published = input.known().view();
        SweepState.Policy lastPolicy = policy;
        RoutingChain engines = input.isLocal() && lastPolicy != null
                ? lastPolicy.chain()
                : parts.routing().get();
        Optional<Stage<Subnet, Routed>> retainedRoutes =
                published == null || !input.isLocal() || input.known().left().isUnfinished()
                        ? Optional.empty()
                        : retained(published, engines, subnet);
        if (retainedRoutes.isPresent()) {
            difference = PlanDifference.NONE;
            return retainedRoutes.get();
        }
        Certificate lastProof = lastPolicy == null ? null : lastPolicy.proof();
        decide(new SweepState.Policy(engines, input.partitions(), lastProof));
        counts.routed();
        return new Routing(
                parts.pool(),
                engines,
                settings.routingOptions(),
                new Routing.Before(
                        published,
                        lastProof,
                        new EarlierFacts(places, memory.trees().tree()),
                        ready,
                        parts.remembered()),
                published == null ? Map.of() : programmers.tables().stale(published.plan(), subnet.fabric()),
                programmers.tables().reading(memory.lids().topLid()),
                this::onCompared);
    }

    private void decide(SweepState.Policy newPolicy) {
        policy = newPolicy;
        listener.decided(newPolicy);
    }

    private Optional<Stage<Subnet, Routed>> retained(PublishedView published, RoutingChain engines, Subnet subnet) {
        Plan plan = published.plan();
        Optional<Plan> samePlan = plan.on(subnet);
        boolean isForwarding =
                !programmers.tables().stale(plan, subnet.fabric()).isEmpty();
        Optional<Plan> wholePlan = samePlan.isPresent() || isForwarding
                ? Optional.empty()
                : RetainedRoutes.withoutLeaves(plan, published.multicast(), subnet);
        return samePlan.<Stage<Subnet, Routed>>map(it -> new ReusedPlan(published, it))
                .or(() -> wholePlan.map(it -> new RemainingRoutes(
                        parts.pool(), engines, settings.routingOptions(), published, currentSubnet -> wholePlan)));
    }

    private void onRouted(Subnet subnet, Routed routed, Input input) {
        if (listener.isOver()) {
            listener.superseded();
            return;
        }
        RoutingChain.ChainResult result = routed.result();
        if (result != null) {
            said = result.findings();
            if (result.verdict() instanceof Certificate certificate) {
                decide(Objects.requireNonNull(policy).with(certificate));
            }
            place(result);
            parts.listener().accept(new SweepEvent.EnginesRan(result));
        }
        Plan plan = routed.plan();
        // Drains may be cancelled here, because nothing is written yet: the next sweep also reads the devices that
        // are no longer drained.
        boolean isAsItShouldBe =
                plan != null && (result == null || plan.degradation().isEmpty());
        if (isAsItShouldBe) {
            faults.quarantine().afford();
        }
        if (!isAsItShouldBe && faults.quarantine().giveBack()) {
            listener.widened();
        } else if (plan == null) {
            onRefused(subnet, Objects.requireNonNull(result, "the published routes are not refused"), input);
        } else {
            judge(plan, result, input);
            listener.planned(plan, routed);
        }
    }

    /** Records the coordinates of switches; an engine may have coordinates even if it refuses the fabric. */
    private void place(RoutingChain.ChainResult result) {
        PlacedSubnet addresses = placed;
        Plan partial = result.partial();
        if (addresses != null && partial != null) {
            placed = new PlacedSubnet(addresses.subnet(), partial.explainer());
        }
    }

    private void judge(Plan plan, RoutingChain.@Nullable ChainResult result, Input input) {
        if (result == null) {
            counts.judged(Judgement.RETAINED);
            return;
        }
        proof = SweepCounts.Proof.of(result.verdict());
        counts.judged(proof == null ? Judgement.UNPROVED : Judgement.CERTIFIED);
        faults.routed().look(result.findings(), absences()::isLoss);
        if (input.known().view() == null) {
            memory.places().changesTo(plan.subnet().fabric(), plan::coordinates).forEach(EVENTS::report);
        }
    }

    private void onRefused(Subnet subnet, RoutingChain.ChainResult refused, Input input) {
        counts.judged(Judgement.REFUSED);
        Fabric found = input.known().fabric();
        if (found != null && faults.quarantine().widen(found)) {
            address(found, input);
        } else {
            stay(subnet, refused, input);
        }
    }

    /**
     * Retains the published routes, or the tables that switches contain, because no engine routes the subnet. The
     * devices that these routes serve are programmed.
     */
    private void stay(Subnet subnet, RoutingChain.ChainResult refused, Input input) {
        isRefused = true;
        faults.routed()
                .lookAtPart(
                        refused.findings().stream()
                                .filter(finding -> finding.severity() == Finding.Severity.WARNING)
                                .toList(),
                        absences()::isLoss);
        RetainedRoutesStage active = new RetainedRoutesStage(
                parts.pool(),
                Objects.requireNonNull(policy).chain(),
                settings.routingOptions(),
                refused.partial(),
                input.known().view(),
                programmers.tables().reading(memory.lids().topLid()));
        stages.run(active, subnet, found -> {
            Plan plan = found.routed().plan();
            if (plan == null) {
                List<Finding> findings = new ArrayList<>(refused.findings());
                findings.addAll(found.reasons());
                listener.refused(findings);
            } else {
                listener.planned(plan, found.routed());
            }
        });
    }

    /**
     * Returns the absences, which are reported at the end of the sweep, so that the same findings of engines are not
     * reported. Empty in the first discovery.
     */
    private Absences absences() {
        PlacedSubnet currentSubnet = placed;
        if (before.found() == null || currentSubnet == null) {
            return Absences.NONE;
        } else if (absences == null) {
            absences = FabricStates.absences(
                    before,
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
                        !absences().isLoss(change) && !before.absences().isLoss(change))
                .toList();
        faults.routed().changed(changes);
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
    public FabricStates.Seen seen() {
        return new FabricStates.Seen(placed, said);
    }

    /** Handles the publication of the subnet with the last answers of its ports. */
    public void published(Fabric fabric) {
        if (placed != null && isRefused) {
            placed = placed.answering(fabric);
        }
        counts.changedSls(difference == null ? 0 : difference.changedSls());
        counts.published(proof);
    }
}
