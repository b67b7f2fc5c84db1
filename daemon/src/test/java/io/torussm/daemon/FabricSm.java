package io.torussm.daemon;

import io.torussm.alias.AliasGuids;
import io.torussm.daemon.config.RoutingFactory;
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.maintenance.CableErrors;
import io.torussm.daemon.maintenance.Isolator;
import io.torussm.daemon.replica.Replication;
import io.torussm.mastership.MasterListener;
import io.torussm.mastership.MastershipDriver;
import io.torussm.mastership.SmState;
import io.torussm.mastership.SmpPeers;
import io.torussm.mastership.Trust;
import io.torussm.multicast.MembershipService;
import io.torussm.multicast.MulticastGroups;
import io.torussm.names.Names;
import io.torussm.partition.PartitionConf;
import io.torussm.partition.PartitionSettings;
import io.torussm.partition.RunTimePartitionStore;
import io.torussm.paths.PathService;
import io.torussm.qos.QosOptions;
import io.torussm.qos.VlArbitrationPlan;
import io.torussm.registration.RegistrationStore;
import io.torussm.registration.SaDatabase;
import io.torussm.report.EventReporter;
import io.torussm.sa.AttributeHandlers;
import io.torussm.sa.SubnetAdministrator;
import io.torussm.sa.query.IndexedViews;
import io.torussm.sim.SimFabric;
import io.torussm.state.StateDirectory;
import io.torussm.subnet.SubnetMemory;
import io.torussm.sweep.SweepContext;
import io.torussm.sweep.SweepEnds;
import io.torussm.sweep.SweepReport;
import io.torussm.sweep.Sweeper;
import io.torussm.testing.MortalLoop;
import io.torussm.transport.Loop;
import io.torussm.transport.MadClient;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
import io.torussm.transport.StandstillGuard;
import io.torussm.transport.TransportException;
import io.torussm.view.CableHistory;
import io.torussm.view.FabricState;
import io.torussm.view.PublishedView;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A subnet manager with torus-2QoS at one host of an embedded fabric, in virtual time; others may be at other hosts. */
final class FabricSm extends SweepEnds implements MadClient.Unsolicited {
    static final long SM_KEY = 0x5e;
    private static final long LIGHT_SWEEP_NS = TimeUnit.SECONDS.toNanos(10);
    private static final int MAX_MEMBERSHIPS = 1000;
    private static final int MAX_TABLE_BYTES = 1 << 20;

    private final MortalLoop life;
    private final MadTransport transport;
    private final StateDirectory state;
    private final SmOptions options;
    final SaDatabase books;
    final MadClient client;
    final Sweeper sweeper;
    final MastershipDriver mastership;
    final MembershipService memberships;
    final EventReporter reporter;
    final SubnetAdministrator administrator;
    final CableHistory cables;
    final Isolator isolator;
    final SubnetMemory memory;
    final RunTimePartitionStore added;

    /** What partitions.conf says. */
    Supplier<PartitionConf> partitionFile = () -> PartitionConf.NONE;

    /** Hears how each sweep ends, after it was noted. */
    Consumer<String> whenEnded = end -> {};

    /** Hears what each heavy sweep leaves behind. */
    BiConsumer<FabricState, Instant> whenLooked = (state, at) -> {};

    /** Answers requests to the SA. */
    Executor saWorkers = Runnable::run;

    /** To other SMs of this fabric, from the start on; null if this one is alone. */
    @Nullable
    Replication replication;

    /** When cables are isolated; not at all unless a test says otherwise. */
    SmOptions.Isolation isolation = new SmOptions.Isolation(0, 600, 0, 2, 3600);

    /** What counters say of cables. */
    CableErrors.Counts counts = (guid, port) -> 0;

    private boolean hasMet;
    int priority;
    Trust trust = new Trust(SM_KEY, Set.of(), Set.of());

    FabricSm(Loop loop, SimFabric fabric, String host, int priority, SmOptions options) {
        this(
                new MortalLoop(loop),
                fabric.attach(host, 1),
                priority,
                options,
                StateDirectory.none(loop),
                Runnable::run,
                1);
    }

    /**
     * An SM that reads a state directory.
     *
     * @param life ends with this SM
     * @param pool where it computes routes
     * @param generation where its transaction IDs begin
     */
    FabricSm(
            MortalLoop life,
            MadTransport transport,
            int priority,
            SmOptions options,
            StateDirectory state,
            Executor pool,
            int generation) {
        this.life = life;
        this.priority = priority;
        this.transport = transport;
        this.state = state;
        this.options = options;
        long mKey = options.sweep().mKey();
        memory = SubnetMemory.of(state, transport.localPort().portGuid(), () -> mKey, () -> true);
        cables = new CableHistory(state);
        StandstillGuard guard = new StandstillGuard(transport, life, this::takeoverNs);
        guard.whenStoodStill(gapNs -> stoodStill());
        client = new MadClient(
                guard, life, memory.keys(), () -> new MadClient.Settings(64, 4, 200, 3), generation, this);
        books = new SaDatabase(
                new RegistrationStore(state, life, () -> TimeUnit.NANOSECONDS.toSeconds(life.nowNs())),
                life,
                new MulticastGroups(() -> options.sweep().subnetTimeout(), MAX_MEMBERSHIPS),
                new AliasGuids(life, () -> 0),
                options.sweep().gidPrefix(),
                () -> true);
        memberships = books.memberships();
        memberships.keepVanished(() -> options.sa().keptMembershipNs());
        reporter = new EventReporter(life, client::send, generation, () -> options.reports(), books.subscriptions());
        books.whenGroupsPublished(reporter::published);
        added = new RunTimePartitionStore(state, life);
        sweeper = new Sweeper(new SweepContext(
                client,
                life,
                pool,
                () -> options.sweep(),
                () -> RoutingFactory.chain(options),
                this::partitions,
                () -> Names.NONE,
                plan -> VlArbitrationPlan.under(plan, QosOptions.NONE),
                () -> options.drift(),
                memory,
                memberships,
                added,
                () -> options.partitions().maxChange(),
                books.registrations().aliases(),
                this));
        administrator = administrator(client::send);
        mastership = new MastershipDriver(
                life,
                new SmpPeers(client),
                sweeper,
                client::send,
                guid(),
                key -> memory.keys().opens(guid(), key),
                this::mastershipSettings);
        isolator = new Isolator(
                life,
                memory.drains(),
                cables,
                new Isolator.Policy(
                        () -> isolation,
                        () -> RoutingFactory.chain(options),
                        () -> options.sweep().routingOptions(),
                        () -> counts),
                new Isolator.Master(sweeper::state, mastership::sweepHeavy),
                pool,
                bug -> {
                    throw new AssertionError(bug);
                });
        sweeper.under(mastership);
        added.whenAdopted(mastership::sweepHeavy);
        sweeper.forwardTo(reporter::forward);
        mastership.whenMaster(new MasterListener() {
            @Override
            public void begins() {
                books.begin();
                if (replication != null) {
                    replication.begin();
                }
            }

            @Override
            public void ends() {
                reporter.end();
                isolator.forget();
                books.end(replication != null);
                if (replication != null) {
                    replication.end();
                }
            }

            @Override
            public void succeeded() {
                books.forget();
            }
        });
    }

    @Override
    public void looked(FabricState before, FabricState after, Instant at) {
        cables.look(before, after, at);
        whenLooked.accept(after, at);
    }

    private PartitionSettings partitions() {
        return options.partitions()
                .with(partitionFile.get())
                .with(added.current(), options.routing().qos());
    }

    private long takeoverNs() {
        return mastershipSettings().takeoverNs();
    }

    private void stoodStill() {
        mastership.stoodStill();
        if (replication != null) {
            replication.stoodStill();
        }
    }

    private MastershipDriver.Settings mastershipSettings() {
        return new MastershipDriver.Settings(
                priority, 1000, 2, 30, options.sweep().mKeyProtectBits(), trust, false);
    }

    /** An SA that answers from what this SM published. */
    SubnetAdministrator administrator(Consumer<MadFrame> answers) {
        return new SubnetAdministrator(
                new IndexedViews(sweeper::view, books.registrations().aliases()),
                AttributeHandlers.all(
                        books.registrations(),
                        () -> mastership.subnetManagers(),
                        new PathService(books.memberships()),
                        life::nowNs),
                answers,
                task -> saWorkers.execute(task),
                life,
                new SubnetAdministrator.Settings(0, MAX_TABLE_BYTES));
    }

    /** Looks for its peers, from the start on or before. */
    void meetPeers() {
        if (replication != null && !hasMet) {
            hasMet = true;
            replication.start();
        }
    }

    FabricSm start() {
        try {
            transport.setIsSm(true);
        } catch (TransportException e) {
            throw new AssertionError(e);
        }
        meetPeers();
        mastership.start();
        sweepInTime();
        return this;
    }

    private void sweepInTime() {
        life.schedule(LIGHT_SWEEP_NS, () -> {
            sweepInTime();
            mastership.sweepLight();
        });
    }

    /** As the operating system does it for a process that dies: IsSM falls, and nobody answers. */
    void kill() {
        life.die();
        transport.close();
    }

    /** SIGTERM. */
    void end() {
        books.preserve();
        mastership.end(() -> {
            sweeper.stop();
            reporter.end();
            state.flush();
            life.execute(this::kill);
        });
    }

    boolean isDead() {
        return life.isDead();
    }

    SmState state() {
        return mastership.state().state();
    }

    boolean isUp() {
        return mastership.isMaster() && sweeper.view() != null;
    }

    long guid() {
        return transport.localPort().portGuid();
    }

    @Override
    protected void ended(String how) {
        super.ended(how);
        whenEnded.accept(how);
    }

    // --- what comes in ---

    @Override
    public void subnetManagement(MadFrame frame) {
        if (!life.isDead() && !mastership.receive(frame)) {
            sweeper.receive(frame);
        }
    }

    @Override
    public void subnetAdministration(MadFrame frame) {
        if (!reporter.received(frame)) {
            administrator.received(frame);
        }
    }

    @Override
    public void portLost(String why) {
        throw new AssertionError(why);
    }

    @Override
    public void subnetUp(PublishedView newView, SweepReport report) {
        administrator.published();
        reporter.published(newView, memberships.view());
        super.subnetUp(newView, report);
        isolator.look();
    }

    @Override
    public void multicastProgrammed() {
        ends.add("multicast");
    }
}
