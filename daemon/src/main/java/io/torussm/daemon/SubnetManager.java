package io.torussm.daemon;

import io.torussm.alias.AliasGuids;
import io.torussm.alias.AliasTable;
import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.FileErrors;
import io.torussm.daemon.config.PartitionFile;
import io.torussm.daemon.config.PrefixRoutesFile;
import io.torussm.daemon.config.QosPolicyFile;
import io.torussm.daemon.config.QosWarnings;
import io.torussm.daemon.config.RoutingFactory;
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.config.StageSettings;
import io.torussm.daemon.console.Operations;
import io.torussm.daemon.control.SmStatistics;
import io.torussm.daemon.journal.SweepHistory;
import io.torussm.daemon.replica.JGroupsChannel;
import io.torussm.daemon.replica.KeyFile;
import io.torussm.daemon.replica.PeerChannel;
import io.torussm.daemon.replica.Replication;
import io.torussm.deadlock.RoutingChain;
import io.torussm.event.EventField;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.mad.Guid;
import io.torussm.mastership.Mastership;
import io.torussm.mastership.MastershipDriver;
import io.torussm.mastership.RemoteSm;
import io.torussm.mastership.SmpPeers;
import io.torussm.multicast.MulticastGroups;
import io.torussm.multicast.MulticastView;
import io.torussm.qos.VlArbitrationPlan;
import io.torussm.registration.RegistrationStore;
import io.torussm.registration.SaDatabase;
import io.torussm.report.EventReporter;
import io.torussm.routing.RoutingOptions;
import io.torussm.sa.SubnetAdministrator;
import io.torussm.state.StateDirectory;
import io.torussm.subnet.SubnetMemory;
import io.torussm.sweep.SweepContext;
import io.torussm.sweep.SweepListener;
import io.torussm.sweep.SweepReport;
import io.torussm.sweep.Sweeper;
import io.torussm.torus2qos.Torus2QosEngine;
import io.torussm.transport.MadClient;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTap;
import io.torussm.transport.MadTransport;
import io.torussm.transport.RmppSender;
import io.torussm.transport.TransportException;
import io.torussm.view.PublishedView;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The subnet manager of one port, wired: transport, client, sweeper and SA.
 *
 * <p>Threads: {@code sm} owns the sweeper and the client; {@code sa} the timers of table answers; {@code sa-worker}
 * threads answer queries from the published view; a pool routes and proves, and one of a single thread rehearses;
 * {@code state} writes state files; {@code replica} talks with the SMs that keep a copy of them; the transport has its own;
 * the embedded fabric, if it is wanted, lives on {@code fabric}.
 */
public final class SubnetManager implements SubnetManagerService {
    private static final EventLog EVENTS = EventLog.of(SubnetManager.class);
    private static final int MAX_TABLE_BYTES = 32 << 20;
    private static final int MAX_MEMBERSHIPS = 1 << 20;
    private static final int MAX_WIRE_WINDOW = 512;
    /** Longer than an orderly handover takes at most. */
    private static final long CLOSE_MS = 4000;

    private final MadTap transport;
    private final SweepHistory history = new SweepHistory();
    private final NettyLoop sm;
    private final NettyLoop sa;
    private final NettyLoop simulation;
    private final ForkJoinPool saWorkers;
    private final ForkJoinPool pool = new ForkJoinPool();
    private final ForkJoinPool rehearsals = new ForkJoinPool(1);
    private final NettyLoop disk;
    private final StateDirectory state;
    private final SubnetMemory memory;
    private final RegistrationStore saStore;
    private final @Nullable NettyLoop replicaLoop;
    private final @Nullable Replication replication;
    private final Defects defects = new Defects();
    private final QosWarnings qosWarnings = new QosWarnings();
    private final PartitionFile partitions = new PartitionFile(PartitionFile.DEFAULT_FILE);
    private final QosPolicyFile qosPolicy = new QosPolicyFile(QosPolicyFile.DEFAULT_FILE);
    private final PrefixRoutesFile prefixRoutes = new PrefixRoutesFile(PrefixRoutesFile.DEFAULT_FILE);
    private volatile SmOptions options;
    private @Nullable Running running;
    private volatile @Nullable Listener listener;

    /** What exists from {@link #start} on; confined to the sm loop, except that it is published to SA threads whole. */
    record Running(
            MadClient client,
            Sweeper sweeper,
            MastershipDriver mastership,
            SubnetAdministrator administrator,
            SaDatabase books,
            EventReporter reporter) {}

    private volatile @Nullable Running published;

    /** What is around an SM. */
    interface Surroundings {
        /**
         * Opens the port.
         *
         * @param simulation where the embedded fabric lives, if it is wanted
         */
        MadTransport port(SmOptions options, NettyLoop simulation) throws TransportException, ConfigurationException;

        /** The way to the peers of the replication; see {@link JGroupsChannel}. */
        PeerChannel peers(JGroupsChannel.Settings settings, KeyFile key, NettyLoop loop);
    }

    private static final Surroundings REAL = new Surroundings() {
        @Override
        public MadTransport port(SmOptions options, NettyLoop simulation)
                throws TransportException, ConfigurationException {
            return Transports.open(options, simulation);
        }

        @Override
        public PeerChannel peers(JGroupsChannel.Settings settings, KeyFile key, NettyLoop loop) {
            return new JGroupsChannel(settings, key, loop);
        }
    };

    private SubnetManager(SmOptions options, Surroundings around) throws TransportException, ConfigurationException {
        this.options = options;
        this.sm = new NettyLoop("sm", defects);
        this.sa = new NettyLoop("sa", defects);
        this.simulation = new NettyLoop("fabric", defects);
        this.disk = new NettyLoop("state", defects);
        this.transport = new MadTap(around.port(options, simulation));
        try {
            this.state = openState(options, disk);
            this.memory = SubnetMemory.of(
                    state,
                    transport.localPort().portGuid(),
                    () -> this.options.keys().mKey(),
                    () -> this.options.keys().mKeyLookup());
            this.saStore = new RegistrationStore(state, sm, () -> Instant.now().getEpochSecond());
            KeyFile key = options.replication().key();
            this.replicaLoop = key == null ? null : new NettyLoop("replica", defects);
            this.replication = replicaLoop == null || key == null
                    ? null
                    : new Replication(
                            state,
                            sm,
                            disk,
                            around.peers(peers(options), key, replicaLoop),
                            options.addresses().subnetPrefix());
        } catch (ConfigurationException e) {
            transport.close();
            simulation.close();
            disk.close();
            throw e;
        }
        this.saWorkers = new ForkJoinPool(SubnetAdministrator.LANES, SubnetManager::saWorker, null, true);
    }

    private static ForkJoinWorkerThread saWorker(ForkJoinPool workers) {
        ForkJoinWorkerThread thread = ForkJoinPool.defaultForkJoinWorkerThreadFactory.newThread(workers);
        thread.setName("sa-worker");
        return thread;
    }

    /**
     * Opens the port, then the state directory, which a start that fails leaves as it is; see
     * {@link SubnetManagerService.Factory}.
     */
    public static SubnetManager open(SmOptions options) throws TransportException, ConfigurationException {
        return open(options, REAL);
    }

    /** The same elsewhere. */
    static SubnetManager open(SmOptions options, Surroundings around)
            throws TransportException, ConfigurationException {
        RoutingFactory.check(options);
        return new SubnetManager(options, around);
    }

    private static JGroupsChannel.Settings peers(SmOptions options) {
        return new JGroupsChannel.Settings(
                "torus-sm " + Guid.format(options.addresses().subnetPrefix()),
                Objects.requireNonNull(options.replication().listen()),
                options.replication().peers());
    }

    private static StateDirectory openState(SmOptions options, NettyLoop disk) throws ConfigurationException {
        Path dir = options.files().stateDir();
        try {
            return StateDirectory.open(dir, disk);
        } catch (IOException e) {
            throw new ConfigurationException(List.of("state_dir: " + dir + " cannot be used (" + FileErrors.describe(e)
                    + "); give --state-dir DIR, a directory that this user may write"));
        }
    }

    @Override
    public void start(Listener newListener) {
        listener = newListener;
        sm.execute(() -> begin(newListener));
    }

    private void begin(Listener newListener) {
        InboundDispatcher ears = new InboundDispatcher();
        SmOptions now = options;
        int wanted = now.mads().wireWindow() == 0 ? MAX_WIRE_WINDOW : now.mads().wireWindow();
        MadClient client = new MadClient(
                transport,
                sm,
                new MadClient.Settings(
                        Math.min(wanted, Math.max(1, transport.maxOutstanding())),
                        now.mads().deviceWindow(),
                        now.mads().timeoutMs(),
                        now.mads().retries(),
                        memory.keys()),
                ThreadLocalRandom.current().nextInt(),
                ears);
        MulticastGroups groups = new MulticastGroups(now.links().subnetTimeout(), MAX_MEMBERSHIPS);
        groups.shareMlids(() -> options.sa().sharesMlids());
        SaDatabase books = new SaDatabase(
                saStore,
                sm,
                groups,
                new AliasGuids(sm, () -> options.addresses().assignedGuidGroup()),
                now.addresses().subnetPrefix(),
                () -> options.files().restoresGroups());
        EventReporter reporter = new EventReporter(
                sm,
                client::send,
                ThreadLocalRandom.current().nextInt(),
                () -> StageSettings.reports(options),
                books.subscriptions());
        books.whenGroupsPublished(reporter::published);
        Sweeper sweeper = new Sweeper(new SweepContext(
                client,
                sm,
                pool,
                () -> StageSettings.sweep(options),
                () -> RoutingFactory.chain(options),
                () -> partitions.settings(options),
                plan -> VlArbitrationPlan.under(plan, options.qos()),
                memory,
                books.memberships(),
                books.registrations().aliases(),
                new Outcomes(newListener)));
        MastershipDriver mastership = new MastershipDriver(
                sm,
                new SmpPeers(client),
                sweeper,
                client::send,
                transport.localPort().portGuid(),
                key -> memory.keys().opens(transport.localPort().portGuid(), key),
                () -> StageSettings.mastership(options.mastership(), now.keys()));
        sweeper.under(mastership);
        sweeper.forwardTo(reporter::forward);
        mastership.whenMaster(new RegistrationSwitch(books, reporter));
        if (replication != null) {
            replication.start();
        }
        SubnetAdministrator administrator = new SubnetAdministrator(
                sweeper::view,
                client::send,
                saWorkers,
                sa,
                RmppSender.Limits.DEFAULT,
                books.registrations(),
                mastership::subnetManagers,
                new SubnetAdministrator.Settings(now.keys().smKey(), MAX_TABLE_BYTES, segmenter(now.port())));
        administrator.setPathPolicy(qosPolicy.unjudged(now));
        running = new Running(client, sweeper, mastership, administrator, books, reporter);
        published = running;
        try {
            transport.setIsSm(true);
        } catch (TransportException e) {
            newListener.portLost(String.valueOf(e.getMessage()));
            return;
        }
        EVENTS.report(
                SmEvent.STARTED_ON_PORT,
                EventField.PORT.of(transport.localPort().portNum()),
                EventField.DEVICE.of(transport.localPort().caName()),
                EventField.GUID.of(transport.localPort().portGuid()));
        SweepPace.of(now).warn();
        mastership.start();
        scheduleNext();
    }

    private static RmppSender.Segmenter segmenter(SmOptions.Port port) {
        return port.isRmppOfKernel() && !port.isSimulated() ? RmppSender.Segmenter.KERNEL : RmppSender.Segmenter.SENDER;
    }

    private void scheduleNext() {
        sm.schedule(SweepPace.of(options).delayNs(), () -> {
            Running now = running;
            if (now != null) {
                if (SweepPace.of(options).isSweeping()) {
                    now.mastership().sweepLight();
                }
                scheduleNext();
            }
        });
    }

    @Override
    public void requestSweep(boolean isHeavy) {
        onLoop(now -> {
            if (isHeavy) {
                now.mastership().sweepHeavy();
            } else {
                now.mastership().sweepLight();
            }
        });
    }

    @Override
    public void requestReroute() {
        onLoop(now -> now.sweeper().reroute());
    }

    private void onLoop(Consumer<Running> action) {
        sm.execute(() -> {
            Running now = running;
            if (now != null) {
                action.accept(now);
            }
        });
    }

    /** Takes effect with the next sweep; the port, windows, the SM_Key and directories stay as they were. */
    @Override
    public void reconfigure(SmOptions newOptions) {
        options = newOptions;
        SweepPace.of(newOptions).warn();
        onLoop(now -> now.mastership().settingsChanged());
    }

    @Override
    public @Nullable PublishedView view() {
        Running now = published;
        return now == null ? null : now.sweeper().view();
    }

    @Override
    public MulticastView multicast() {
        Running now = published;
        if (now == null) {
            return MulticastView.EMPTY;
        }
        AliasTable aliases = now.books().registrations().aliases().table();
        MulticastView groups = now.books().memberships().view();
        return aliases.guids().isEmpty()
                ? groups
                : new MulticastView(groups.groups().stream()
                        .map(group -> group.atPorts(aliases::portOf))
                        .toList());
    }

    @Override
    public Operations operations() {
        return new OperatorControl();
    }

    @Override
    public List<String> statusLines() {
        Running now = published;
        return now == null ? List.of("state: starting") : status(now).lines();
    }

    @Override
    public @Nullable SmStatistics figures() {
        Running now = published;
        return now == null ? null : status(now).figures();
    }

    @Override
    public String headline() {
        Running now = published;
        return now == null ? "starting" : status(now).headline();
    }

    private StatusText status(Running now) {
        return new StatusText(now, transport.localPort(), replication, state.failures(), defects.count());
    }

    @Override
    public void pulse(Runnable task) {
        sm.execute(task);
    }

    @Override
    public void beat(long periodNs, Runnable beat) {
        sm.schedule(periodNs, () -> {
            beat(periodNs, beat);
            beat.run();
        });
    }

    /** A master hands over first. IsSM falls and the port closes even if the sm thread does not come to an end in time. */
    @Override
    public void close() {
        CountDownLatch stopped = new CountDownLatch(1);
        sm.execute(() -> {
            Running now = running;
            if (now == null) {
                stopped.countDown();
            } else {
                now.mastership().end(() -> {
                    running = null;
                    now.sweeper().stop();
                    now.reporter().end();
                    now.books().save();
                    stopped.countDown();
                });
            }
        });
        try {
            if (!stopped.await(CLOSE_MS, TimeUnit.MILLISECONDS)) {
                EVENTS.report(SmEvent.SLOW_END);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        transport.close();
        saWorkers.shutdownNow();
        rehearsals.shutdownNow();
        pool.shutdownNow();
        sa.close();
        simulation.close();
        disk.execute(state::flush);
        endReplication();
        sm.close();
        disk.execute(state::flush);
        disk.close();
    }

    /** After what was written last has had the time to be handed over: from the disk's loop to the SM's to the peers. */
    private void endReplication() {
        if (replication != null && replicaLoop != null) {
            CountDownLatch handedOver = new CountDownLatch(1);
            disk.execute(() -> sm.execute(handedOver::countDown));
            try {
                if (!handedOver.await(CLOSE_MS, TimeUnit.MILLISECONDS)) {
                    EVENTS.report(SmEvent.STATE_DIR_SLOW);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            replication.close();
            replicaLoop.close();
        }
    }

    /** What operators ask for. */
    private final class OperatorControl implements Operations {
        @Override
        public @Nullable Mastership mastership() {
            Running now = published;
            return now == null ? null : now.mastership().state();
        }

        @Override
        public void setPriority(int priority) {
            sm.execute(() -> reconfigure(options.withPriority(priority)));
        }

        @Override
        public void suspendSweeps(boolean isWanted) {
            EVENTS.report(isWanted ? SmEvent.SWEEPS_OFF : SmEvent.SWEEPS_ON);
            onLoop(now -> now.sweeper().suspend(isWanted));
        }

        @Override
        public boolean areSweepsSuspended() {
            Running now = published;
            return now != null && now.sweeper().isSuspended();
        }

        @Override
        public SweepHistory history() {
            return history;
        }

        @Override
        public RoutingOptions routingOptions() {
            SmOptions now = options;
            return new RoutingOptions(
                    now.routing().qos(), now.links().maxOpVls(), now.routing().smSl());
        }

        @Override
        public Qos qos() {
            SmOptions now = options;
            return new Qos(now.routing().qos(), now.qos(), qosPolicy.inForce());
        }

        @Override
        public @Nullable Sa sa() {
            Running now = published;
            return now == null
                    ? null
                    : new Sa(now.administrator().stats(), now.administrator().traffic());
        }

        @Override
        public MadTap tap() {
            return transport;
        }
    }

    /** What a mastership begins with, and what is left when it ends. */
    private final class RegistrationSwitch implements MastershipDriver.MasterListener {
        private final SaDatabase books;
        private final EventReporter reporter;

        RegistrationSwitch(SaDatabase books, EventReporter reporter) {
            this.books = books;
            this.reporter = reporter;
        }

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
            books.end(replication != null);
            if (replication != null) {
                replication.end();
            }
        }
    }

    /** What comes in that nobody asked for. */
    private final class InboundDispatcher implements MadClient.Unsolicited {
        @Override
        public void subnetManagement(MadFrame frame) {
            Running now = running;
            if (now != null && !now.mastership().receive(frame)) {
                now.sweeper().receive(frame);
            }
        }

        @Override
        public void subnetAdministration(MadFrame frame) {
            Running now = published;
            if (now != null && !now.reporter().received(frame)) {
                now.administrator().received(frame);
            }
        }

        @Override
        public void portLost(String why) {
            Listener told = listener;
            if (told != null) {
                told.portLost(why);
            }
        }
    }

    /** Turns the ends of sweeps into lines for the operator. */
    private final class Outcomes implements SweepListener {
        private final Listener listener;

        Outcomes(Listener listener) {
            this.listener = listener;
        }

        private static Instant now() {
            return Instant.now().truncatedTo(ChronoUnit.MILLIS);
        }

        @Override
        public void subnetUp(PublishedView view, SweepReport report) {
            Running now = running;
            if (now != null) {
                now.administrator().setPathPolicy(qosPolicy.policy(options, view));
                now.administrator().setPrefixRoutes(prefixRoutes.routes(options));
                now.reporter().published(view, now.books().memberships().view());
            }
            history.ended(now(), SweepHistory.UP, report.line());
            qosWarnings.report(options.qos(), view.plan().engine().equals(Torus2QosEngine.NAME));
            listener.subnetUp(view, report.line());
            if (now != null) {
                now.sweeper().rehearse(options.sweeps().rehearsals(), rehearsals);
            }
        }

        @Override
        public void refused(List<Finding> findings) {
            findings.stream()
                    .filter(finding -> finding.severity() == Finding.Severity.WARNING)
                    .forEach(finding -> EVENTS.report(finding));
            String reason = findings.stream()
                    .filter(finding -> finding.severity() == Finding.Severity.ERROR)
                    .map(Finding::text)
                    .collect(Collectors.joining("; "));
            history.ended(now(), "refused", reason);
            listener.refused(reason);
        }

        @Override
        public void otherMaster(@Nullable RemoteSm other) {
            history.ended(now(), "other master", String.valueOf(other));
            listener.otherMaster(String.valueOf(other));
        }

        @Override
        public void failed(String why) {
            history.ended(now(), "failed", why);
            listener.failed(why);
        }

        @Override
        public void routed(RoutingChain.ChainResult result) {
            history.routed(now(), result);
        }

        @Override
        public void compared(List<Finding> differences, long changedSls) {
            history.compared(differences, changedSls);
        }

        @Override
        public void multicastProgrammed() {
            listener.multicastProgrammed();
        }

        @Override
        public void isSmMissing() {
            EVENTS.report(SmEvent.IS_SM_CLEARED);
            try {
                transport.setIsSm(false);
                transport.setIsSm(true);
            } catch (TransportException e) {
                EVENTS.report(SmEvent.IS_SM_NOT_SET, EventField.REASON.of(e.getMessage()));
            }
        }
    }
}
