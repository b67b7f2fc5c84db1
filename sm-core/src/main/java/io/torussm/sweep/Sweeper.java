package io.torussm.sweep;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.SmInfo;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.multicast.MembershipService;
import io.torussm.multicast.MulticastRouter;
import io.torussm.routing.Finding;
import io.torussm.routing.HeldTables;
import io.torussm.routing.MulticastTree;
import io.torussm.routing.RoutingChain;
import io.torussm.routing.RoutingOptions;
import io.torussm.routing.RoutingPlan;
import io.torussm.routing.Transition;
import io.torussm.routing.VlArbitrationPolicy;
import io.torussm.subnet.LidAssigner;
import io.torussm.subnet.LidStore;
import io.torussm.subnet.Subnet;
import io.torussm.transport.Loop;
import io.torussm.transport.MadClient;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadScope;
import io.torussm.transport.Outcome;
import io.torussm.view.PublishedView;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Conducts sweeps: discover, address, route, prove, program, activate, publish; one at a time. Owner thread: the loop,
 * except for {@link #view()} and {@link #slChanges()}.
 *
 * <p>A sweep asked for while one runs is remembered and follows it. A bug that surfaces as an exception abandons the
 * sweep it happened in: nothing of it is published, what devices hold is forgotten, and the next sweep starts anew.
 */
public final class Sweeper {
    private static final Logger LOG = LoggerFactory.getLogger(Sweeper.class);

    private final MadClient client;
    private final Loop loop;
    private final Executor pool;
    private final Supplier<SweepSettings> settings;
    private final Supplier<RoutingChain> routing;
    private final VlArbitrationPolicy vlArbitration;
    private final @Nullable LidStore lids;
    private final SweepListener listener;
    private final TableProgrammer programmer;
    private final SmAgent agent;
    private final MembershipService memberships;
    private final GroupProgrammer groupProgrammer;

    private final AtomicLong slChanges = new AtomicLong();
    private volatile @Nullable PublishedView view;
    private @Nullable Sweep running;
    private @Nullable MadScope light;
    private boolean heavyWanted;
    private boolean incomplete;
    private boolean stopped;
    private List<DrPath> silent = List.of();
    private long sweeps;
    private @Nullable Subnet assigned;

    /**
     * A sweeper that does nothing until asked.
     *
     * @param pool where routes are computed and proved
     * @param settings asked anew for every sweep
     * @param routing asked anew for every sweep, so that files are read again
     * @param lids null to keep LIDs in memory only
     * @param memberships of multicast groups; this sweeper hears of their changes
     */
    public Sweeper(
            MadClient client,
            Loop loop,
            Executor pool,
            Supplier<SweepSettings> settings,
            Supplier<RoutingChain> routing,
            VlArbitrationPolicy vlArbitration,
            @Nullable LidStore lids,
            MembershipService memberships,
            SweepListener listener) {
        this.client = client;
        this.loop = loop;
        this.pool = pool;
        this.settings = settings;
        this.routing = routing;
        this.vlArbitration = vlArbitration;
        this.lids = lids;
        this.listener = listener;
        this.programmer = new TableProgrammer(vlArbitration, loop, pool);
        this.memberships = memberships;
        this.groupProgrammer =
                new GroupProgrammer(client, loop, programmer, memberships, () -> incomplete = true, listener);
        this.agent = new SmAgent(
                client::send,
                client.localPort().portGuid(),
                settings.get().priority(),
                () -> settings.get().mKey(),
                this::sweepHeavy);
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

    /** Takes SMPs of others. */
    public void receive(MadFrame frame) {
        loop.check();
        agent.receive(frame);
    }

    /** Sweeps the whole fabric, now or as soon as the sweep that runs is over. */
    public void sweepHeavy() {
        loop.check();
        if (stopped) {
            return;
        }
        if (running != null) {
            heavyWanted = true;
            return;
        }
        heavyWanted = false;
        endLight();
        sweeps++;
        agent.act();
        Sweep sweep = new Sweep(sweeps);
        running = sweep;
        sweep.start();
    }

    /** Computes routes anew and programs what differs, without discovery; a whole sweep if nothing is published yet. */
    public void reroute() {
        loop.check();
        PublishedView published = view;
        if (published == null || running != null) {
            sweepHeavy();
        } else if (!stopped) {
            sweeps++;
            Sweep sweep = new Sweep(sweeps);
            running = sweep;
            sweep.reroute(published.subnet().fabric());
        }
    }

    /** Asks every switch whether a port changed; sweeps the whole fabric if one did, or if the last sweep left something. */
    public void sweepLight() {
        loop.check();
        PublishedView published = view;
        if (published == null || incomplete) {
            sweepHeavy();
        } else if (running == null && light == null && !stopped) {
            agent.act();
            askSwitches(published.subnet().fabric());
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

    private void askSwitches(Fabric fabric) {
        MadScope scope = client.scope();
        light = scope;
        List<String> changed = new ArrayList<>();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            int asked = sw;
            scope.get(SwitchInfo.TYPE, fabric.node(sw).path(), 0, outcome -> {
                boolean isSteady = outcome instanceof Outcome.Reply<SwitchInfo> reply
                        && !reply.value().portStateChange();
                if (!isSteady) {
                    changed.add(fabric.name(asked));
                }
            });
        }
        for (DrPath path : silent) {
            scope.get(NodeInfo.TYPE, path, 0, outcome -> {
                if (outcome instanceof Outcome.Reply<NodeInfo>) {
                    changed.add("what was silent at the end of route " + path);
                }
            });
        }
        scope.whenIdle(() -> {
            light = null;
            if (!changed.isEmpty()) {
                LOG.info(
                        "light sweep: {} devices changed or do not answer any more, first {}",
                        changed.size(),
                        changed.get(0));
                sweepHeavy();
            }
        });
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
            if (heavyWanted) {
                loop.execute(this::sweepHeavy);
            }
        }
    }

    /** One heavy sweep; its methods stand in the order they run. */
    private final class Sweep {
        private final long number;
        private final SweepSettings settings = Sweeper.this.settings.get();
        private final Trouble trouble = new Trouble();
        private final List<Long> stageNs = new ArrayList<>();
        private final long sentBefore = client.stats().sent();
        private long stageStartNs = loop.nowNs();
        private @Nullable MadScope scope;
        private @Nullable MulticastTree multicast;
        private long changedSls;

        Sweep(long number) {
            this.number = number;
        }

        void start() {
            guard(() -> follow(Discovery.start(client, this::onDiscovered)));
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
            MadScope open = scope;
            if (open != null) {
                open.close();
            }
            running = null;
        }

        private void onDiscovered(Discovery.Result found) {
            guard(() -> {
                stageDone();
                Fabric fabric = found.fabric();
                if (fabric == null) {
                    fail(found.problem());
                    return;
                }
                silent = found.silent();
                fabric.anomalies().forEach(anomaly -> LOG.warn("{}", anomaly));
                SmInfo other = ruler(found.remoteSms());
                if (other != null) {
                    agent.become(SmInfo.STANDBY);
                    groupProgrammer.rest();
                    incomplete = true;
                    ended(this);
                    listener.otherMaster(other);
                    return;
                }
                address(fabric);
            });
        }

        /** The SM that rules rather than this one: a master, or one of higher rank that is not out of service. */
        private @Nullable SmInfo ruler(List<Discovery.RemoteSm> remoteSms) {
            for (Discovery.RemoteSm remote : remoteSms) {
                SmInfo info = remote.info();
                boolean isRival = info.smState() != SmInfo.NOT_ACTIVE && info.outranks(agent.self());
                if (info.smState() == SmInfo.MASTER && view == null || isRival) {
                    return info;
                }
            }
            return null;
        }

        private void address(Fabric fabric) {
            LidStore store = lids;
            LidAssigner.Result result = LidAssigner.assign(
                    fabric,
                    store == null ? Map.of() : store.lids(),
                    settings.lmc(),
                    settings.reassignLids() && assigned == null,
                    settings.gidPrefix());
            result.changes().forEach(change -> LOG.warn("{}", change));
            if (result.subnet().isEmpty()) {
                fail(result.problem());
                return;
            }
            Subnet subnet = result.subnet().get();
            RoutingChain chain = routing.get();
            RoutingOptions options =
                    new RoutingOptions(settings.qos(), settings.links().maxOpVls(), settings.smSl());
            pool.execute(() -> route(chain, subnet, options));
        }

        private void route(RoutingChain chain, Subnet subnet, RoutingOptions options) {
            try {
                RoutingChain.ChainResult result = chain.route(subnet, options);
                PlanDifference difference = PlanDifference.of(view, result.plan());
                loop.execute(() -> guard(() -> onRouted(subnet, chain, result, options, difference)));
            } catch (RuntimeException | Error e) {
                loop.execute(() -> abandon(e));
            }
        }

        private void onRouted(
                Subnet subnet,
                RoutingChain chain,
                RoutingChain.ChainResult result,
                RoutingOptions options,
                PlanDifference difference) {
            stageDone();
            if (stopped) {
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
            changedSls = difference.changedSls();
            multicast = result.multicast();
            assigned = subnet;
            remember(subnet);
            agent.become(SmInfo.MASTER);
            MulticastRouter router = new MulticastRouter(subnet, result.multicast(), plan.multicastSls());
            PublishedView published = view;
            RoutingPlan before = published == null ? null : published.plan();
            Function<HeldTables, Transition> order = held -> chain.transition(held, before, result, options);
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

        private void remember(Subnet subnet) {
            LidStore store = lids;
            if (store != null) {
                try {
                    store.remember(subnet);
                } catch (IOException e) {
                    LOG.error("LIDs could not be stored, a restart takes them from the fabric: {}", e.toString());
                }
            }
        }

        private void onProgrammed(RoutingPlan plan, TableProgrammer.Result done) {
            stageDone();
            LinkActivator activator = new LinkActivator(
                    client.scope(),
                    plan.subnet().with(done.fabric()),
                    plan,
                    settings,
                    vlArbitration,
                    view == null,
                    trouble.graveCount() == 0,
                    trouble);
            follow(activator.start(subnet -> guard(() -> onActive(plan, subnet, done, activator))));
        }

        private void onActive(RoutingPlan plan, Subnet subnet, TableProgrammer.Result done, LinkActivator activator) {
            stageDone();
            trouble.told().forEach(what -> LOG.warn("{}", what));
            incomplete = trouble.count() > 0 || activator.refusedToRiseCount() > 0 || done.newLinks() > 0;
            if (trouble.graveCount() > 0) {
                fail(trouble.graveCount() + " writes to switches failed; the next sweep tries again");
                return;
            }
            PublishedView published = new PublishedView(
                    subnet,
                    plan,
                    multicast,
                    client.localPort().portGuid(),
                    settings.subnetTimeout(),
                    16,
                    settings.qos(),
                    number);
            slChanges.addAndGet(changedSls);
            view = published;
            ended(this);
            listener.subnetUp(published, reportOf(subnet.fabric(), done.written(), activator));
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
                    activator.activatedCount(),
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
            MadScope open = scope;
            if (open != null) {
                open.close();
            }
            programmer.forgetAll();
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
