package io.torussm.sweep;

import io.torussm.alias.AliasGuids;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.deadlock.chain.ChainPolicy;
import io.torussm.deadlock.chain.RoutingChain;
import io.torussm.fabric.Fabric;
import io.torussm.history.LastState;
import io.torussm.mad.Gid;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.smp.VlArbitrationTable;
import io.torussm.multicast.MembershipService;
import io.torussm.multicast.MulticastGroups;
import io.torussm.names.Names;
import io.torussm.partition.PartitionSettings;
import io.torussm.partition.RunTimePartitionStore;
import io.torussm.paths.PathService;
import io.torussm.program.smp.SweepSettings;
import io.torussm.registration.Registrations;
import io.torussm.registration.Services;
import io.torussm.report.Subscriptions;
import io.torussm.routing.Engine;
import io.torussm.routing.VlArbitrationPolicy;
import io.torussm.routing.minhop.MinHopEngine;
import io.torussm.sa.AttributeHandlers;
import io.torussm.sa.SubnetAdministrator;
import io.torussm.sa.query.IndexedViews;
import io.torussm.sim.SimFabric;
import io.torussm.sim.VirtualLoop;
import io.torussm.sim.model.DeviceModels;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Topology;
import io.torussm.sim.topology.TopologyException;
import io.torussm.sim.topology.TopologyText;
import io.torussm.state.StateDirectory;
import io.torussm.subnet.LinkSettings;
import io.torussm.subnet.Subnet;
import io.torussm.subnet.SubnetMemory;
import io.torussm.sweep.idle.DriftWatch;
import io.torussm.sweep.stages.RememberedView;
import io.torussm.sweep.stages.SweepContext;
import io.torussm.sweep.state.SweepEvent;
import io.torussm.testing.MembershipMad;
import io.torussm.transport.Loop;
import io.torussm.transport.MadClient;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
import io.torussm.transport.TransportException;
import io.torussm.transport.WireWindow;
import io.torussm.transport.port.ForwardingTransport;
import io.torussm.transport.port.KernelPort;
import io.torussm.view.CableHistory;
import io.torussm.view.PublishedView;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A sweeper on an embedded fabric in virtual time, with a record of its requests. The SM is at the host of the first
 * switch. The default engine is minhop, and credit loops are accepted. A request is sent 7 times at most.
 */
public final class SweepHarness extends SweepEnds {
    /** The SM_Key of trusted requests to {@link #administrator}. */
    static final long SM_KEY = 0x5e;

    /** The description of the default node of the SM: the host of switch (0,0,0) of a torus. */
    public static final String HOST = "host-0-0-0-0";

    /** The policy for engines of tests that do not promise freedom from credit loops, on tori. */
    public static final ChainPolicy LOOPS_ACCEPTED = ChainPolicy.LOOPS_ACCEPTED;

    private static final int MAX_MEMBERSHIPS = 100_000;
    /** Max virtual time for the end of a sweep. */
    private static final long LIMIT_NS = TimeUnit.MINUTES.toNanos(10);

    public final VirtualLoop loop = new VirtualLoop();
    public final Topology topology;
    public final SimFabric fabric;
    public final List<byte[]> requests = new ArrayList<>();

    /** Selects requests of the SM that are lost. */
    public Predicate<byte[]> isRequestLost = mad -> false;

    /** Selects requests and traps to the SM that the harness discards. */
    Predicate<byte[]> isInboundLost = mad -> false;

    /** Changes responses of devices, in place, before the SM receives them. */
    public Consumer<byte[]> changeResponse = mad -> {};

    VlArbitrationPolicy vlArbitration = SweepHarness::arbitration;
    public Engine engine = new MinHopEngine();
    ChainPolicy policy = LOOPS_ACCEPTED;
    public PartitionSettings partitions = PartitionSettings.DEFAULT;
    Names names = Names.NONE;
    DriftWatch.Pace driftPace = DriftWatch.Pace.ON_REQUEST;
    public SweepSettings settings;

    /** The remembered state for a restarted SM. */
    StateDirectory state;

    /** The node at whose port 1 the SM is from the next start on. */
    String host = HOST;

    /** A time-out of 100 ms and 6 retries, so 7 tries; other settings apply from the next start on. */
    public MadClient.Settings mads = new MadClient.Settings(64, 4, 100, 6);

    /** The wire window from the next start on; null for one that adapts to the fabric, as in production. */
    @Nullable
    WireWindow window;

    /** True to place a model of the kernel between the SM and its port from the next start on. */
    boolean isBehindKernel;

    /** Wraps the transport between the SM and its port, from the next start on. */
    UnaryOperator<MadTransport> wire = port -> port;

    /** The loop, the executor of routes and the checker of the SM, from the next start on. */
    Loop smLoop = loop;

    Executor pool = Runnable::run;
    DeadlockChecker checker = new DeadlockChecker(1);

    /** Called before a view is published. */
    public Consumer<PublishedView> onPrepare = next -> {};

    /** True to keep {@link #requests}; false for fabrics with millions of requests. */
    public boolean keepsRequests = true;

    boolean mKeyLookup = true;
    public SubnetMemory memory;
    RunTimePartitionStore added;
    int maxPartitionChange = 25;
    MembershipService memberships;
    public AliasGuids aliases;

    /** The state that a test stores with {@code keep}; a restart does not clear it. */
    final LastState lastState;

    private final RememberedView remembered;

    public MadClient client;
    public Sweeper sweeper;
    private MadTransport transport;

    /** The number of times that groups were programmed between sweeps. */
    int groupPasses;

    public SweepHarness(String torus) {
        this(TorusSpec.parse(torus).topology(), FaultPlan.NONE);
    }

    public SweepHarness(Topology topology, FaultPlan faults) {
        this(topology, faults, settings());
    }

    public SweepHarness(Topology topology, FaultPlan faults, SweepSettings settings) {
        this(topology, faults, settings, null);
    }

    /**
     * Starts an SM with a state directory.
     *
     * @param stateDir null for an SM that stores nothing
     */
    public SweepHarness(Topology topology, FaultPlan faults, SweepSettings settings, @Nullable Path stateDir) {
        this(topology, DeviceModels.PERFECT, faults, settings, stateDir);
    }

    /** Starts an SM on imperfect devices. */
    public SweepHarness(Topology topology, DeviceModels models, FaultPlan faults) {
        this(topology, models, faults, settings(), null);
    }

    private SweepHarness(
            Topology topology, DeviceModels models, FaultPlan faults, SweepSettings settings, @Nullable Path stateDir) {
        this.topology = topology;
        this.settings = settings;
        state = stateIn(stateDir);
        lastState = new LastState(state, Runnable::run);
        remembered = new RememberedView(lastState::view);
        fabric = new SimFabric(topology, models, loop, faults);
        start();
    }

    /** Parses a fabric in the format of ibnetdiscover. */
    public static Topology topology(String text) {
        try {
            return TopologyText.read("test", new StringReader(text));
        } catch (IOException | TopologyException e) {
            throw new AssertionError(e);
        }
    }

    /** Returns the node of the topology with a description. */
    public Topology.Node node(String description) {
        return topology.node(description).orElseThrow();
    }

    /** Returns the index of the node of a fabric with a description. */
    static int node(Fabric fabric, String description) {
        return IntStream.range(0, fabric.nodeCount())
                .filter(node -> fabric.node(node).description().equals(description))
                .findFirst()
                .orElseThrow();
    }

    private StateDirectory stateIn(@Nullable Path dir) {
        try {
            return dir == null ? StateDirectory.none(loop) : StateDirectory.open(dir, loop);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ends the SM, and starts one with empty memory. */
    public void restart() {
        sweeper.stop();
        transport.close();
        start();
    }

    private void start() {
        transport = attach();
        memory = SubnetMemory.of(state, transport.localPort().portGuid(), () -> settings.mKey(), () -> mKeyLookup);
        added = new RunTimePartitionStore(state, loop);
        memberships = new MembershipService(loop, new MulticastGroups(() -> settings.subnetTimeout(), MAX_MEMBERSHIPS));
        aliases = new AliasGuids(loop, () -> 0);
        client = newClient();
        sweeper = newSweeper();
    }

    private Sweeper newSweeper() {
        try {
            transport.setIsSm(true);
        } catch (TransportException e) {
            throw new AssertionError(e);
        }
        return new Sweeper(new SweepContext(
                client,
                smLoop,
                pool,
                () -> settings,
                () -> new RoutingChain(List.of(engine), checker, policy),
                () -> partitions.with(added.current(), settings.qos()),
                () -> names,
                plan -> vlArbitration,
                () -> driftPace,
                memory,
                new CableHistory(state),
                memberships,
                added,
                () -> maxPartitionChange,
                remembered,
                aliases,
                this));
    }

    private MadClient newClient() {
        MadClient.UnsolicitedReceiver inbound = new InboundDispatcher();
        return window == null
                ? new MadClient(transport, smLoop, memory.keys(), () -> mads, 5, inbound)
                : new MadClient(transport, smLoop, memory.keys(), () -> mads, 5, inbound, window);
    }

    private MadTransport attach() {
        MadTransport port = fabric.attach(host, 1);
        return new Recorder(wire.apply(isBehindKernel ? new KernelPort(port, loop, KernelPort.Limits.LINUX) : port));
    }

    /** Returns settings with LMC 0, no M_Key, QoS, and time values 18 (4.096 us * 2^18 = 1.07 s). */
    public static SweepSettings settings() {
        return settings(LinkSettings.DEFAULT);
    }

    public static SweepSettings settings(LinkSettings links) {
        return new SweepSettings(Gid.DEFAULT_PREFIX, 0, false, false, 0, 0, 0, 18, 18, links, true, 0, false);
    }

    /** Returns tables whose weights depend on the class of the port; VLHighLimit is 9. */
    static VlArbitrationPolicy.Tables arbitration(
            VlArbitrationPolicy.PortClass portClass, int lowCap, int highCap, int operationalVls) {
        byte[] low = new byte[64];
        for (int vl = 0; vl < 8; vl++) {
            low[2 * vl] = (byte) vl;
            low[2 * vl + 1] = (byte) (10 + portClass.name().length());
        }
        VlArbitrationTable empty = VlArbitrationTable.TYPE.zero();
        return new VlArbitrationPolicy.Tables(VlArbitrationTable.TYPE.read(low, 0), empty, empty, empty, 9);
    }

    /** Sweeps, and returns the outcome: {@code up}, or another entry of {@link #ends}. */
    public String sweep() {
        int before = ends.size();
        requests.clear();
        sweeper.sweepHeavy();
        await(before + 1);
        return ends.get(ends.size() - 1);
    }

    /** Waits until this number of sweeps have ended since the harness was made. */
    public void await(int count) {
        if (!loop.runUntil(() -> ends.size() >= count, LIMIT_NS)) {
            throw new AssertionError("no end of the sweep in ten minutes of virtual time; so far " + ends);
        }
    }

    /** Requests a light sweep, and runs the loop for 5 s. */
    public void sweepLight() {
        sweeper.sweepLight();
        loop.runFor(TimeUnit.SECONDS.toNanos(5));
    }

    /** Waits until no sweep runs or is due. */
    public void awaitRest() {
        if (!loop.runUntil(sweeper::isResting, TimeUnit.HOURS.toNanos(1))) {
            throw new AssertionError("sweeps without end in an hour of virtual time; so far " + ends);
        }
    }

    /** Returns the port indexes of hosts, in the order of their GUIDs. */
    public List<Integer> hosts() {
        Fabric discovered = publishedView().subnet().fabric();
        return IntStream.range(0, discovered.portCount())
                .filter(port -> !discovered.isSwitch(discovered.nodeOf(port)) && discovered.isEndport(port))
                .boxed()
                .toList();
    }

    /** Returns the view from which the SA answers: published or remembered; null if neither exists. */
    @Nullable
    PublishedView servedView() {
        return remembered.publishedOrServed(sweeper.view());
    }

    /** Returns an SA that answers from the published view. */
    SubnetAdministrator administrator(Consumer<MadFrame> answers) {
        Registrations registrations =
                new Registrations(memberships, new Services(loop), new Subscriptions(loop), aliases);
        return new SubnetAdministrator(
                new IndexedViews(this::servedView, aliases),
                AttributeHandlers.all(registrations, List::of, new PathService(memberships), loop::nowNs),
                answers,
                Runnable::run,
                loop,
                new SubnetAdministrator.Settings(SM_KEY, 1 << 20));
    }

    /**
     * Returns a request of a port about a group, with all components that are needed to create the group.
     *
     * @param port port index of the requester
     */
    byte[] membership(int method, long tid, Gid mgid, int port, int joinState, int qKey) {
        Subnet subnet = publishedView().subnet();
        Gid portGid = new Gid(subnet.gidPrefix(), subnet.fabric().portGuid(port));
        return MembershipMad.of(method, tid, mgid, portGid, joinState, qKey);
    }

    /** Returns the number of SubnSets of one attribute since the last sweep began. */
    long countSets(int attributeId) {
        return countSets(mad -> MadHeader.attributeId(mad) == attributeId);
    }

    /** Returns the number of all SubnSets since the last sweep began. */
    public long countAllSets() {
        return countSets(mad -> true);
    }

    private long countSets(Predicate<byte[]> filter) {
        return requests.stream()
                .filter(mad -> MadHeader.method(mad) == Method.SET && filter.test(mad))
                .count();
    }

    @Override
    public void prepare(PublishedView next) {
        onPrepare.accept(next);
    }

    @Override
    public void accept(SweepEvent event) {
        super.accept(event);
        if (event instanceof SweepEvent.MulticastProgrammed) {
            groupPasses++;
        }
    }

    private final class InboundDispatcher implements MadClient.UnsolicitedReceiver {
        @Override
        public void subnetManagement(MadFrame frame) {
            sweeper.traps().receive(frame);
        }

        @Override
        public void subnetAdministration(MadFrame frame) {
            throw new AssertionError("no SA MADs are sent here");
        }

        @Override
        public void portLost(String reason) {
            throw new AssertionError(reason);
        }
    }

    /** Records every request, and loses those that a test selects. */
    private final class Recorder extends ForwardingTransport {
        Recorder(MadTransport inner) {
            super(inner);
        }

        @Override
        protected void received(MadFrame frame) {
            byte[] mad = frame.mad().clone();
            if (MadHeader.isResponse(mad)) {
                changeResponse.accept(mad);
            }
            if (MadHeader.isResponse(mad) || !isInboundLost.test(mad)) {
                super.received(new MadFrame(frame.peer(), mad, frame.isUndelivered()));
            }
        }

        @Override
        public boolean send(MadFrame frame, int responseTimeoutMs) {
            byte[] mad = frame.mad();
            boolean isRequest = MadHeader.mgmtClass(mad) == MgmtClass.SUBN_DIRECTED_ROUTE && !MadHeader.isResponse(mad);
            if (isRequest) {
                if (keepsRequests) {
                    requests.add(mad.clone());
                }
                if (isRequestLost.test(mad)) {
                    return true;
                }
            }
            return super.send(frame, responseTimeoutMs);
        }
    }
}
