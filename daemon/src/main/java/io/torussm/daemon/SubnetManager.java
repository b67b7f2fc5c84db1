package io.torussm.daemon;

import io.torussm.alias.AliasGuids;
import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.EngineFiles;
import io.torussm.daemon.config.RoutingFactory;
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.control.Condition;
import io.torussm.daemon.control.SmControl;
import io.torussm.daemon.journal.SweepHistory;
import io.torussm.daemon.maintenance.Isolator;
import io.torussm.daemon.maintenance.RecentErrors;
import io.torussm.daemon.replica.JGroupsChannel;
import io.torussm.daemon.replica.KeyFile;
import io.torussm.daemon.replica.PeerChannel;
import io.torussm.daemon.replica.Replication;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.mastership.MasterListener;
import io.torussm.mastership.MastershipDriver;
import io.torussm.mastership.SmpPeers;
import io.torussm.mastership.Trust;
import io.torussm.multicast.MulticastGroups;
import io.torussm.paths.PathService;
import io.torussm.perf.CounterStore;
import io.torussm.perf.PerfSettings;
import io.torussm.perf.PerformanceManager;
import io.torussm.program.AdaptiveRoutingWatch;
import io.torussm.registration.SaDatabase;
import io.torussm.report.EventReporter;
import io.torussm.sa.AttributeHandlers;
import io.torussm.sa.SubnetAdministrator;
import io.torussm.sa.query.IndexedViews;
import io.torussm.subnet.SubnetMemory;
import io.torussm.sweep.SweepContext;
import io.torussm.sweep.Sweeper;
import io.torussm.transport.Loop;
import io.torussm.transport.MadClient;
import io.torussm.transport.MadTap;
import io.torussm.transport.MadTransport;
import io.torussm.transport.RmppSender;
import io.torussm.transport.StandstillGuard;
import io.torussm.transport.TransportException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The subnet manager of one port: its parts made and connected, begun on the {@code sm} loop and ended there. See the
 * package for its threads.
 */
public final class SubnetManager implements SubnetManagerService {
    private static final EventLog EVENTS = EventLog.of(SubnetManager.class);
    private static final int MAX_TABLE_BYTES = 32 << 20;
    private static final int MAX_MEMBERSHIPS = 1 << 20;
    /** Longer than an orderly handover takes at most. */
    private static final long CLOSE_MS = 4000;

    private static final long REMINDER_NS = TimeUnit.HOURS.toNanos(1);

    private final LiveSettings settings;
    private final SmResources resources;
    private final Lifetime lifetime;
    private final SweepHistory history = new SweepHistory();
    private final SmControl control;
    private final Defects defects;
    private Loop.Timer nextSweep = () -> {};

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

    static final Surroundings REAL = new Surroundings() {
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

    private SubnetManager(SmOptions options, Host host, Surroundings around)
            throws TransportException, ConfigurationException {
        this.settings = new LiveSettings(options);
        this.defects = host.defects();
        this.resources = new SmResources(settings, defects, around);
        resources.keepEvents(host.journal());
        this.lifetime = new Lifetime(resources.sm());
        this.control = new OperatorControl(this, resources, settings, lifetime, history, host);
    }

    /**
     * Opens the port, then the state directory, which a start that fails leaves as it is; see
     * {@link SubnetManagerService.Factory}.
     */
    public static SubnetManager open(SmOptions options, Host host) throws TransportException, ConfigurationException {
        return open(options, host, REAL);
    }

    /** The same in other surroundings. */
    static SubnetManager open(SmOptions options, Host host, Surroundings around)
            throws TransportException, ConfigurationException {
        RoutingFactory.checkNames(options);
        EngineFiles.check(options);
        return new SubnetManager(options, host, around);
    }

    @Override
    public void start(Listener listener) {
        resources.sm().execute(() -> {
            boolean hasBegun = false;
            try {
                begin(listener);
                hasBegun = true;
            } finally {
                if (!hasBegun) {
                    listener.notBegun();
                }
            }
        });
    }

    private void begin(Listener listener) {
        SmOptions now = settings.options();
        MadTap port = resources.port();
        NettyLoop sm = resources.sm();
        SubnetMemory memory = resources.memory();
        MadClient client = client(new InboundDispatcher(lifetime, listener));
        SaDatabase database = database(now);
        EventReporter reporter = new EventReporter(
                sm, client::send, ThreadLocalRandom.current().nextInt(), settings::reports, database.subscriptions());
        database.whenGroupsPublished(reporter::published);
        Sweeper sweeper = new Sweeper(new SweepContext(
                client,
                sm,
                resources.pool(),
                settings::sweep,
                settings::routing,
                settings::partitions,
                settings::names,
                settings::vlArbitration,
                () -> settings.options().drift(),
                memory,
                database.memberships(),
                resources.addedMembers(),
                () -> settings.options().partitions().maxChange(),
                database.registrations().aliases(),
                new SweepOutcomes(resources, settings, lifetime, history, this::conditions, listener)));
        long portGuid = port.localPort().portGuid();
        MastershipDriver mastership = new MastershipDriver(
                sm,
                new SmpPeers(client),
                sweeper,
                client::send,
                portGuid,
                key -> memory.keys().opens(portGuid, key),
                settings::mastership);
        sweeper.under(mastership);
        sweeper.forwardTo(reporter::forward);
        PerformanceManager counters = CounterPolling.on(resources.perf(), client, settings);
        Isolator isolator = isolator(sweeper, mastership, counters.store());
        mastership.whenMaster(new MasterRole(database, reporter, isolator, counters));
        Replication replication = resources.replication();
        if (replication != null) {
            replication.start();
        }
        PathService paths = new PathService(database.memberships());
        paths.setPolicy(settings.unjudgedQosPolicy());
        SubnetAdministrator administrator = administrator(now, client, sweeper, mastership, database, paths);
        lifetime.begin(new Lifetime.Running(
                client,
                sweeper,
                mastership,
                administrator,
                paths,
                database,
                reporter,
                new AdaptiveRoutingWatch(client),
                isolator,
                counters,
                new SignsOfLife(client)));
        try {
            port.setIsSm(true);
        } catch (TransportException e) {
            listener.portLost(String.valueOf(e.getMessage()));
            return;
        }
        EVENTS.report(
                SmEvent.STARTED_ON_PORT,
                EventField.PORT.of(port.localPort().portNum()),
                EventField.DEVICE.of(port.localPort().caName()),
                EventField.GUID.of(portGuid));
        SweepPace.of(now).warn();
        settings.reportKeys();
        resources
                .keys()
                .whenChanged(() -> lifetime.execute(running -> {
                    if (running.mastership().isMaster()) {
                        running.mastership().sweepHeavy();
                    }
                }));
        resources
                .addedMembers()
                .whenAdopted(
                        () -> lifetime.execute(running -> running.mastership().sweepHeavy()));
        mastership.start();
        scheduleNext();
        remindInTime();
    }

    private Isolator isolator(Sweeper sweeper, MastershipDriver mastership, CounterStore counters) {
        return new Isolator(
                resources.sm(),
                resources.memory().drains(),
                resources.cableHistory(),
                new Isolator.Policy(
                        () -> settings.options().isolation(),
                        settings::routing,
                        () -> settings.options().sweep().routingOptions(),
                        () -> new RecentErrors(counters, resources.sm().timeOfDay())),
                new Isolator.Master(sweeper::state, mastership::sweepHeavy),
                resources.prechecks(),
                defects);
    }

    private List<String> conditions() {
        return Condition.all(control).stream().map(Condition::line).toList();
    }

    private MadClient client(MadClient.Unsolicited unsolicited) {
        StandstillGuard port = new StandstillGuard(
                resources.port(), resources.sm(), () -> settings.mastership().takeoverNs());
        port.whenStoodStill(this::stoodStill);
        return new MadClient(
                port,
                resources.sm(),
                resources.memory().keys(),
                () -> settings.options().mads(),
                ThreadLocalRandom.current().nextInt(),
                unsolicited);
    }

    private void stoodStill(long gapNs) {
        EVENTS.report(SmEvent.STOOD_STILL, EventField.MILLISECONDS.of(TimeUnit.NANOSECONDS.toMillis(gapNs)));
        Lifetime.Running now = lifetime.running();
        if (now != null) {
            now.mastership().stoodStill();
            Replication replication = resources.replication();
            if (replication != null) {
                replication.stoodStill();
            }
        }
    }

    private SaDatabase database(SmOptions now) {
        MulticastGroups groups =
                new MulticastGroups(() -> settings.options().sweep().subnetTimeout(), MAX_MEMBERSHIPS);
        groups.shareMlids(() -> settings.options().sa().sharesMlids());
        AliasGuids aliases =
                new AliasGuids(resources.sm(), () -> settings.options().sa().assignedGuidGroup());
        aliases.reserve(resources.memory().lids()::knows);
        SaDatabase database = new SaDatabase(
                resources.registrations(),
                resources.sm(),
                groups,
                aliases,
                now.sweep().gidPrefix(),
                () -> settings.options().files().restoresGroups());
        database.memberships().keepVanished(() -> settings.options().sa().keptMembershipNs());
        return database;
    }

    private SubnetAdministrator administrator(
            SmOptions now,
            MadClient client,
            Sweeper sweeper,
            MastershipDriver mastership,
            SaDatabase database,
            PathService paths) {
        Supplier<Trust> trust = () -> settings.options().mastership().trust();
        return new SubnetAdministrator(
                new IndexedViews(sweeper::view, database.registrations().aliases()),
                AttributeHandlers.all(
                        database.registrations(), mastership::subnetManagers, paths, resources.sa()::nowNs),
                client::send,
                resources.saWorkers(),
                resources.sa(),
                new SubnetAdministrator.Settings(
                        () -> trust.get().smKey(),
                        () -> !trust.get().isKeyPublic(),
                        MAX_TABLE_BYTES,
                        segmenter(now.port())));
    }

    private static RmppSender.Segmenter segmenter(SmOptions.Port port) {
        return port.isRmppOfKernel() && !port.isSimulated() ? RmppSender.Segmenter.KERNEL : RmppSender.Segmenter.SENDER;
    }

    private void scheduleNext() {
        nextSweep = resources.sm().schedule(SweepPace.of(settings.options()).delayNs(), () -> {
            Lifetime.Running now = lifetime.running();
            if (now != null) {
                scheduleNext(); // first, since the next sweep comes also after one that throws
                if (SweepPace.of(settings.options()).isSweeping()) {
                    now.mastership().sweepLight();
                }
            }
        });
    }

    /** A condition is logged when it begins; that it still holds is worth a line now and then. */
    private void remindInTime() {
        resources.sm().schedule(REMINDER_NS, () -> {
            Lifetime.Running now = lifetime.running();
            if (now != null) {
                remindInTime();
                Condition.remind(Condition.all(control));
            }
        });
    }

    @Override
    public void reconfigure(SmOptions newOptions) {
        resources.sm().execute(() -> {
            SweepPace formerPace = SweepPace.of(settings.options());
            PerfSettings formerCounters = settings.options().perf();
            settings.replace(newOptions);
            settings.reportKeys();
            SweepPace pace = SweepPace.of(settings.options());
            pace.warn();
            Lifetime.Running now = lifetime.running();
            if (now != null) {
                now.mastership().settingsChanged();
                if (!formerCounters.equals(settings.options().perf())) {
                    now.counters().settingsChanged();
                }
                if (!pace.equals(formerPace)) {
                    nextSweep.cancel();
                    scheduleNext();
                }
            }
        });
    }

    @Override
    public SmControl control() {
        return control;
    }

    @Override
    public void beat(long periodNs, Runnable beat) {
        resources.sm().schedule(periodNs, () -> {
            beat(periodNs, beat);
            Lifetime.Running now = lifetime.running();
            if (now != null) {
                now.signs().look(beat);
            }
        });
    }

    /** A master hands over first. IsSM falls and the port closes even if the sm thread does not come to an end in time. */
    @Override
    public void close() {
        CountDownLatch stopped = new CountDownLatch(1);
        resources.sm().execute(() -> end(stopped::countDown));
        try {
            if (!stopped.await(CLOSE_MS, TimeUnit.MILLISECONDS)) {
                EVENTS.report(SmEvent.SLOW_END);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        resources.close();
    }

    private void end(Runnable then) {
        Lifetime.Running now = lifetime.running();
        if (now == null) {
            then.run();
            return;
        }
        now.database().preserve();
        now.mastership().end(() -> {
            lifetime.end();
            now.sweeper().stop();
            now.reporter().end();
            now.counters().end();
            then.run();
        });
    }

    /** What begins and ends with being master: the SA's registrations, Reports, and the sending of copies. */
    private final class MasterRole implements MasterListener {
        private final SaDatabase database;
        private final EventReporter reporter;
        private final Isolator isolator;
        private final PerformanceManager counters;

        MasterRole(SaDatabase database, EventReporter reporter, Isolator isolator, PerformanceManager counters) {
            this.database = database;
            this.reporter = reporter;
            this.isolator = isolator;
            this.counters = counters;
        }

        @Override
        public void begins() {
            database.begin();
            Replication replication = resources.replication();
            if (replication != null) {
                replication.begin();
            }
        }

        @Override
        public void ends() {
            Replication replication = resources.replication();
            reporter.end();
            isolator.forget();
            counters.end();
            database.end(replication != null);
            if (replication != null) {
                replication.end();
            }
            history.mastershipEnded();
            control.journal().mastershipEnded();
        }

        @Override
        public void succeeded() {
            database.forget();
        }
    }
}
