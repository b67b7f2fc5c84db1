package io.torussm.sweep;

import io.torussm.event.EventDamper;
import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.DrPath;
import io.torussm.mastership.Mandate;
import io.torussm.mastership.Sweeps;
import io.torussm.multicast.MembershipService;
import io.torussm.multicast.MulticastRouter;
import io.torussm.partition.PartitionSettings;
import io.torussm.routing.Finding;
import io.torussm.routing.HeldTables;
import io.torussm.routing.MulticastTree;
import io.torussm.routing.RetainedPlan;
import io.torussm.routing.RoutingChain;
import io.torussm.routing.RoutingOptions;
import io.torussm.routing.RoutingPlan;
import io.torussm.routing.Transition;
import io.torussm.routing.VlArbitrationPolicy;
import io.torussm.subnet.LidAssigner;
import io.torussm.subnet.Subnet;
import io.torussm.transport.Loop;
import io.torussm.transport.MadClient;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadScope;
import io.torussm.view.PublishedView;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Conducts sweeps: discover, address, route, prove, program, partition, activate, publish; one at a time. Owner thread:
 * the loop, except for {@link #view()} and the counters.
 *
 * <p>A sweep asked for while one runs is remembered and follows it. A bug that surfaces as an exception abandons the
 * sweep it happened in: nothing of it is published, what devices hold is forgotten, and the next sweep starts anew.
 */
public final class Sweeper implements Sweeps {
    private static final Logger LOG = LoggerFactory.getLogger(Sweeper.class);

    /** Hosts that one line names. */
    private static final int MAX_TOLD = 5;

    private final MadClient client;
    private final Loop loop;
    private final Executor pool;
    private final Supplier<SweepSettings> settings;
    private final Supplier<RoutingChain> routing;
    private final Supplier<PartitionSettings> partitions;
    private final VlArbitrationPolicy vlArbitration;
    private final SubnetMemory memory;
    private final SweepListener listener;
    private final TableProgrammer programmer;
    private final PartitionProgrammer partitionProgrammer = new PartitionProgrammer();
    private final StubbornPorts stubborn = new StubbornPorts();
    private final KeyWatch keyWatch;
    private final EventDamper traps;
    private final SmAgent agent;
    private final MembershipService memberships;
    private final GroupProgrammer groupProgrammer;

    private final AtomicLong slChanges = new AtomicLong();
    private final AtomicLong routings = new AtomicLong();
    private volatile @Nullable PublishedView view;
    private @Nullable Sweep running;
    private @Nullable MadScope light;
    private boolean heavyWanted;

    /** NodeGUIDs of switches that have to be read again. */
    private final Set<Long> changed = new LinkedHashSet<>();

    /** As the fabric was read last; null if it has to be read as a whole. */
    private @Nullable Fabric known;

    private final RisenLinks risen = new RisenLinks();

    /** With the files as the last heavy sweep found them. */
    private @Nullable RoutingChain chain;

    /** With the file as the last heavy sweep found it. */
    private @Nullable PartitionSettings lastPartitions;

    private boolean incomplete;
    private boolean stopped;
    private Mandate mandate = Mandate.ALONE;

    /** Whether the last sweep ended because it had no mandate. */
    private boolean isHeld;

    /** Whether another SM has ruled here: its LIDs stay as they are. */
    private boolean isTakingOver;

    private boolean mustReregister;
    private List<DrPath> silent = List.of();
    private long sweeps;
    private @Nullable Subnet assigned;

    /**
     * A sweeper that does nothing until asked.
     *
     * @param pool where routes are computed and proved
     * @param settings asked anew for every sweep
     * @param routing asked anew for every sweep, so that files are read again
     * @param partitions asked anew for every sweep, so that the file is read again
     * @param memory of addresses and whatever else outlives a sweep
     * @param memberships of multicast groups; this sweeper hears of their changes
     */
    public Sweeper(
            MadClient client,
            Loop loop,
            Executor pool,
            Supplier<SweepSettings> settings,
            Supplier<RoutingChain> routing,
            Supplier<PartitionSettings> partitions,
            VlArbitrationPolicy vlArbitration,
            SubnetMemory memory,
            MembershipService memberships,
            SweepListener listener) {
        this.client = client;
        this.loop = loop;
        this.pool = pool;
        this.settings = settings;
        this.routing = routing;
        this.partitions = partitions;
        this.vlArbitration = vlArbitration;
        this.memory = memory;
        this.listener = listener;
        this.programmer = new TableProgrammer(vlArbitration, loop, pool);
        this.memberships = memberships;
        this.groupProgrammer =
                new GroupProgrammer(client, loop, programmer, memberships, () -> incomplete = true, listener);
        this.keyWatch = new KeyWatch(memory, this::view, loop::nowNs);
        this.traps = new EventDamper(loop, lid -> sweepAround((int) lid), this::tellOfFlapping);
        this.agent = new SmAgent(client::send, () -> mandate.isMaster(), keyWatch, lid -> traps.happened(lid));
    }

    private void tellOfFlapping(long lid, int count) {
        Subnet subnet = assigned;
        int port = subnet == null ? Fabric.NONE : subnet.portOfLid((int) lid);
        LOG.warn(
                "LID {}{} reports a change for the {}th time in short order, a link there may be flapping; it is looked at "
                        + "ever less often until it has been quiet for a while",
                lid,
                subnet == null || port == Fabric.NONE
                        ? ""
                        : " " + subnet.fabric().name(subnet.fabric().nodeOf(port)),
                count);
    }

    /** Who decides from now on whether this SM may sweep and write; without this call it rules alone. */
    public void under(Mandate newMandate) {
        loop.check();
        mandate = newMandate;
    }

    /** What is published; null until the first subnet is up. May be called from any thread. */
    public @Nullable PublishedView view() {
        return view;
    }

    /**
     * Paths whose SL changed from one published subnet to the next, summed over all sweeps; should be 0. May be called
     * from any thread.
     */
    public long slChanges() {
        return slChanges.get();
    }

    /** Complaints of ports that somebody shows a wrong M_Key (trap 256); may be called from any thread. */
    public long mKeyComplaints() {
        return keyWatch.complaints();
    }

    /** How often routes were computed. May be called from any thread. */
    public long routings() {
        return routings.get();
    }

    /** Whether nothing runs and nothing is to follow; confined to the loop. */
    public boolean isResting() {
        return running == null && light == null && !heavyWanted && changed.isEmpty();
    }

    /** Takes SMPs of others. */
    public void receive(MadFrame frame) {
        loop.check();
        agent.receive(frame);
    }

    /** Sweeps the whole fabric, now or as soon as the sweep that runs is over. */
    @Override
    public void sweepHeavy() {
        loop.check();
        heavyWanted = true;
        next();
    }

    /**
     * Reads again what is around a switch some port of which changed, now or as soon as the sweep that runs is over; and
     * routes anew if that has changed more than hosts. Sweeps the whole fabric if that is less work or nothing else will
     * do.
     *
     * @param lid of the switch; another one is nobody's word for anything, hence the whole fabric
     */
    public void sweepAround(int lid) {
        loop.check();
        Subnet subnet = assigned;
        int sw = subnet == null ? Fabric.NONE : subnet.portOfLid(lid);
        if (subnet == null
                || sw == Fabric.NONE
                || !subnet.fabric().isSwitch(subnet.fabric().nodeOf(sw))) {
            heavyWanted = true;
        } else {
            notice(subnet.fabric().nodeGuid(subnet.fabric().nodeOf(sw)));
        }
        next();
    }

    private void suspectWhatRoseAt(long guid) {
        risen.suspects(guid).forEach(programmer::forget);
    }

    /** A change of which the discovery that runs will hear by itself wants no other sweep. */
    private void notice(long guid) {
        Sweep sweep = running;
        Discovery discovery = sweep == null ? null : sweep.discovery;
        if (discovery == null || !discovery.notice(guid)) {
            changed.add(guid);
        }
    }

    private void next() {
        if (stopped || running != null || !mandate.maySweep() || !heavyWanted && changed.isEmpty()) {
            return;
        }
        Fabric fabric = known;
        boolean isLocal =
                fabric != null && !heavyWanted && !incomplete && changed.size() <= fabric.switchCount() / 8 + 4;
        List<Long> around = List.copyOf(changed);
        around.forEach(this::suspectWhatRoseAt);
        heavyWanted = false;
        changed.clear();
        endLight();
        sweeps++;
        Sweep sweep = new Sweep(sweeps, isLocal);
        running = sweep;
        if (fabric != null && isLocal) {
            sweep.update(fabric, around);
        } else {
            sweep.start();
        }
    }

    /** A sweep that only reads as yet is begun again, one that writes already is followed by another. */
    @Override
    public void sweepAnew() {
        loop.check();
        mustReregister = true;
        programmer.forgetAll();
        partitionProgrammer.forgetAll();
        Sweep sweep = running;
        if (sweep != null && sweep.discovery != null) {
            sweep.cancel();
        }
        sweepHeavy();
    }

    @Override
    public void rest() {
        loop.check();
        endLight();
        groupProgrammer.stop();
        Sweep sweep = running;
        if (sweep != null) {
            sweep.cancel();
        }
        programmer.forgetAll();
        partitionProgrammer.forgetAll();
        memberships.forget();
        view = null;
        known = null;
        risen.clear();
        changed.clear();
        heavyWanted = false;
        incomplete = true;
        isTakingOver = true;
    }

    /** Computes routes anew and programs what differs, without discovery; a whole sweep if nothing is published yet. */
    public void reroute() {
        loop.check();
        Fabric fabric = known;
        if (view == null || fabric == null || running != null || isHeld) {
            sweepHeavy();
        } else if (!stopped) {
            sweeps++;
            Sweep sweep = new Sweep(sweeps, false);
            running = sweep;
            sweep.reroute(fabric);
        }
    }

    /** Asks every switch whether a port changed; sweeps the whole fabric if one did, or if the last sweep left something. */
    @Override
    public void sweepLight() {
        loop.check();
        PublishedView published = view;
        if (published == null || incomplete) {
            sweepHeavy();
        } else if (running == null && light == null && !stopped) {
            SweepSettings now = settings.get();
            OptionalInt leased = now.isLeased() ? OptionalInt.of(now.mKeyProtectBits()) : OptionalInt.empty();
            light = LightSweep.start(client, published.subnet().fabric(), programmer, silent, leased, this::onLight);
        }
    }

    /** Ends: what runs is cancelled, nothing new is begun. */
    public void stop() {
        loop.check();
        stopped = true;
        endLight();
        groupProgrammer.stop();
        Sweep sweep = running;
        if (sweep != null) {
            sweep.cancel();
        }
    }

    private void onLight(LightSweep.Result found) {
        light = null;
        found.steady().forEach(risen::seen);
        if (!found.told().isEmpty()) {
            LOG.info(
                    "light sweep: {} devices changed or do not answer any more, first {}",
                    found.told().size(),
                    found.told().get(0));
            changed.addAll(found.changed());
            heavyWanted |= found.mustSweepAll();
            next();
        }
    }

    private void endLight() {
        MadScope scope = light;
        light = null;
        if (scope != null) {
            scope.close();
        }
    }

    private void ended(Sweep sweep) {
        if (running == sweep) {
            running = null;
            groupProgrammer.release();
            loop.execute(this::next);
        }
    }

    /** One heavy or local sweep; its methods stand in the order they run. */
    private final class Sweep {
        private final long number;
        private final boolean isLocal;
        private final SweepSettings settings = Sweeper.this.settings.get();
        private final PartitionSettings partitionSettings;
        private final Trouble trouble = new Trouble();
        private final List<Long> stageNs = new ArrayList<>();
        private final long sentBefore = client.stats().sent();
        private long stageStartNs = loop.nowNs();
        private @Nullable MadScope scope;
        private @Nullable Discovery discovery;
        private @Nullable MulticastTree multicast;
        private long changedSls;

        Sweep(long number, boolean isLocal) {
            this.number = number;
            this.isLocal = isLocal;
            PartitionSettings last = lastPartitions;
            this.partitionSettings = isLocal && last != null ? last : partitions.get();
            lastPartitions = partitionSettings;
        }

        void start() {
            guard(() -> look(Discovery.start(client, memory.keys(), this::onDiscovered)));
        }

        /** Reads only some switches of a fabric again. */
        void update(Fabric fabric, List<Long> around) {
            guard(() -> look(Discovery.update(client, memory.keys(), fabric, around, this::onUpdated)));
        }

        private void look(Discovery begun) {
            discovery = begun;
            begun.whenFailed(this::abandon);
        }

        /** Computes routes anew for a fabric that was discovered before. */
        void reroute(Fabric fabric) {
            guard(() -> {
                stageDone();
                address(fabric);
            });
        }

        private void follow(MadScope stage) {
            scope = stage;
            stage.whenFailed(this::abandon);
        }

        void cancel() {
            closeStage();
            running = null;
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
                LOG.info("{}; the whole fabric is swept", found.problem());
                heavyWanted = true;
                ended(this);
                return;
            }
            List<DrPath> all = new ArrayList<>(silent);
            all.addAll(found.silent());
            onDiscovered(
                    new Discovery.Result(found.fabric(), found.remoteSms(), found.silentSms(), all, found.read(), ""));
        }

        private void onDiscovered(Discovery.Result found) {
            discovery = null;
            guard(() -> {
                stageDone();
                Fabric fabric = found.fabric();
                known = fabric;
                if (fabric == null) {
                    fail(found.problem());
                    mandate.portDown(found.problem());
                    return;
                }
                silent = found.silent();
                found.read().forEach((guid, hasChanged) -> {
                    if (hasChanged) {
                        suspectWhatRoseAt(guid);
                    }
                    risen.seen(guid);
                });
                fabric.anomalies().forEach(anomaly -> LOG.warn("{}", anomaly));
                if (mandate(found)) {
                    address(fabric);
                }
            });
        }

        /** Whether this SM rules, and the sweep goes on. */
        private boolean mandate(Discovery.Result found) {
            Mandate.Ruling ruling = mandate.ruling(found.remoteSms(), found.silentSms(), !isLocal);
            isHeld = !ruling.isGranted();
            isTakingOver |= isHeld;
            if (isHeld) {
                groupProgrammer.rest();
                incomplete = true;
                ended(this);
                listener.otherMaster(ruling.ruler());
            }
            return !isHeld;
        }

        private void address(Fabric fabric) {
            LidAssigner.Result result = LidAssigner.assign(
                    fabric,
                    memory.lids().lids(),
                    settings.lmc(),
                    settings.reassignLids() && assigned == null && !isTakingOver,
                    settings.gidPrefix());
            result.changes().forEach(change -> LOG.warn("{}", change));
            if (result.subnet().isEmpty()) {
                fail(result.problem());
                return;
            }
            Subnet subnet = result.subnet().get();
            PublishedView published = view;
            RoutingPlan retained = published == null || !isLocal
                    ? null
                    : RetainedPlan.of(published.plan(), subnet).orElse(null);
            if (published != null && retained != null) {
                stageDone();
                tellOfHosts(published.subnet().fabric(), subnet.fabric());
                MulticastTree tree = published.multicast();
                use(retained, tree == null ? null : tree.on(subnet.fabric()), held -> Transition.FREE);
                return;
            }
            RoutingChain now = chain;
            RoutingChain engines = isLocal && now != null ? now : routing.get();
            chain = engines;
            routings.incrementAndGet();
            RoutingOptions options =
                    new RoutingOptions(settings.qos(), settings.links().maxOpVls(), settings.smSl());
            pool.execute(() -> route(engines, subnet, options));
        }

        /** Hosts are all that changed; the engine was not asked, so it has nothing to tell. */
        private void tellOfHosts(Fabric before, Fabric now) {
            List<String> gone = missing(before, now);
            List<String> back = missing(now, before);
            LOG.info("routes stay; gone: {}; back: {}", String.join(", ", gone), String.join(", ", back));
        }

        private static List<String> missing(Fabric from, Fabric in) {
            return IntStream.range(from.switchCount(), from.nodeCount())
                    .filter(node -> in.nodeByGuid(from.nodeGuid(node)) == Fabric.NONE)
                    .mapToObj(from::name)
                    .limit(MAX_TOLD)
                    .toList();
        }

        private void route(RoutingChain engines, Subnet subnet, RoutingOptions options) {
            try {
                RoutingChain.ChainResult result = engines.route(subnet, options);
                PlanDifference difference = PlanDifference.of(view, result.plan());
                Function<HeldTables, Transition> order =
                        held -> engines.transition(held, publishedPlan(), result, options);
                loop.execute(() -> guard(() -> onRouted(result, order, difference)));
            } catch (RuntimeException | Error e) {
                loop.execute(() -> abandon(e));
            }
        }

        /** What the engine made of the subnet that is published; null if nothing is. */
        private @Nullable RoutingPlan publishedPlan() {
            PublishedView published = view;
            return published == null ? null : RetainedPlan.routed(published.plan());
        }

        private void onRouted(
                RoutingChain.ChainResult result, Function<HeldTables, Transition> order, PlanDifference difference) {
            stageDone();
            if (stopped || !this.equals(running)) {
                return;
            }
            RoutingPlan plan = result.plan();
            if (plan == null) {
                ended(this);
                listener.refused(result.findings());
                return;
            }
            report(result.findings());
            report(difference.findings());
            report(view == null ? memory.places().changesTo(plan) : List.of());
            changedSls = difference.changedSls();
            use(plan, result.multicast(), order);
        }

        private void use(RoutingPlan plan, @Nullable MulticastTree tree, Function<HeldTables, Transition> order) {
            Subnet subnet = plan.subnet();
            multicast = tree;
            assigned = subnet;
            memory.lids().remember(subnet);
            memberships.declare(partitionSettings.conf().groups());
            MulticastRouter router = new MulticastRouter(subnet, tree, plan.multicastSls());
            groupProgrammer.adopt(router, subnet, plan.multicastSls(), () -> guard(() -> program(plan, order, router)));
        }

        private void program(RoutingPlan plan, Function<HeldTables, Transition> order, MulticastRouter router) {
            follow(programmer.start(
                    client,
                    plan,
                    order,
                    router,
                    memberships.view(),
                    settings,
                    trouble,
                    done -> guard(() -> onProgrammed(plan, done))));
        }

        private void report(List<Finding> findings) {
            for (Finding finding : findings) {
                switch (finding.severity()) {
                    case ERROR -> LOG.error("{}", finding.text());
                    case WARNING -> LOG.warn("{}", finding.text());
                    case INFO -> LOG.info("{}", finding.text());
                }
            }
        }

        private void onProgrammed(RoutingPlan plan, TableProgrammer.Result done) {
            stageDone();
            follow(partitionProgrammer.start(
                    client,
                    done.fabric(),
                    partitionSettings,
                    trouble,
                    partitioned -> guard(() -> activate(plan, done, partitioned))));
        }

        private void activate(RoutingPlan plan, TableProgrammer.Result done, PartitionProgrammer.Result partitioned) {
            report(partitioned.plan().findings());
            rememberKeysToGive(partitioned.fabric());
            LinkActivator activator = new LinkActivator(
                    client.scope(),
                    plan.subnet().with(partitioned.fabric()),
                    plan,
                    settings,
                    vlArbitration,
                    partitioned,
                    view == null || mustReregister,
                    memory.keys(),
                    trouble.graveCount() == 0,
                    stubborn,
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
                RoutingPlan plan,
                Subnet active,
                TableProgrammer.Result done,
                PartitionProgrammer.Result partitioned,
                LinkActivator activator) {
            follow(KeyRollover.start(
                    client.scope(),
                    loop,
                    active,
                    memory.keys(),
                    settings.mKey(),
                    trouble,
                    subnet -> guard(() -> {
                        if (running == this) {
                            memory.neighbors().remember(subnet.fabric());
                            memory.places().remember(plan);
                            memory.keys().save();
                            onActive(plan, subnet, done, partitioned, activator);
                        }
                    })));
        }

        private void onActive(
                RoutingPlan plan,
                Subnet subnet,
                TableProgrammer.Result done,
                PartitionProgrammer.Result partitioned,
                LinkActivator activator) {
            stageDone();
            trouble.told().forEach(what -> LOG.warn("{}", what));
            boolean isInDoubt = isLocal && !silent.isEmpty();
            incomplete = trouble.count() > 0 || activator.refusedToRiseCount() > 0 || isInDoubt;
            changed.addAll(done.changed());
            known = subnet.fabric();
            risen.rose(known, activator.activated());
            if (trouble.graveCount() > 0) {
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
                    16,
                    settings.qos(),
                    number);
            slChanges.addAndGet(changedSls);
            view = published;
            mustReregister = false;
            ended(this);
            listener.subnetUp(published, reportOf(subnet.fabric(), done.written() + partitioned.written(), activator));
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
            stageNs.add(nowNs - stageStartNs);
            stageStartNs = nowNs;
        }

        private void fail(String why) {
            incomplete = true;
            ended(this);
            listener.failed(why);
        }

        private void abandon(Throwable bug) {
            LOG.error("sweep {} is abandoned because of a defect in this program", number, bug);
            closeStage();
            programmer.forgetAll();
            partitionProgrammer.forgetAll();
            known = null;
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
}
