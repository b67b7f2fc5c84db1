package io.torussm.sweep;

import io.torussm.discovery.Discovery;
import io.torussm.event.EventField;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.fabric.Fabric;
import io.torussm.mastership.MasterAuthority;
import io.torussm.partition.PartitionSettings;
import io.torussm.program.Programmers;
import io.torussm.program.port.MasterSmLidStage;
import io.torussm.program.smp.SweepSettings;
import io.torussm.program.table.LateReading;
import io.torussm.routing.Plan;
import io.torussm.stage.ProgrammingErrors;
import io.torussm.subnet.Subnet;
import io.torussm.sweep.stages.Activation;
import io.torussm.sweep.stages.DeviceFaults;
import io.torussm.sweep.stages.FabricReading;
import io.torussm.sweep.stages.FinalWrites;
import io.torussm.sweep.stages.LocalSweepDeadline;
import io.torussm.sweep.stages.Planning;
import io.torussm.sweep.stages.Programming;
import io.torussm.sweep.stages.Publication;
import io.torussm.sweep.stages.Routed;
import io.torussm.sweep.stages.StageRunner;
import io.torussm.sweep.stages.SweepContext;
import io.torussm.sweep.stages.ViewComparison;
import io.torussm.sweep.state.FabricStates;
import io.torussm.sweep.state.SweepCounts;
import io.torussm.sweep.state.SweepEvent;
import io.torussm.sweep.state.SweepReport;
import io.torussm.sweep.state.SweepResult;
import io.torussm.sweep.state.SweepState;
import io.torussm.view.FabricState;
import io.torussm.view.PublishedView;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One sweep, whole or local. Its methods are in the order of execution, one for each stage. Its input is the known
 * state, its output a {@link SweepResult}. A bug that surfaces as an exception ends the sweep: nothing is published,
 * and the contents of devices count as unknown.
 *
 * <p>Owner thread: the loop.
 */
final class Sweep {
    private static final EventLog EVENTS = EventLog.of(Sweep.class);

    private final SweepContext parts;
    private final SweepSettings settings;
    private final Programmers programmers;
    private final MasterAuthority authority;
    private final SweepCounts counts;
    private final DeviceFaults faults;
    private final StageRunner stages;
    private final ProgrammingErrors errors;
    private final long number;
    private final boolean isLocal;
    private final Consumer<SweepResult> whenOver;
    private final LocalSweepDeadline deadline;
    private final FabricReading fabricReading;
    private final Planning planning;
    private final Publication publication;
    private final ViewComparison comparison;

    private SweepCounts.SweepScope kind;
    private SweepState sweepState;
    private final FabricState previousState;

    /** The contents of partitions.conf and the run-time members; null before this SM is known to be master. */
    private @Nullable PartitionSettings partitions;

    /** The subnet with the LIDs that this sweep assigns; null before they are computed. */
    private @Nullable Subnet addressed;

    /** Time of the first reported change that this sweep handles; negative if there is none. */
    private long reportedNs = -1;

    /** Time of the first report during this sweep of a switch that is still to be read; negative if none. */
    private long noticedNs = -1;

    private boolean isOver;
    private boolean isCancelled;

    /**
     * Creates a sweep; it is not started yet.
     *
     * @param lost receives NodeGUIDs of switches that lost a cable while the sweep waited
     * @param whenOver callback, called once unless the sweep is cancelled; again if a bug surfaces during the call
     */
    Sweep(
            SweepContext parts,
            Programmers programmers,
            MasterAuthority authority,
            SweepCounts counts,
            DeviceFaults faults,
            SweepStart start,
            LongConsumer lost,
            Consumer<SweepResult> whenOver) {
        this.parts = parts;
        this.programmers = programmers;
        this.authority = authority;
        this.counts = counts;
        this.faults = faults;
        this.sweepState = start.sweepState();
        this.previousState = start.previousState();
        this.number = start.number();
        this.isLocal = start.isLocal();
        this.whenOver = whenOver;
        this.kind = isLocal ? SweepCounts.SweepScope.LOCAL : SweepCounts.SweepScope.HEAVY;
        this.settings = parts.settings().get();
        this.stages = new StageRunner(parts, this::abandon, counts::addDuration);
        this.errors = stages.errors();
        this.deadline = new LocalSweepDeadline(parts, stages, () -> this.sweepState.fabric(), lost, this::supersede);
        this.fabricReading = new FabricReading(stages, programmers, sweepState, start.restarted());
        this.planning = new Planning(
                parts, settings, stages, programmers, faults, counts, start.readyPlans(), new PlanningEnd());
        this.publication = new Publication(parts, settings, stages, number);
        this.comparison = new ViewComparison(parts, settings, stages, authority, this::partitions);
    }

    /** Sets the time of the report that caused this sweep; negative if the sweep was due or requested. */
    void reported(long atNs) {
        reportedNs = atNs;
    }

    /** Returns the time of the first reported change that this sweep handles; negative if there is none. */
    long reportedNs() {
        return reportedNs;
    }

    /**
     * Reads the whole fabric.
     *
     * @param mayGiveWay whether a report may preempt it while it waits for answers
     */
    void start(boolean mayGiveWay) {
        if (mayGiveWay) {
            deadline.beginWhole();
        }
        comparison.begin(sweepState);
        fabricReading.readAll(parts.names().get(), this::onRead);
    }

    /** Reads some switches of a fabric again, given by their NodeGUIDs; see {@link DueWork#preemptions}. */
    void readSwitches(Fabric fabric, List<Long> changed, int preemptions) {
        deadline.begin(reportedNs, preemptions);
        fabricReading.readSwitches(fabric, changed, this::onSwitchesRead);
    }

    /** Computes routes again for a discovered fabric. */
    void reroute(Fabric fabric) {
        kind = SweepCounts.SweepScope.REROUTE;
        stages.guarded(() -> plan(fabric)).run();
    }

    private void onSwitchesRead(Discovery.DiscoveryResult discovered) {
        if (discovered.fabric() == null) {
            EVENTS.report(SmEvent.SWEEP_WIDENED, EventField.REASON.of(discovered.problem()));
            end(SweepResult.widened(sweepState));
        } else {
            onRead(discovered);
        }
    }

    private void onRead(Discovery.DiscoveryResult discovered) {
        Fabric fabric = discovered.fabric();
        if (fabric == null) {
            sweepState = sweepState.withWholeReadDue();
            fail(discovered.problem());
            authority.onPortDown(discovered.problem());
            return;
        }
        if (!isLocal && OwnSwitch.hidesOthers(fabric, sweepState.view())) {
            fail("the switch of this SM does not respond; the published state stays");
            return;
        }
        programmers.onDiscovery(fabric);
        sweepState = sweepState.read(fabric, discovered.unansweredRequests());
        faults.found(fabric, !isLocal);
        if (OwnSwitch.lacksIsSm(fabric)) {
            parts.listener().accept(new SweepEvent.IsSmMissing());
        }
        if (isMaster(discovered)) {
            if (sweepState.view() == null) {
                stages.run(MasterSmLidStage.toSwitches(), fabric, this::plan);
            } else {
                plan(fabric);
            }
        }
    }

    /** Checks whether this SM is master, and the sweep continues. */
    private boolean isMaster(Discovery.DiscoveryResult discovered) {
        var decision = authority.decision(discovered.remoteSms(), discovered.silentSms(), !isLocal);
        if (decision.isGranted() && !isLocal) {
            parts.client().permitSets();
        }
        if (!decision.isGranted()) {
            programmers.groups().suspend();
            sweepState = sweepState.incomplete().takingOver();
            standAside(discovered, decision);
        } else if (discovered.fabric() != null && sweepState.view() == null) {
            parts.memory().lids().addMasterLids(discovered.fabric());
        }
        return decision.isGranted();
    }

    /** Ends the sweep for another master. Addresses are remembered: this SM may later be the master of a part. */
    private void standAside(Discovery.DiscoveryResult discovered, MasterAuthority.Decision decision) {
        Fabric fabric = discovered.fabric();
        if (!isLocal && fabric != null) {
            parts.memory().lids().setOtherMasterLids(fabric);
            parts.memory()
                    .places()
                    .setOtherMasterCoordinates(parts.routing().get().places(fabric));
        }
        end(SweepResult.otherMaster(sweepState, decision.master()));
    }

    /** Returns the partitions. Read only by a master: until then another master may replicate run-time members. */
    private PartitionSettings partitions() {
        PartitionSettings partitionSettings = partitions;
        if (partitionSettings == null) {
            SweepState.Policy lastPolicy = sweepState.policy();
            partitionSettings = isLocal && lastPolicy != null
                    ? lastPolicy.partitions()
                    : parts.partitions().get();
            partitions = partitionSettings;
        }
        return partitionSettings;
    }

    private void plan(Fabric fabric) {
        planning.start(fabric, new Planning.Input(kind, sweepState, partitions(), previousState, comparison));
    }

    /** The outcome of planning. */
    private final class PlanningEnd implements Planning.Listener {
        @Override
        public boolean isOver() {
            return deadline.mustEnd();
        }

        @Override
        public void onPolicy(SweepState.Policy policy) {
            sweepState = sweepState.with(policy);
        }

        @Override
        public void onPlan(Plan plan, Routed routed) {
            program(plan, routed);
        }

        @Override
        public void onRefusal(List<Finding> findings) {
            end(SweepResult.refused(sweepState, findings));
        }

        @Override
        public void onWidening() {
            end(SweepResult.widened(sweepState));
        }

        @Override
        public void onSupersession() {
            supersede();
        }

        @Override
        public void onFailure(String problem) {
            fail(problem);
        }
    }

    private void program(Plan plan, Routed routed) {
        addressed = plan.subnet();
        sweepState = sweepState.addressed(plan.subnet());
        if (isLocal) {
            faults.troubles().skipRejected(plan.subnet().fabric(), errors, fabricReading::mayHaveRestarted);
        } else if (!parts.memory().keys().isInUse()) { // With M_Keys each try has another key: no try is left out.
            faults.troubles().limitRetries(plan.subnet().fabric(), errors);
        }
        parts.memory().places().addPlannedCoordinates(plan.subnet().fabric(), plan::coordinates);
        Programming programming = new Programming(
                parts,
                settings,
                stages,
                programmers,
                () -> sweepState.openWork().reregistration().predicate(sweepState.view()),
                faults.pKeys());
        programming.start(new Programming.Input(plan, routed, partitions(), sweepState.view() == null), this::remember);
    }

    private void remember(Programming.ProgrammedSubnet programmed) {
        Plan plan = programmed.plan();
        parts.memory().remember(programmed.ports().subnet().fabric());
        if (plan.retention().isEmpty()) {
            if (plan.degradation().isEmpty()) { // The coordinates of the whole torus imply its sizes.
                parts.memory().places().remember(plan.subnet().fabric(), plan::coordinates);
            }
            plan.explainer().wholeTree().ifPresent(parts.memory().trees()::remember);
        }
        parts.memory().keys().save();
        planning.whenCompared(() -> new FinalWrites(stages, programmers, faults)
                .start(programmed, planning, isWhole(), settled -> onSettled(programmed, settled)));
    }

    private void onSettled(Programming.ProgrammedSubnet programmed, FinalWrites.SettledSubnet settled) {
        Activation.ActivatedSubnet ports = programmed.ports();
        Fabric fabric = settled.subnet().fabric();
        sweepState = sweepState.activated(fabric, fabricReading.isInDoubt(), settled.failedKeys(), ports.unconfirmed());
        if (errors.hasDeviations()) {
            programmers.forgetActivated(fabric, ports.activated());
            sweepState = sweepState.incomplete();
            end(SweepResult.hindered(
                    sweepState, settled.changed(), fabric, errors.deviations().keySet()));
            return;
        }
        faults.retries().onSweepEnd(settled.keysToRepeat(sweepState.unansweredRequests()));
        publication.prepare(programmed, settled.subnet(), view -> onPrepared(programmed, settled, view));
    }

    private void onPrepared(
            Programming.ProgrammedSubnet programmed, FinalWrites.SettledSubnet settled, PublishedView view) {
        Fabric fabric = view.subnet().fabric();
        sweepState = sweepState.published(view);
        planning.onPublication(fabric);
        programmers.guids().adopt(fabric, programmed.ports().activated(), !isLocal);
        SweepReport report = publication.report(programmed, view, reportedNs);
        boolean mustFollow = settled.hasFailed() || faults.deadEnds().isConfirmationDue();
        LateReading late = programmed.tables().lateReading();
        if (!planning.isRefused()) {
            end(SweepResult.up(sweepState, settled.changed(), mustFollow, late, report));
        } else {
            sweepState = programmed.isAllRouted() ? sweepState : sweepState.withWholeReadDue();
            end(SweepResult.retained(
                    sweepState,
                    settled.changed(),
                    mustFollow,
                    late,
                    report,
                    Objects.requireNonNull(planning.seen().findings())));
        }
    }

    // --- queries of the sweeper about a running sweep ---

    /** Checks whether this sweep handles the whole fabric. */
    boolean isWhole() {
        return kind == SweepCounts.SweepScope.HEAVY;
    }

    /** Checks whether this sweep only reads so far, and has written nothing. */
    boolean isReading() {
        return fabricReading.isRunning();
    }

    /** Returns the subnet with the LIDs that this sweep assigns; null before they are computed. */
    @Nullable
    Subnet addressed() {
        return addressed;
    }

    /** Returns the found subnet, and the findings of engines. */
    FabricStates.SweepObservation seen() {
        return planning.seen();
    }

    /** Returns the NodeGUIDs of switches that reported a port change in SwitchInfo. */
    Set<Long> switchesWithChanges() {
        return fabricReading.switchesWithChanges();
    }

    /** Handles a change that a switch reports; returns whether this sweep is still to read the switch. */
    boolean onPortChange(long switchGuid) {
        boolean isSeen = fabricReading.onPortChange(switchGuid);
        if (isSeen && noticedNs < 0) {
            noticedNs = parts.loop().nowNs();
        }
        deadline.onPortChange(isSeen);
        return isSeen;
    }

    /** Requests ClientReregister for all clients, if this sweep has not programmed the ports yet. */
    void reregister() {
        sweepState = sweepState.reregistering();
    }

    /** Cancels the sweep without a callback, and returns its present state. */
    SweepState cancel() {
        isOver = true;
        isCancelled = true;
        stages.close();
        deadline.end();
        return sweepState;
    }

    // --- the end ---

    private void end(SweepResult result) {
        if (!isOver) {
            if (!result.end().isContinued()) {
                stages.finish();
            }
            handOver(result);
        }
    }

    private void handOver(SweepResult result) {
        isOver = true;
        counts.countSweep(kind, result.end());
        stages.close();
        deadline.end();
        whenOver.accept(result);
    }

    private void supersede() {
        reportedNs = reportedNs < 0 ? noticedNs : reportedNs;
        end(SweepResult.superseded(sweepState, fabricReading.switches()));
    }

    private void fail(String reason) {
        sweepState = sweepState.incomplete();
        end(SweepResult.failed(sweepState, reason));
    }

    /**
     * Ends the sweep after a bug. The exception may come from a consumer of the result, so that a delivered result is
     * dropped too.
     */
    private void abandon(Throwable bug) {
        EVENTS.report(SmEvent.SWEEP_ABANDONED, bug, EventField.SWEEP.of(number));
        stages.close();
        programmers.forgetDevices();
        sweepState = sweepState.withoutProof().withWholeReadDue().incomplete();
        SweepResult failed = SweepResult.failed(sweepState, "internal error: " + bug);
        if (!isOver) {
            handOver(failed);
        } else if (!isCancelled) {
            whenOver.accept(failed);
        }
    }
}
