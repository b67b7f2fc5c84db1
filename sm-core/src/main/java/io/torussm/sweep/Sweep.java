package io.torussm.sweep;

import io.torussm.deadlock.HeldTables;
import io.torussm.deadlock.RoutingChain;
import io.torussm.deadlock.Transition;
import io.torussm.discovery.Discovery;
import io.torussm.event.EventField;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.fabric.Fabric;
import io.torussm.mad.sa.ClassPortInfo;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mastership.MasterAuthority;
import io.torussm.multicast.MulticastRouter;
import io.torussm.partition.PartitionSettings;
import io.torussm.program.LidPersistenceBarrier;
import io.torussm.program.LinkActivator;
import io.torussm.program.MKeyRollover;
import io.torussm.program.PartitionProgrammer;
import io.torussm.program.ProgrammingErrors;
import io.torussm.program.SweepSettings;
import io.torussm.program.TableProgrammer;
import io.torussm.routing.MulticastTree;
import io.torussm.routing.Plan;
import io.torussm.routing.RetainedPlan;
import io.torussm.routing.RoutingOptions;
import io.torussm.subnet.LidAssigner;
import io.torussm.subnet.Subnet;
import io.torussm.subnet.SubnetMemory;
import io.torussm.transport.Loop;
import io.torussm.transport.MadClient;
import io.torussm.transport.MadScope;
import io.torussm.view.PublishedView;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One sweep, whole or local; its methods stand in the order they run. It leaves what it found and did in {@link SweepState}.
 * A bug that surfaces as an exception abandons it: nothing is published, and what devices hold is forgotten.
 *
 * <p>Owner thread: the loop, except for routing, which runs on the pool.
 */
final class Sweep {
    private static final EventLog EVENTS = EventLog.of(Sweep.class);

    /** Hosts that one line names. */
    private static final int MAX_TOLD = 5;

    private final SweepContext parts;
    private final SweepState standing;
    private final long number;
    private final boolean isLocal;
    private final Runnable whenOver;
    private final MadClient client;
    private final Loop loop;
    private final SubnetMemory memory;
    private final SweepListener listener;
    private final SweepSettings settings;
    private final PartitionSettings partitions;
    private final LidPersistenceBarrier pledge;
    private final ProgrammingErrors trouble = new ProgrammingErrors();
    private final List<Long> stageNs = new ArrayList<>();
    private final long sentBefore;
    private SweepCounts.Kind kind;
    private long stageStartNs;
    private @Nullable MadScope scope;
    private @Nullable Discovery discovery;
    private @Nullable MulticastTree multicast;
    private SweepCounts.@Nullable Proof proof;

    /** What the plan changes for those who live by the published one; null until that is worked out. */
    private @Nullable PlanDifference difference;

    /** What is to be done then. */
    private Runnable whenCompared = () -> {};

    private boolean isOver;

    /**
     * A sweep that is not begun yet.
     *
     * @param number counted from 1
     * @param isLocal whether only what changed is read, with the files as they were
     * @param whenOver called once, well or not, unless the sweep is cancelled
     */
    Sweep(SweepContext parts, SweepState standing, long number, boolean isLocal, Runnable whenOver) {
        this.parts = parts;
        this.standing = standing;
        this.number = number;
        this.isLocal = isLocal;
        this.kind = isLocal ? SweepCounts.Kind.LOCAL : SweepCounts.Kind.HEAVY;
        this.proof = standing.counts.proof();
        this.whenOver = whenOver;
        this.client = parts.client();
        this.loop = parts.loop();
        this.memory = parts.memory();
        this.pledge = new LidPersistenceBarrier(loop);
        this.listener = parts.listener();
        this.settings = parts.settings().get();
        this.sentBefore = client.stats().sent();
        this.stageStartNs = loop.nowNs();
        PartitionSettings last = standing.partitions;
        this.partitions = isLocal && last != null ? last : parts.partitions().get();
        standing.partitions = partitions;
    }

    /** Reads the whole fabric. */
    void start() {
        guard(() -> look(Discovery.start(client, memory, this::onDiscovered)));
    }

    /** Reads only some switches of a fabric again. */
    void update(Fabric fabric, List<Long> around) {
        guard(() -> look(Discovery.update(client, memory, fabric, around, this::onUpdated)));
    }

    private void look(Discovery begun) {
        discovery = begun;
        begun.whenFailed(this::abandon);
    }

    /** Computes routes anew for a fabric that was discovered before. */
    void reroute(Fabric fabric) {
        kind = SweepCounts.Kind.REROUTE;
        guard(() -> {
            stageDone();
            address(fabric);
        });
    }

    private void follow(MadScope stage) {
        scope = stage;
        stage.whenFailed(this::abandon);
    }

    /** Whether nothing has been written yet. */
    boolean isReading() {
        return discovery != null;
    }

    /** A switch reports a change; false if the sweep does not hear of it by itself. */
    boolean notice(long switchGuid) {
        Discovery looking = discovery;
        return looking != null && looking.notice(switchGuid);
    }

    /** Ends without another word. */
    void cancel() {
        isOver = true;
        closeStage();
    }

    private void end(SweepCounts.End how) {
        if (!isOver) {
            isOver = true;
            standing.counts.ended(kind, how);
            whenOver.run();
        }
    }

    private void closeStage() {
        Discovery looking = discovery;
        MadScope open = scope;
        if (looking != null) {
            looking.close();
        }
        if (open != null) {
            open.close();
        }
    }

    private void onUpdated(Discovery.Result found) {
        discovery = null;
        if (found.fabric() == null) {
            EVENTS.report(SmEvent.SWEEP_WIDENED, EventField.REASON.of(found.problem()));
            standing.isHeavyDue = true;
            end(SweepCounts.End.WIDENED);
            return;
        }
        List<DrPath> all = new ArrayList<>(standing.silent);
        all.addAll(found.silent());
        onDiscovered(new Discovery.Result(found.fabric(), found.remoteSms(), found.silentSms(), all, found.read(), ""));
    }

    private void onDiscovered(Discovery.Result found) {
        discovery = null;
        guard(() -> {
            stageDone();
            Fabric fabric = found.fabric();
            standing.known = fabric;
            if (fabric == null) {
                fail(found.problem());
                standing.authority.portDown(found.problem());
                return;
            }
            standing.silent = found.silent();
            found.read().forEach((guid, hasChanged) -> {
                if (hasChanged) {
                    standing.suspectWhatRoseAt(guid);
                }
                standing.risen.seen(guid);
            });
            fabric.anomalies().forEach(anomaly -> EVENTS.report(SmEvent.FABRIC_ANOMALY.says(anomaly)));
            PortInfo own = fabric.portInfo(fabric.localPort());
            if (own != null && !own.can(PortInfo.CAP_IS_SM)) {
                listener.isSmMissing();
            }
            if (authority(found)) {
                address(fabric);
            }
        });
    }

    /** Whether this SM rules, and the sweep goes on. */
    private boolean authority(Discovery.Result found) {
        MasterAuthority.Decision decision = standing.authority.decision(found.remoteSms(), found.silentSms(), !isLocal);
        standing.isHeld = !decision.isGranted();
        standing.isTakingOver |= standing.isHeld;
        if (standing.isHeld) {
            standing.groups.rest();
            standing.isIncomplete = true;
            end(SweepCounts.End.OTHER_MASTER);
            listener.otherMaster(decision.master());
        }
        return !standing.isHeld;
    }

    private void address(Fabric fabric) {
        LidAssigner.Result result = LidAssigner.assign(
                fabric,
                memory.lids().lids(),
                settings.lmc(),
                settings.lmcEsp0(),
                settings.reassignLids() && standing.assigned == null && !standing.isTakingOver,
                settings.gidPrefix());
        result.changes().forEach(change -> EVENTS.report(SmEvent.LID_CHANGED.says(change)));
        if (result.subnet().isEmpty()) {
            fail(result.problem());
            return;
        }
        Subnet subnet = result.subnet().get();
        PublishedView published = standing.view;
        Plan retained = published == null || !isLocal
                ? null
                : RetainedPlan.of(published.plan(), subnet).orElse(null);
        if (published != null && retained != null) {
            stageDone();
            standing.counts.judged(SweepCounts.Judgement.RETAINED);
            difference = PlanDifference.NONE;
            tellOfHosts(published.subnet().fabric(), subnet.fabric());
            MulticastTree tree = published.multicast();
            use(retained, tree == null ? null : tree.on(subnet.fabric()), held -> Transition.FREE);
            return;
        }
        RoutingChain now = standing.chain;
        RoutingChain engines = isLocal && now != null ? now : parts.routing().get();
        standing.chain = engines;
        standing.routings.incrementAndGet();
        RoutingOptions options = settings.routingOptions();
        parts.pool().execute(() -> route(engines, subnet, options));
    }

    /** Hosts are all that changed; the engine was not asked, so it has nothing to tell. */
    private void tellOfHosts(Fabric before, Fabric now) {
        List<String> gone = missing(before, now);
        List<String> back = missing(now, before);
        if (gone.isEmpty() && back.isEmpty()) {
            EVENTS.report(SmEvent.HOSTS_UNCHANGED);
        } else {
            EVENTS.report(
                    SmEvent.HOSTS_CHANGED,
                    EventField.GONE.of(String.join(", ", gone)),
                    EventField.BACK.of(String.join(", ", back)));
        }
    }

    private static List<String> missing(Fabric from, Fabric in) {
        return IntStream.range(0, from.portCount())
                .filter(port -> !from.isSwitch(from.nodeOf(port)) && from.isEndport(port) && !isThere(in, from, port))
                .mapToObj(from::portName)
                .limit(MAX_TOLD)
                .toList();
    }

    private static boolean isThere(Fabric in, Fabric from, int port) {
        int node = in.nodeByGuid(from.nodeGuid(from.nodeOf(port)));
        return node != Fabric.NONE
                && from.portNum(port) <= in.numPorts(node)
                && in.isEndport(in.port(node, from.portNum(port)));
    }

    private void route(RoutingChain engines, Subnet subnet, RoutingOptions options) {
        try {
            RoutingChain.ChainResult result = engines.route(subnet, options);
            PublishedView published = standing.view;
            Function<HeldTables, Transition> order = held -> engines.transition(held, publishedPlan(), result, options);
            loop.execute(() -> guard(() -> onRouted(result, order)));
            PlanDifference found = PlanDifference.of(published, result.plan());
            loop.execute(() -> guard(() -> onCompared(found)));
        } catch (RuntimeException | Error e) {
            loop.execute(() -> abandon(e));
        }
    }

    /** What the engine made of the subnet that is published; null if nothing is. */
    private @Nullable Plan publishedPlan() {
        PublishedView published = standing.view;
        return published == null ? null : RetainedPlan.routed(published.plan());
    }

    private void onRouted(RoutingChain.ChainResult result, Function<HeldTables, Transition> order) {
        stageDone();
        if (isOver) {
            return;
        }
        listener.routed(result);
        Plan plan = result.plan();
        if (plan == null) {
            standing.counts.judged(SweepCounts.Judgement.REFUSED);
            end(SweepCounts.End.REFUSED);
            listener.refused(result.findings());
            return;
        }
        proof = SweepCounts.Proof.of(result.verdict());
        standing.counts.judged(proof == null ? SweepCounts.Judgement.UNPROVED : SweepCounts.Judgement.CERTIFIED);
        report(result.findings());
        report(standing.view == null ? memory.places().changesTo(plan.subnet().fabric(), plan::place) : List.of());
        use(plan, result.multicast(), order);
    }

    /** Tables do not wait for this, what is published does. */
    private void onCompared(PlanDifference found) {
        if (!isOver) {
            report(found.findings());
            listener.compared(found.findings(), found.changedSls());
            difference = found;
            whenCompared.run();
        }
    }

    private void afterComparison(Runnable stage) {
        if (difference == null) {
            whenCompared = stage;
        } else {
            stage.run();
        }
    }

    private void use(Plan plan, @Nullable MulticastTree tree, Function<HeldTables, Transition> order) {
        Subnet subnet = plan.subnet();
        multicast = tree;
        standing.assigned = subnet;
        pledge.give(memory.lids(), subnet);
        parts.memberships().declare(partitions.conf().groups());
        MulticastRouter router = new MulticastRouter(subnet, tree, plan.multicastSls(), guid -> parts.aliases()
                .table()
                .portOf(guid));
        standing.groups.adopt(router, subnet, plan.multicastSls(), () -> guard(() -> program(plan, order, router)));
    }

    private void program(Plan plan, Function<HeldTables, Transition> order, MulticastRouter router) {
        follow(standing.programmer.start(
                client,
                plan,
                order,
                router,
                parts.memberships().view(),
                settings,
                trouble,
                done -> guard(() -> onProgrammed(plan, done))));
    }

    private void report(List<Finding> findings) {
        findings.forEach(EVENTS::report);
    }

    private void onProgrammed(Plan plan, TableProgrammer.Result done) {
        stageDone();
        follow(standing.partitionProgrammer.start(
                client,
                done.fabric(),
                partitions,
                trouble,
                partitioned -> pledge.whenKept(() -> guard(() -> activate(plan, done, partitioned)))));
    }

    private void activate(Plan plan, TableProgrammer.Result done, PartitionProgrammer.Result partitioned) {
        if (isOver) {
            return;
        }
        report(partitioned.plan().findings());
        rememberKeysToGive(partitioned.fabric());
        LinkActivator activator = new LinkActivator(
                client.scope(),
                plan.subnet().with(partitioned.fabric()),
                plan,
                settings,
                parts.vlArbitration().apply(plan),
                partitioned,
                standing.view == null || standing.mustReregister,
                memory.keys(),
                trouble.graveCount() == 0,
                standing.stubborn,
                trouble);
        follow(activator.start(subnet -> guard(() -> changeKeys(plan, subnet, done, partitioned, activator))));
    }

    /** A port without an M_Key is given one with its other settings; a restart must know which. */
    private void rememberKeysToGive(Fabric fabric) {
        for (int port = 0; port < fabric.portCount(); port++) {
            if (fabric.isEndport(port)) {
                memory.keys().expectFirst(fabric.portGuid(port));
            }
        }
        memory.keys().save();
    }

    private void changeKeys(
            Plan plan,
            Subnet active,
            TableProgrammer.Result done,
            PartitionProgrammer.Result partitioned,
            LinkActivator activator) {
        follow(MKeyRollover.start(
                client.scope(),
                loop,
                active,
                memory.keys(),
                settings.mKey(),
                trouble,
                subnet -> guard(() -> {
                    if (!isOver) {
                        memory.neighbors().remember(subnet.fabric());
                        memory.places().remember(plan.subnet().fabric(), plan::place);
                        memory.keys().save();
                        afterComparison(() -> onActive(plan, subnet, done, partitioned, activator));
                    }
                })));
    }

    private void onActive(
            Plan plan,
            Subnet subnet,
            TableProgrammer.Result done,
            PartitionProgrammer.Result partitioned,
            LinkActivator activator) {
        stageDone();
        trouble.told().forEach(what -> EVENTS.report(SmEvent.DEVICE_TROUBLE.says(what)));
        boolean isInDoubt = isLocal && !standing.silent.isEmpty();
        standing.isIncomplete = trouble.count() > 0 || activator.refusedToRiseCount() > 0 || isInDoubt;
        standing.changed.addAll(done.changed());
        standing.known = subnet.fabric();
        standing.risen.rose(standing.known, activator.activated());
        if (trouble.graveCount() > 0) {
            forgetWhereLinksRose(activator.activated());
            fail(trouble.graveCount() + " writes to switches failed; the next sweep tries again");
            return;
        }
        PublishedView published = new PublishedView(
                subnet,
                plan,
                multicast,
                partitioned.plan(),
                client.localPort().portGuid(),
                settings.subnetTimeout(),
                ClassPortInfo.responseTimeValue(client.timeoutMs()),
                settings.qos(),
                done.qos(),
                number);
        standing.slChanges.addAndGet(difference == null ? 0 : difference.changedSls());
        standing.view = published;
        standing.counts.published(proof);
        standing.mustReregister = false;
        standing.guids.adopt(subnet.fabric(), activator.activated(), !isLocal);
        end(SweepCounts.End.UP);
        listener.subnetUp(published, reportOf(subnet.fabric(), done.written() + partitioned.written(), activator));
    }

    /**
     * A link to a host rises although other writes failed. Its switch may have restarted since its tables were written, and
     * would look from now on as if it had not.
     */
    private void forgetWhereLinksRose(BitSet ports) {
        Fabric fabric = standing.known;
        for (int port = ports.nextSetBit(0); fabric != null && port >= 0; port = ports.nextSetBit(port + 1)) {
            standing.programmer.forget(fabric.nodeGuid(fabric.nodeOf(port)));
        }
    }

    private SweepReport reportOf(Fabric fabric, long written, LinkActivator activator) {
        int endports = 0;
        int links = 0;
        for (int port = 0; port < fabric.portCount(); port++) {
            boolean isHost = !fabric.isSwitch(fabric.nodeOf(port));
            endports += isHost && fabric.isEndport(port) ? 1 : 0;
            links += fabric.peer(port) > port ? 1 : 0;
        }
        return new SweepReport(
                number,
                fabric.switchCount(),
                endports,
                links,
                client.stats().sent() - sentBefore,
                written,
                activator.activated().cardinality(),
                List.copyOf(stageNs),
                trouble.told());
    }

    private void stageDone() {
        long nowNs = loop.nowNs();
        SweepCounts.Stage stage = SweepCounts.STAGES.get(stageNs.size());
        if (kind != SweepCounts.Kind.REROUTE || stage != SweepCounts.Stage.DISCOVER) {
            standing.counts.took(stage, nowNs - stageStartNs);
        }
        stageNs.add(nowNs - stageStartNs);
        stageStartNs = nowNs;
    }

    private void fail(String why) {
        standing.isIncomplete = true;
        end(SweepCounts.End.FAILED);
        listener.failed(why);
    }

    private void abandon(Throwable bug) {
        EVENTS.report(SmEvent.SWEEP_ABANDONED, bug, EventField.SWEEP.of(number));
        closeStage();
        standing.forgetDevices();
        standing.known = null;
        fail("internal error: " + bug);
    }

    private void guard(Runnable stage) {
        try {
            stage.run();
        } catch (RuntimeException e) {
            abandon(e);
        }
    }
}
