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
    private final LocalSweepDeadline patience;
    private final FabricReading reading;
    private final Planning planning;
    private final Publication publication;
    private final ViewComparison comparison;

    private SweepCounts.SweepScope kind;

    private SweepState known;
    private final FabricState before;

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
        this.known = start.known();
        this.before = start.before();
        this.number = start.number();
        this.isLocal = start.isLocal();
        this.whenOver = whenOver;
        this.kind = isLocal ? SweepCounts.SweepScope.LOCAL : SweepCounts.SweepScope.HEAVY;
        this.settings = parts.settings().get();
        this.stages = new StageRunner(parts, this::abandon, counts::took);
        this.errors = stages.errors();
        this.patience = new LocalSweepDeadline(parts, stages, () -> this.known.fabric(), lost, this::supersede);
        this.reading = new FabricReading(stages, programmers, known, start.restarted());
        this.planning =
                new Planning(parts, settings, stages, programmers, faults, counts, start.ready(), new PlanningEnd());
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
            patience.beginWhole();
        }
        comparison.begin(known);
        reading.readAll(parts.names().get(), this::onRead);
    }

    /** Reads some switches of a fabric again, given by their NodeGUIDs; see {@link DueWork#preemptions}. */
    void update(Fabric fabric, List<Long> changed, int preemptions) {
        patience.begin(reportedNs, preemptions);
        reading.readAround(fabric, changed, this::onReadAround);
    }

    /** Computes routes again for a discovered fabric. */
    void reroute(Fabric fabric) {
        kind = SweepCounts.SweepScope.REROUTE;
        stages.guarded(() -> plan(fabric)).run();
    }

    private void onReadAround(Discovery.DiscoveryResult discovered) {
        if (discovered.fabric() == null) {
            EVENTS.report(SmEvent.SWEEP_WIDENED, EventField.REASON.of(discovered.problem()));
            end(SweepResult.widened(known));
        } else {
            onRead(discovered);
        }
    }

    private void onRead(Discovery.DiscoveryResult discovered) {
        Fabric fabric = discovered.fabric();
        if (fabric == null) {
            known = known.unread();
            fail(discovered.problem());
            authority.portDown(discovered.problem());
            return;
        }
        if (!isLocal && OwnSwitch.hidesOthers(fabric, known.view())) {
            fail("the switch of this SM does not respond; the published state stays");
            return;
        }
        programmers.read(fabric);
        known = known.read(fabric, discovered.silent());
        faults.found(fabric, !isLocal);
        if (OwnSwitch.lacksIsSm(fabric)) {
            parts.listener().accept(new SweepEvent.IsSmMissing());
        }
        if (isMaster(discovered)) {
            if (known.view() == null) {
                stages.run(MasterSmLidStage.toSwitches(), fabric, this::plan);
            } else {
                plan(fabric);
            }
        }
    }

    /** Checks whether this SM is master, and the sweep continues. */
    private boolean isMaster(Discovery.DiscoveryResult discovered) {
        MasterAuthority.Decision decision =
                authority.decision(discovered.remoteSms(), discovered.silentSms(), !isLocal);
        if (!decision.isGranted()) {
            programmers.groups().rest();
            known = known.incomplete().takingOver();
            standAside(discovered, decision);
        } else if (discovered.fabric() != null && known.view() == null) {
            parts.memory().lids().sawMasters(discovered.fabric());
        }
        return decision.isGranted();
    }

    /** Ends the sweep for another master. Addresses are remembered: this SM may later be the master of a part. */
    private void standAside(Discovery.DiscoveryResult discovered, MasterAuthority.Decision decision) {
        Fabric fabric = discovered.fabric();
        if (!isLocal && fabric != null) {
            parts.memory().lids().saw(fabric);
            parts.memory().places().saw(parts.routing().get().places(fabric));
        }
        end(SweepResult.otherMaster(known, decision.master()));
    }

    /** Returns the partitions. Read only by a master: until then another master may replicate run-time members. */
    private PartitionSettings partitions() {
        PartitionSettings partitionSettings = partitions;
        if (partitionSettings == null) {
            SweepState.Policy lastPolicy = known.policy();
            partitionSettings = isLocal && lastPolicy != null
                    ? lastPolicy.partitions()
                    : parts.partitions().get();
            partitions = partitionSettings;
        }
        return partitionSettings;
    }

    private void plan(Fabric fabric) {
        planning.start(fabric, new Planning.Input(kind, known, partitions(), before, comparison));
    }

    /** The outcome of planning. */
    private final class PlanningEnd implements Planning.Listener {
        @Override
        public boolean isOver() {
            return patience.isOver();
        }

        @Override
        public void decided(SweepState.Policy policy) {
            known = known.with(policy);
        }

        @Override
        public void planned(Plan plan, Routed routed) {
            program(plan, routed);
        }

        @Override
        public void refused(List<Finding> findings) {
            end(SweepResult.refused(known, findings));
        }

        @Override
        public void widened() {
            end(SweepResult.widened(known));
        }

        @Override
        public void superseded() {
            supersede();
        }

        @Override
        public void failed(String problem) {
            fail(problem);
        }
    }

    private void program(Plan plan, Routed routed) {
        addressed = plan.subnet();
        known = known.addressed(plan.subnet());
        if (isLocal) {
            faults.troubles().passOver(plan.subnet().fabric(), errors, reading::mayHaveRestarted);
        } else if (!parts.memory().keys().isInUse()) { // With M_Keys each try has another key: no try is left out.
            faults.troubles().expectNothing(plan.subnet().fabric(), errors);
        }
        parts.memory().places().planned(plan.subnet().fabric(), plan::coordinates);
        Programming programming = new Programming(
                parts,
                settings,
                stages,
                programmers,
                () -> known.left().reregistration().test(known.view()),
                faults.pKeys());
        programming.start(new Programming.Input(plan, routed, partitions(), known.view() == null), this::remember);
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
        known = known.activated(fabric, reading.isInDoubt(), settled.undone(), ports.unconfirmed());
        if (errors.isHindered()) {
            programmers.forgetWhereLinksRose(fabric, ports.activated());
            known = known.incomplete();
            end(SweepResult.hindered(
                    known, settled.changed(), fabric, errors.hindrances().keySet()));
            return;
        }
        faults.retries().ended(settled.repeated(known.silent()));
        publication.prepare(programmed, settled.subnet(), view -> onPrepared(programmed, settled, view));
    }

    private void onPrepared(
            Programming.ProgrammedSubnet programmed, FinalWrites.SettledSubnet settled, PublishedView view) {
        Fabric fabric = view.subnet().fabric();
        known = known.published(view);
        planning.published(fabric);
        programmers.guids().adopt(fabric, programmed.ports().activated(), !isLocal);
        SweepReport report = publication.report(programmed, view, reportedNs);
        boolean mustFollow = settled.hasFailed() || faults.deadEnds().isSecondLookDue();
        LateReading late = programmed.tables().late();
        if (!planning.isRefused()) {
            end(SweepResult.up(known, settled.changed(), mustFollow, late, report));
        } else {
            known = programmed.isAllRouted() ? known : known.unread();
            end(SweepResult.staying(
                    known,
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
        return reading.isRunning();
    }

    /** Returns the subnet with the LIDs that this sweep assigns; null before they are computed. */
    @Nullable
    Subnet addressed() {
        return addressed;
    }

    /** Returns the found subnet, and the findings of engines. */
    FabricStates.Seen seen() {
        return planning.seen();
    }

    /** Returns the NodeGUIDs of switches that reported a port change in SwitchInfo. */
    Set<Long> switchesWithChanges() {
        return reading.switchesWithChanges();
    }

    /** Handles a change that a switch reports; returns whether this sweep is still to read the switch. */
    boolean notice(long switchGuid) {
        boolean isSeen = reading.notice(switchGuid);
        if (isSeen && noticedNs < 0) {
            noticedNs = parts.loop().nowNs();
        }
        patience.reported(isSeen);
        return isSeen;
    }

    /** Requests ClientReregister for all clients, if this sweep has not programmed the ports yet. */
    void reregister() {
        known = known.reregistering();
    }

    /** Cancels the sweep without a callback, and returns its present state. */
    SweepState cancel() {
        isOver = true;
        isCancelled = true;
        stages.close();
        patience.end();
        return known;
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
        counts.ended(kind, result.end());
        stages.close();
        patience.end();
        whenOver.accept(result);
    }

    private void supersede() {
        reportedNs = reportedNs < 0 ? noticedNs : reportedNs;
        end(SweepResult.superseded(known, reading.switches()));
    }

    private void fail(String reason) {
        known = known.incomplete();
        end(SweepResult.failed(known, reason));
    }

    /**
     * Ends the sweep after a bug. The exception may come from a consumer of the result, so that a delivered result is
     * dropped too.
     */
    private void abandon(Throwable bug) {
        EVENTS.report(SmEvent.SWEEP_ABANDONED, bug, EventField.SWEEP.of(number));
        stages.close();
        programmers.forgetDevices();
        known = known.withoutProof().unread().incomplete();
        SweepResult failed = SweepResult.failed(known, "internal error: " + bug);
        if (!isOver) {
            handOver(failed);
        } else if (!isCancelled) {
            whenOver.accept(failed);
        }
    }
}
