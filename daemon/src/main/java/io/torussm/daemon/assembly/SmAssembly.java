package io.torussm.daemon.assembly;

import io.torussm.alias.AliasGuids;
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.maintenance.CableErrors;
import io.torussm.daemon.maintenance.Isolator;
import io.torussm.daemon.maintenance.RecentErrors;
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
import io.torussm.registration.SaDatabase;
import io.torussm.report.EventReporter;
import io.torussm.sa.AttributeHandlers;
import io.torussm.sa.SubnetAdministrator;
import io.torussm.sa.query.IndexedViews;
import io.torussm.sweep.Sweeper;
import io.torussm.sweep.stages.SweepContext;
import io.torussm.sweep.state.SweepEvent;
import io.torussm.transport.MadClient;
import io.torussm.transport.MadFrame;
import io.torussm.transport.TransportException;
import io.torussm.transport.port.StandstillGuard;
import io.torussm.transport.rmpp.RmppSender;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The parts of the SM of one port, and the connections between the parts. Owner thread: {@code sm}, also for the
 * constructor. Other threads may read from the parts, also after the end of the SM.
 */
public final class SmAssembly {
    private static final EventLog EVENTS = EventLog.of(SmAssembly.class);
    private static final int MAX_TABLE_BYTES = 32 << 20;
    private static final int MAX_MEMBERSHIPS = 1 << 20;

    private final SmPlatform platform;
    private final SmStores stores;
    private final SmSettings settings;
    private final Consumer<SweepEvent> listener;
    private final @Nullable Replication replication;
    private final SaDatabase database;
    private final PathService paths;
    private final MadClient client;
    private final EventReporter reporter;
    private final Sweeper sweeper;
    private final MastershipDriver mastership;
    private final SubnetAdministrator administrator;
    private final AgentManagers agents;
    private final Isolator isolator;
    private final DeviceWatches devices;
    private final LivenessCheck livenessCheck;
    private final LightSweepTimer sweepTimer;

    /** True from the end of the constructor to the end of this SM. */
    private volatile boolean isRunning;

    /**
     * The optional parts of an SM.
     *
     * @param replication connection to other SMs; null for none
     * @param cableErrors supplier of the errors of cables; null for the counters that this SM reads
     */
    public record Extras(
            @Nullable Replication replication, @Nullable Supplier<CableErrors.Counts> cableErrors) {
        /** The extras of a production SM without replication. */
        public static final Extras NONE = new Extras(null, null);
    }

    /**
     * Creates and connects the parts. No MAD is sent, and MADs that arrive before the end of the constructor are
     * dropped.
     *
     * @param listener callback; called with each event of sweeps, after the parts have handled the event
     */
    public SmAssembly(
            SmPlatform platform, SmStores stores, SmSettings settings, Consumer<SweepEvent> listener, Extras extras) {
        this.platform = platform;
        this.stores = stores;
        this.settings = settings;
        this.listener = listener;
        this.replication = extras.replication();
        client = newClient();
        database = newDatabase();
        reporter = new EventReporter(
                platform.sm(),
                client::send,
                platform.seeds().getAsInt(),
                () -> settings.options().reports(),
                database.subscriptions(),
                () -> database.registrations().aliases().vports());
        database.whenGroupsPublished(reporter::published);
        SubnetFollowers followers = new SubnetFollowers(platform, settings, stores.lastState(), listener);
        sweeper = newSweeper(followers);
        mastership = newMastership();
        sweeper.setAuthority(mastership);
        sweepTimer = new LightSweepTimer(platform.sm(), settings::pace, mastership::sweepLight);
        sweeper.traps().forwardTo(reporter::forward);
        agents = new AgentManagers(platform, client, settings);
        isolator = newIsolator(extras.cableErrors());
        mastership.whenMaster(new MasterRole());
        paths = new PathService(database.memberships());
        paths.setPolicy(settings.uncheckedQosPolicy());
        administrator = administrator(paths, client::send);
        devices = new DeviceWatches(client, platform.sm(), settings, sweeper, database, stores.memory());
        livenessCheck = new LivenessCheck(client);
        followers.setParts(this);
        isRunning = true;
    }

    private MadClient newClient() {
        StandstillGuard port = new StandstillGuard(
                platform.port(), platform.sm(), () -> settings.mastership().takeoverNs());
        port.setStandstillListener(this::handleStandstill);
        return new MadClient(
                port,
                platform.sm(),
                stores.memory().keys(),
                settings::mads,
                platform.seeds().getAsInt(),
                new Inbound());
    }

    private SaDatabase newDatabase() {
        SmOptions current = settings.options();
        MulticastGroups groups =
                new MulticastGroups(() -> settings.options().sweep().subnetTimeout(), MAX_MEMBERSHIPS);
        groups.shareMlids(() -> settings.options().sa().sharesMlids());
        AliasGuids aliases =
                new AliasGuids(platform.sm(), () -> settings.options().sa().assignedGuidGroup());
        aliases.setReserved(stores.memory().lids()::knows);
        SaDatabase database = new SaDatabase(
                stores.registrations(),
                platform.sm(),
                groups,
                aliases,
                current.sweep().gidPrefix(),
                () -> settings.options().files().restoresGroups());
        database.memberships().keepVanished(() -> settings.options().sa().keptMembershipNs());
        return database;
    }

    private Sweeper newSweeper(SubnetFollowers followers) {
        return new Sweeper(new SweepContext(
                client,
                platform.sm(),
                platform.pool(),
                () -> settings.options().sweep(),
                settings::routing,
                () -> settings.partitions()
                        .with(database.registrations().aliases().vports()),
                settings::names,
                settings::vlArbitration,
                () -> settings.options().drift(),
                stores.memory(),
                stores.cables(),
                database.memberships(),
                stores.addedMembers(),
                () -> settings.options().partitions().maxChange(),
                stores.rememberedView(),
                database.registrations().aliases(),
                followers));
    }

    private MastershipDriver newMastership() {
        long portGuid = platform.port().localPort().portGuid();
        MastershipDriver driver = new MastershipDriver(
                platform.sm(),
                new SmpPeers(client),
                sweeper,
                client::send,
                portGuid,
                key -> stores.memory().keys().isAcceptedBy(portGuid, key),
                guid -> replication != null && replication.knowsPort(guid),
                settings::mastership);
        stores.memory().keys().setShownToSm(driver::showsKeyTo);
        return driver;
    }

    private Isolator newIsolator(@Nullable Supplier<CableErrors.Counts> cableErrors) {
        Supplier<CableErrors.Counts> counts = cableErrors != null
                ? cableErrors
                : () -> new RecentErrors(
                        agents.counters().store(), platform.sm().timeOfDay());
        return new Isolator(
                platform.sm(),
                stores.memory().drains(),
                stores.cables(),
                new Isolator.Policy(
                        settings::isolation,
                        settings::routing,
                        () -> settings.options().sweep().routingOptions(),
                        counts),
                new Isolator.Master(sweeper::state, mastership::sweepHeavy),
                platform.prechecks(),
                platform.defects());
    }

    /**
     * Creates an SA that reads the records of this SM.
     *
     * @param pathService path service of the SA
     * @param answers callback; called with each response of the SA
     */
    public SubnetAdministrator administrator(PathService pathService, Consumer<MadFrame> answers) {
        Supplier<Trust> trust = () -> settings.mastership().trust();
        var records = database.registrations();
        return new SubnetAdministrator(
                new IndexedViews(() -> stores.rememberedView().publishedOrServed(sweeper.view()), records.aliases()),
                AttributeHandlers.all(records, mastership::subnetManagers, pathService, platform.sa()::nowNs),
                answers,
                platform.saWorkers(),
                platform.sa(),
                new SubnetAdministrator.Settings(
                        () -> trust.get().smKey(),
                        () -> !trust.get().isKeyPublic(),
                        MAX_TABLE_BYTES,
                        RmppSender.Limits.DEFAULT,
                        segmenter(settings.options().port())));
    }

    private static RmppSender.Segmenter segmenter(SmOptions.Port port) {
        return port.isRmppOfKernel() && !port.isSimulated() ? RmppSender.Segmenter.KERNEL : RmppSender.Segmenter.SENDER;
    }

    // --- from the start to the end ---

    /**
     * Sets IsSM, and starts the polling of other SMs and the sweeps. With replication the start waits until the peers
     * have reported their states, or until a time-out. During the wait no SM can hand the subnet over to this SM, and
     * this SM does not become master.
     */
    public void start() {
        if (replication == null) {
            startMastership();
        } else {
            replication.awaitNewestFiles(settings.options().replication().waitNs(), this::startMastership);
        }
    }

    private void startMastership() {
        if (!isRunning) {
            return;
        }
        try {
            platform.port().setIsSm(true);
        } catch (TransportException e) {
            listener.accept(new SweepEvent.PortLost(String.valueOf(e.getMessage())));
            return;
        }
        EVENTS.report(
                SmEvent.STARTED_ON_PORT,
                EventField.PORT.of(platform.port().localPort().portNum()),
                EventField.DEVICE.of(platform.port().localPort().caName()),
                EventField.GUID.of(platform.port().localPort().portGuid()));
        sweepTimer.warn();
        stores.addedMembers().whenAdopted(() -> ifRunning(mastership::sweepHeavy));
        stores.memory().drains().whenAdopted(() -> ifRunning(mastership::sweepHeavy));
        mastership.start();
        sweepTimer.start();
    }

    private void ifRunning(Runnable action) {
        platform.sm().execute(() -> {
            if (isRunning) {
                action.run();
            }
        });
    }

    /**
     * Applies changed options.
     *
     * @param former the previous options
     */
    public void settingsChanged(SmOptions former) {
        sweepTimer.warn();
        mastership.settingsChanged();
        agents.settingsChanged(former);
        sweepTimer.settingsChanged();
    }

    private void handleStandstill(long gapNs) {
        client.refuseSets();
        EVENTS.report(SmEvent.STOOD_STILL, EventField.MILLISECONDS.of(TimeUnit.NANOSECONDS.toMillis(gapNs)));
        if (isRunning) {
            mastership.handleStandstill();
            if (replication != null) {
                replication.handleStandstill();
            }
        }
    }

    /**
     * Ends the SM. If it is master, it hands the subnet over first, and the parts continue until the handover has
     * ended.
     *
     * @param then callback; called when the parts have ended
     */
    public void end(Runnable then) {
        database.preserve();
        mastership.end(() -> {
            isRunning = false;
            sweepTimer.stop();
            sweeper.stop();
            reporter.end();
            agents.end();
            then.run();
        });
    }

    /**
     * The dispatcher of MADs that are not responses to requests. An SMP goes to the mastership, and to the sweeper if
     * the mastership does not handle it. An SA MAD goes to the reporter, and to the SA if it is no response to a
     * Report. While the SM is not running, MADs are dropped.
     */
    private final class Inbound implements MadClient.UnsolicitedReceiver {
        @Override
        public void subnetManagement(MadFrame frame) {
            if (isRunning && !mastership.receive(frame)) {
                sweeper.traps().receive(frame);
            }
        }

        @Override
        public void subnetAdministration(MadFrame frame) {
            if (isRunning && !reporter.received(frame)) {
                administrator.onMad(frame);
            }
        }

        /** Starts a heavy sweep when the port becomes usable, because the traps before were lost. */
        @Override
        public void portChanged(boolean isUsable, String reason) {
            listener.accept(new SweepEvent.PortChanged(isUsable, reason));
            if (isRunning) {
                livenessCheck.portChanged(isUsable);
                if (isUsable) {
                    mastership.sweepHeavy();
                }
            }
        }

        @Override
        public void portLost(String reason) {
            listener.accept(new SweepEvent.PortLost(reason));
        }
    }

    /** The start and the end of the tasks that only a master SM has. */
    private final class MasterRole implements MasterListener {
        @Override
        public void onBegin() {
            database.begin();
            if (replication != null) {
                replication.begin();
            }
        }

        @Override
        public void onHandover() {
            if (replication != null) {
                mastership.hold();
                replication.awaitLastCopies(settings.options().replication().waitNs(), mastership::release);
            }
        }

        @Override
        public void onEnd() {
            devices.forget();
            reporter.end();
            isolator.forget();
            agents.end();
            database.end(replication != null);
            if (replication != null) {
                replication.end();
            }
            listener.accept(new SweepEvent.MastershipEnded());
        }

        @Override
        public void onSuccessor() {
            database.forget();
        }
    }

    /** Returns the MAD client, which sends requests and receives the responses. */
    public MadClient client() {
        return client;
    }

    /** Returns the sweeper, which also publishes the subnet. */
    public Sweeper sweeper() {
        return sweeper;
    }

    /** Returns the mastership of this SM. */
    public MastershipDriver mastership() {
        return mastership;
    }

    /** Returns the SA, which responds to the queries of hosts. */
    public SubnetAdministrator administrator() {
        return administrator;
    }

    /** Returns the path service of the SA. */
    public PathService paths() {
        return paths;
    }

    /** Returns the registrations of hosts with the SA. */
    public SaDatabase database() {
        return database;
    }

    /** Returns the reporter of events to hosts. */
    public EventReporter reporter() {
        return reporter;
    }

    /** Returns the watches of devices beside sweeps. */
    public DeviceWatches devices() {
        return devices;
    }

    /** Returns the isolator, which removes cables that lose packets from the routes. */
    public Isolator isolator() {
        return isolator;
    }

    /** Returns the managers of counters and congestion control. */
    public AgentManagers agents() {
        return agents;
    }

    /** Returns the check that this SM still sends and receives. */
    public LivenessCheck livenessCheck() {
        return livenessCheck;
    }
}
