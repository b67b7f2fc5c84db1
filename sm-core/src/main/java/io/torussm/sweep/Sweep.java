package io.torussm.sweep;

import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.RoutingChain;
import io.torussm.discovery.Discovery;
import io.torussm.discovery.Unanswered;
import io.torussm.event.DeviceText;
import io.torussm.event.EventField;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.fabric.Fabric;
import io.torussm.mad.ClassPortInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mastership.MasterAuthority;
import io.torussm.partition.PartitionSettings;
import io.torussm.program.LateReading;
import io.torussm.program.LinkIsolation;
import io.torussm.program.Programmers;
import io.torussm.program.SweepSettings;
import io.torussm.quarantine.Quarantine;
import io.torussm.routing.Plan;
import io.torussm.routing.Standing;
import io.torussm.routing.StandingRoutes;
import io.torussm.stage.ProgrammingErrors;
import io.torussm.stage.Stage;
import io.torussm.subnet.LidAssigner;
import io.torussm.subnet.Subnet;
import io.torussm.subnet.SubnetMemory;
import io.torussm.sweep.SweepCounts.Judgement;
import io.torussm.view.PlacedSubnet;
import io.torussm.view.PublishedView;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One sweep, whole or local; its methods stand in the order they run, one for each stage. It is given what is known and
 * hands over a {@link SweepResult}. A bug that surfaces as an exception abandons it: nothing is published, and what devices
 * hold is forgotten.
 *
 * <p>Owner thread: the loop.
 */
final class Sweep {
    private static final EventLog EVENTS = EventLog.of(Sweep.class);

    /** What could not be written, and is the fault of no device. */
    private static final Object OF_NO_DEVICE = "of no device";

    private final SweepContext parts;
    private final SweepSettings settings;
    private final SubnetMemory memory;
    private final Programmers programmers;
    private final MasterAuthority authority;
    private final SweepListener listener;
    private final SweepCounts counts;
    private final DeviceFaults faults;
    private final @Nullable ReadyPlans ready;
    private final StageRunner stages;
    private final ProgrammingErrors errors;
    private final long number;
    private final boolean isLocal;
    private final Consumer<SweepResult> whenOver;
    private final long sentBefore;
    private final Patience patience;

    /** NodeGUIDs of switches that it was to read, or did. */
    private final Set<Long> around = new LinkedHashSet<>();

    private SweepCounts.Kind kind;

    /** What is known so far. */
    private Known known;

    /** What partitions.conf and run time say; null before this SM is known to be master. */
    private @Nullable PartitionSettings partitions;

    /** The addresses that are being given; null before. */
    private @Nullable Subnet addressed;

    /** What was found and given addresses; null before. */
    private @Nullable PlacedSubnet placed;

    /** What engines said of it; null if none was asked. */
    private @Nullable List<Finding> said;

    /** While the fabric is read. */
    private @Nullable Discovery discovery;

    private SweepCounts.@Nullable Proof proof;

    /** What the plan changes for those who live by the published one; null until that is worked out. */
    private @Nullable PlanDifference difference;

    /** Whether no engine routes the subnet. */
    private boolean isRefused;

    /** What is to be done then. */
    private Runnable whenCompared = () -> {};

    /** Ports behind which something is left out. */
    private BitSet borders = new BitSet();

    /** Whether something was silent that nobody knew to be, while only a part was read. */
    private boolean isInDoubt;

    /** When the first change was reported that it looks at; negative if none was. */
    private long reportedNs = -1;

    private boolean isOver;
    private boolean isCancelled;

    /** What is left to say of a sweep that has written everything. */
    private record Ending(Programming.Result programmed, PublishedView view, Set<Long> changed, boolean hasFailed) {}

    /**
     * Creates a sweep that is not begun yet.
     *
     * @param ready plans that were computed in advance; null if there are none
     * @param number counted from 1
     * @param isLocal whether only what changed is read, with the files as they were
     * @param lost takes NodeGUIDs of switches that were found to have lost a cable while it waited for answers
     * @param whenOver called once, well or not, unless the sweep is cancelled
     */
    Sweep(
            SweepContext parts,
            Programmers programmers,
            MasterAuthority authority,
            SweepCounts counts,
            DeviceFaults faults,
            Known known,
            @Nullable ReadyPlans ready,
            long number,
            boolean isLocal,
            LongConsumer lost,
            Consumer<SweepResult> whenOver) {
        this.parts = parts;
        this.programmers = programmers;
        this.authority = authority;
        this.counts = counts;
        this.faults = faults;
        this.known = known;
        this.ready = ready;
        this.number = number;
        this.isLocal = isLocal;
        this.whenOver = whenOver;
        this.kind = isLocal ? SweepCounts.Kind.LOCAL : SweepCounts.Kind.HEAVY;
        this.proof = counts.proof();
        this.memory = parts.memory();
        this.listener = parts.listener();
        this.settings = parts.settings().get();
        this.sentBefore = parts.client().stats().sent();
        this.stages = new StageRunner(parts, this::abandon, counts::took);
        this.errors = stages.errors();
        this.patience = new Patience(parts, stages, () -> this.known.fabric(), lost, this::supersede);
    }

    /** It is made because of a report that came in at some time of the loop; otherwise because it is due, or asked for. */
    void reported(long atNs) {
        reportedNs = atNs;
    }

    /** When the first change was reported that it looks at; negative if none was. */
    long reportedNs() {
        return reportedNs;
    }

    /** Reads the whole fabric. */
    void start() {
        discover(Discovery.Input.all(known.silent(), parts.names().get()), this::onDiscovered);
    }

    /** Reads only some switches of a fabric again. */
    void update(Fabric fabric, List<Long> changed) {
        around.addAll(changed);
        patience.begin(reportedNs);
        discover(Discovery.Input.around(fabric, changed, known.silent()), this::onUpdated);
    }

    private void discover(Discovery.Input input, Consumer<Discovery.Result> then) {
        Discovery stage = new Discovery();
        discovery = stage;
        stages.run(stage, input, found -> {
            discovery = null;
            then.accept(found);
        });
    }

    /** Computes routes anew for a fabric that was discovered before. */
    void reroute(Fabric fabric) {
        kind = SweepCounts.Kind.REROUTE;
        stages.guarded(() -> address(fabric)).run();
    }

    private void onUpdated(Discovery.Result found) {
        if (found.fabric() == null) {
            EVENTS.report(SmEvent.SWEEP_WIDENED, EventField.REASON.of(found.problem()));
            end(SweepResult.widened(known));
            return;
        }
        List<Unanswered> all = new ArrayList<>(known.silent());
        found.silent().stream().filter(what -> !all.contains(what)).forEach(all::add);
        isInDoubt = all.size() > known.silent().size();
        onDiscovered(new Discovery.Result(found.fabric(), found.remoteSms(), found.silentSms(), all, found.read(), ""));
    }

    private void onDiscovered(Discovery.Result found) {
        Fabric fabric = found.fabric();
        if (fabric == null) {
            known = known.unread();
            fail(found.problem());
            authority.portDown(found.problem());
            return;
        }
        known = known.read(fabric, found.silent());
        around.addAll(found.read().keySet());
        found.read().forEach((guid, hasChanged) -> {
            if (hasChanged) {
                programmers.changed(guid);
            }
            programmers.steady(guid);
        });
        List<Finding> anomalies =
                fabric.anomalies().stream().map(SmEvent.FABRIC_ANOMALY::says).toList();
        if (isLocal) {
            faults.found().lookAtPart(anomalies);
        } else {
            faults.found().look(anomalies);
        }
        PortInfo own = fabric.portInfo(fabric.localPort());
        if (own != null && !own.can(PortInfo.CAP_IS_SM)) {
            listener.isSmMissing();
        }
        if (!isMaster(found)) {
            return;
        }
        address(fabric);
    }

    /** Whether this SM is master, and the sweep goes on. */
    private boolean isMaster(Discovery.Result found) {
        MasterAuthority.Decision decision = authority.decision(found.remoteSms(), found.silentSms(), !isLocal);
        if (!decision.isGranted()) {
            programmers.groups().rest();
            known = known.incomplete().takingOver();
            end(SweepResult.otherMaster(known, decision.master()));
        }
        return decision.isGranted();
    }

    /** Not asked for before: until this SM is master, another one may tell it of members that were added at run time. */
    private PartitionSettings partitions() {
        PartitionSettings given = partitions;
        if (given == null) {
            Known.Policy last = known.policy();
            given = isLocal && last != null
                    ? last.partitions()
                    : parts.partitions().get();
            partitions = given;
        }
        return given;
    }

    private void address(Fabric found) {
        Quarantine.Admission admitted = faults.quarantine().admit(found, kind == SweepCounts.Kind.HEAVY);
        errors.tolerate(admitted.tolerated());
        borders = admitted.borders();
        Fabric fabric = admitted.fabric();
        LidAssigner.Result result = LidAssigner.assign(
                fabric,
                memory.lids().lids(),
                settings.lmc(),
                settings.lmcEsp0(),
                settings.reassignLids() && known.subnet() == null && !known.left().isTakingOver(),
                settings.gidPrefix());
        result.changes().forEach(change -> EVENTS.report(SmEvent.LID_CHANGED.says(change)));
        if (result.subnet().isEmpty()) {
            fail(result.problem());
            return;
        }
        Subnet subnet = result.subnet().get();
        Map<Long, String> places = memory.places().known();
        placed = PlacedSubnet.at(places, subnet);
        stages.run(routes(subnet, places), subnet, routed -> onRouted(subnet, routed));
    }

    /** Of a local sweep that found other hosts or leaf switches and nothing else the routes stay. */
    private Stage<Subnet, Routed> routes(Subnet subnet, Map<Long, String> places) {
        PublishedView published = known.view();
        Known.Policy last = known.policy();
        RoutingChain engines =
                isLocal && last != null ? last.chain() : parts.routing().get();
        Optional<Stage<Subnet, Routed>> retained = published == null || !isLocal || known.left().isUnfinished()
                ? Optional.empty()
                : retained(published, engines, subnet);
        if (retained.isPresent()) {
            difference = PlanDifference.NONE;
            return retained.get();
        }
        Certificate proved = last == null ? null : last.proof();
        known = known.with(new Known.Policy(engines, partitions(), proved));
        counts.routed();
        return new Routing(
                parts.pool(),
                engines,
                settings.routingOptions(),
                new Routing.Before(published, proved, places, ready),
                published == null ? Map.of() : programmers.tables().stale(published.plan(), subnet.fabric()),
                this::onCompared);
    }

    private Optional<Stage<Subnet, Routed>> retained(PublishedView published, RoutingChain engines, Subnet subnet) {
        Plan plan = published.plan();
        Optional<Plan> same = plan.on(subnet);
        boolean isForwarding =
                !programmers.tables().stale(plan, subnet.fabric()).isEmpty();
        Optional<Plan> whole = same.isPresent() || isForwarding
                ? Optional.empty()
                : StandingRoutes.whole(plan, published.multicast(), subnet);
        return same.<Stage<Subnet, Routed>>map(it -> new RetainedRoutes(published, it))
                .or(() -> whole.map(it ->
                        new StayingRoutes(parts.pool(), engines, settings.routingOptions(), published, now -> whole)));
    }

    private void onRouted(Subnet subnet, Routed routed) {
        if (patience.isOver()) {
            supersede();
            return;
        }
        RoutingChain.ChainResult result = routed.result();
        if (result != null) {
            said = result.findings();
            if (result.verdict() instanceof Certificate certificate) {
                known = known.with(Objects.requireNonNull(known.policy()).with(certificate));
            }
            place(result);
            listener.routed(result);
        }
        Plan plan = routed.plan();
        // nothing was written yet, and the next sweep reads the links of what is given back, too
        boolean isAsItShouldBe =
                plan != null && (result == null || plan.degradation().isEmpty());
        if (!isAsItShouldBe && faults.quarantine().giveBack()) {
            end(SweepResult.widened(known));
            return;
        }
        if (plan == null) {
            counts.judged(Judgement.REFUSED);
            Fabric found = known.fabric();
            if (found != null && faults.quarantine().widen(found)) {
                address(found);
                return;
            }
            stay(subnet, Objects.requireNonNull(result, "the published routes are not refused"));
            return;
        }
        if (result == null) {
            counts.judged(Judgement.RETAINED);
        } else {
            proof = SweepCounts.Proof.of(result.verdict());
            counts.judged(proof == null ? Judgement.UNPROVED : Judgement.CERTIFIED);
            faults.routed().look(result.findings());
            if (known.view() == null) {
                memory.places()
                        .changesTo(plan.subnet().fabric(), plan::coordinates)
                        .forEach(EVENTS::report);
            }
        }
        adopt(plan, routed);
    }

    /** No engine routes the subnet: the published routes stay, or those that switches hold, and what they serve is looked after. */
    private void stay(Subnet subnet, RoutingChain.ChainResult refused) {
        isRefused = true;
        faults.routed()
                .lookAtPart(refused.findings().stream()
                        .filter(finding -> finding.severity() == Finding.Severity.WARNING)
                        .toList());
        RoutesInForce inForce = new RoutesInForce(
                parts.pool(),
                Objects.requireNonNull(known.policy()).chain(),
                settings.routingOptions(),
                refused.partial(),
                known.view(),
                programmers.tables().reading(memory.lids().topLid()));
        stages.run(inForce, subnet, found -> {
            Plan plan = found.routed().plan();
            if (plan == null) {
                List<Finding> all = new ArrayList<>(refused.findings());
                all.addAll(found.reasons());
                end(SweepResult.refused(known, all));
            } else {
                adopt(plan, found.routed());
            }
        });
    }

    /** Even an engine that refuses may know where switches stand. */
    private void place(RoutingChain.ChainResult result) {
        PlacedSubnet addresses = placed;
        if (addresses != null) {
            Plan partial = result.partial();
            if (partial != null) {
                placed = new PlacedSubnet(addresses.subnet(), partial.explainer());
            }
        }
    }

    /** Tables do not wait for this, what is published does. */
    private void onCompared(PlanDifference found) {
        faults.routed().changed(found.findings());
        listener.compared(found.findings(), found.changedSls());
        difference = found;
        whenCompared.run();
    }

    private void adopt(Plan plan, Routed routed) {
        addressed = plan.subnet();
        known = known.addressed(plan.subnet());
        Programming programming = new Programming(
                parts,
                settings,
                stages,
                programmers,
                () -> known.left().reregistration().test(known.view()),
                faults.pKeys());
        programming.start(new Programming.Input(plan, routed, partitions(), known.view() == null), this::remember);
    }

    private void remember(Programming.Result programmed) {
        Plan plan = programmed.plan();
        memory.neighbors().remember(programmed.ports().subnet().fabric());
        memory.hosts().remember(programmed.ports().subnet().fabric());
        if (plan.standing().isEmpty()) {
            memory.places().remember(plan.subnet().fabric(), plan::coordinates);
        }
        memory.keys().save();
        if (difference == null) {
            whenCompared = () -> onActive(programmed);
        } else {
            onActive(programmed);
        }
    }

    /** Once tables lead around it, whatever has no part in the subnet is cut off. */
    private void onActive(Programming.Result programmed) {
        Subnet subnet = programmed.ports().subnet();
        if (errors.isHindered() || isRefused) {
            onSettled(programmed, subnet);
            return;
        }
        BitSet due = faults.deadEnds().due(subnet.fabric(), borders, kind == SweepCounts.Kind.HEAVY);
        stages.run(new LinkIsolation(), new LinkIsolation.Input(subnet, due), isolated -> {
            faults.deadEnds().wentDown(subnet.fabric(), isolated.down());
            onSettled(programmed, isolated.subnet());
        });
    }

    private void onSettled(Programming.Result programmed, Subnet subnet) {
        Activation.Result ports = programmed.ports();
        stages.finish();
        Fabric fabric = subnet.fabric();
        Set<?> troubles = faults.troubles().ended(fabric, errors);
        boolean hasFailed = faults.quarantine().ended(fabric, errors);
        Set<Object> undone = new HashSet<>(troubles);
        if (errors.count() > 0 && undone.isEmpty()) {
            undone.add(OF_NO_DEVICE);
        }
        undone.addAll(ports.refused());
        undone.addAll(ports.unconfirmed());
        known = known.activated(fabric, isInDoubt, Set.copyOf(undone), ports.unconfirmed());
        programmers.linksRose(fabric, ports.activated());
        Set<Long> changed = new LinkedHashSet<>(programmed.tables().changed());
        changed.addAll(ports.changed());
        if (errors.isHindered()) {
            programmers.forgetWhereLinksRose(fabric, ports.activated());
            known = known.incomplete();
            end(SweepResult.hindered(known, changed, fabric, errors.hindrances().keySet()));
            return;
        }
        known.silent().forEach(what -> undone.add(what.key()));
        faults.retries().ended(undone);
        PublishedView view = view(programmed, subnet);
        Ending ending = new Ending(programmed, view, changed, hasFailed);
        stages.compute(
                parts.pool(),
                () -> {
                    listener.prepare(view);
                    return ending;
                },
                this::onPrepared);
    }

    private void onPrepared(Ending ending) {
        Programming.Result programmed = ending.programmed();
        Activation.Result ports = programmed.ports();
        Fabric fabric = ending.view().subnet().fabric();
        Set<Long> changed = ending.changed();
        publish(ending.view());
        programmers.guids().adopt(fabric, ports.activated(), !isLocal);
        SweepReport report = SweepReport.of(
                number,
                fabric,
                parts.client().stats().sent() - sentBefore,
                programmed.written(),
                ports.activated().cardinality(),
                stages.phaseNs(),
                reportedNs < 0 ? -1 : programmed.tables().inPlaceNs() - reportedNs,
                errors.described().stream().map(DeviceText::text).toList());
        boolean mustFollow = ending.hasFailed() || faults.deadEnds().isSecondLookDue();
        LateReading late = programmed.tables().late();
        if (!isRefused) {
            end(SweepResult.up(known, changed, mustFollow, late, report));
        } else {
            boolean isAll = programmed
                    .plan()
                    .standing()
                    .map(Standing::waiting)
                    .orElse(List.of())
                    .isEmpty();
            known = isAll ? known : known.unread();
            end(SweepResult.staying(known, changed, mustFollow, late, report, Objects.requireNonNull(said)));
        }
    }

    private PublishedView view(Programming.Result programmed, Subnet subnet) {
        return new PublishedView(
                subnet,
                programmed.plan(),
                programmed.multicast(),
                programmed.ports().partitions(),
                parts.client().localPort().portGuid(),
                settings.subnetTimeout(),
                ClassPortInfo.responseTimeValue(parts.client().timeoutMs()),
                settings.qos(),
                programmed.tables().qos(),
                number);
    }

    private void publish(PublishedView view) {
        known = known.published(view);
        placed = placed == null || !isRefused
                ? placed
                : placed.answering(view.subnet().fabric());
        counts.changedSls(difference == null ? 0 : difference.changedSls());
        counts.published(proof);
    }

    // --- what the sweeper asks of a sweep that runs ---

    /** Whether nothing has been written yet. */
    boolean isReading() {
        return discovery != null;
    }

    /** The subnet with the addresses that are being given; null before. */
    @Nullable
    Subnet addressed() {
        return addressed;
    }

    /** What it found, and what engines said of that. */
    FabricStates.Seen seen() {
        return new FabricStates.Seen(placed, said);
    }

    /** A switch reports a change; false if the sweep does not hear of it by itself. */
    boolean notice(long switchGuid) {
        boolean isSeen = discovery != null && discovery.notice(switchGuid);
        if (isSeen) {
            around.add(switchGuid);
        }
        patience.reported(isSeen);
        return isSeen;
    }

    /** Clients are to be asked for all that they registered, if this is not too late for it. */
    void reregister() {
        known = known.reregistering();
    }

    /** Ends without another word; hands over what is known so far. */
    Known cancel() {
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
        end(SweepResult.superseded(known, around));
    }

    private void fail(String why) {
        known = known.incomplete();
        end(SweepResult.failed(known, why));
    }

    /** A bug may also surface in who hears of the end: what was handed over then is not relied on. */
    private void abandon(Throwable bug) {
        EVENTS.report(SmEvent.SWEEP_ABANDONED, bug, EventField.SWEEP.of(number));
        stages.close();
        programmers.forgetDevices();
        Known.Policy policy = known.policy();
        known = policy == null ? known : known.with(policy.withoutProof());
        known = known.unread().incomplete();
        SweepResult failed = SweepResult.failed(known, "internal error: " + bug);
        if (!isOver) {
            handOver(failed);
        } else if (!isCancelled) {
            whenOver.accept(failed);
        }
    }
}
