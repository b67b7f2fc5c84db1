package io.torussm.daemon.sm;

import io.torussm.daemon.assembly.LiveSettings;
import io.torussm.daemon.assembly.SmAssembly;
import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.config.files.EngineFiles;
import io.torussm.daemon.config.files.RoutingFactory;
import io.torussm.daemon.control.Condition;
import io.torussm.daemon.control.SmControl;
import io.torussm.daemon.journal.SweepHistory;
import io.torussm.daemon.recorder.SmRecorder;
import io.torussm.daemon.replica.JGroupsChannel;
import io.torussm.daemon.replica.KeyFile;
import io.torussm.daemon.replica.PeerChannel;
import io.torussm.daemon.replica.Replication;
import io.torussm.daemon.system.Defects;
import io.torussm.daemon.system.NettyLoop;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.sweep.state.SweepEvent;
import io.torussm.transport.MadTransport;
import io.torussm.transport.TransportException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The subnet manager of one port. It creates and connects its parts, and starts and ends them on the {@code sm} loop.
 * The Javadoc of the package describes the threads.
 */
public final class SubnetManager implements SubnetManagerService {
    private static final EventLog EVENTS = EventLog.of(SubnetManager.class);

    /** Time limit of the end, in ms: longer than the longest orderly handover. */
    private static final long CLOSE_TIMEOUT_MS = 4000;

    /** Time limit of {@link #start} for the first SMP, in ms. Another SM or a slow disk may delay the SMP. */
    private static final long START_TIMEOUT_MS = 10_000;

    private static final long REMINDER_NS = TimeUnit.HOURS.toNanos(1);

    private final LiveSettings settings;
    private final SmResources resources;
    private final Lifetime lifetime;
    private final SweepHistory history = new SweepHistory();
    private final SmControl control;
    private final Defects defects;

    /** The environment of an SM. */
    public interface Environment {
        /**
         * Opens the port.
         *
         * @param simulation loop of the embedded fabric, if the options name one
         */
        MadTransport port(SmOptions options, NettyLoop simulation) throws TransportException, ConfigurationException;

        /** Returns the channel to the peers of the replication; see {@link JGroupsChannel}. */
        PeerChannel peers(JGroupsChannel.Settings settings, KeyFile key, NettyLoop loop);
    }

    public static final Environment REAL = new Environment() {
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

    private SubnetManager(SmOptions options, Host host, Environment environment)
            throws TransportException, ConfigurationException {
        this.settings = new LiveSettings(options);
        this.defects = host.defects();
        this.resources = new SmResources(settings, defects, environment);
        resources.storeEvents(host.journal());
        this.lifetime = new Lifetime(resources.sm());
        this.control = new OperatorControl(this, resources, settings, lifetime, history, host);
    }

    /** Opens the port, then the state directory. If the port cannot be opened, the state directory stays unchanged. */
    public static SubnetManager open(SmOptions options, Host host) throws TransportException, ConfigurationException {
        return open(options, host, REAL);
    }

    /** Opens a subnet manager in a given environment, such as a simulated one. */
    public static SubnetManager open(SmOptions options, Host host, Environment environment)
            throws TransportException, ConfigurationException {
        RoutingFactory.checkNames(options);
        EngineFiles.check(options);
        return new SubnetManager(options, host, environment);
    }

    /**
     * Starts the SM, and waits for its first SMP. After that, the servers for operators load their classes in parallel
     * with the first sweep.
     */
    @Override
    public void start(Listener listener) {
        CountDownLatch firstTry = new CountDownLatch(1);
        resources.sm().execute(() -> {
            boolean hasBegun = false;
            try {
                begin(listener);
                hasBegun = true;
            } finally {
                resources.sm().execute(firstTry::countDown); // after the tasks of begin: the first sweep and
                // its first SMP
                if (!hasBegun) {
                    listener.startFailed();
                }
            }
        });
        try {
            firstTry.await(START_TIMEOUT_MS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void begin(Listener listener) {
        Consumer<SweepEvent> outcomes =
                new SweepOutcomes(resources, lifetime, history, control.journal(), this::conditions, listener);
        SmRecorder recorder = resources.recorder();
        SmAssembly parts = new SmAssembly(
                resources.platform(),
                resources.stores(),
                recorder == null ? settings : recorder.wrap(settings),
                recorder == null ? outcomes : recorder.wrap(outcomes),
                new SmAssembly.Extras(resources.replication(), null));
        Replication replication = resources.replication();
        if (replication != null) {
            replication.start();
        }
        lifetime.begin(parts);
        settings.reportKeys();
        resources
                .keys()
                .setChangeListener(() -> lifetime.execute(running -> {
                    if (running.mastership().isMaster()) {
                        running.mastership().sweepHeavy();
                    }
                }));
        parts.start();
        scheduleReminder();
    }

    private List<String> conditions() {
        return Condition.all(control).stream().map(Condition::line).toList();
    }

    /** Logs the number of open conditions every hour, because a condition itself is logged only when it begins. */
    private void scheduleReminder() {
        resources.sm().schedule(REMINDER_NS, () -> {
            SmAssembly assembly = lifetime.running();
            if (assembly != null) {
                scheduleReminder();
                Condition.logCount(Condition.all(control));
            }
        });
    }

    @Override
    public void reconfigure(SmOptions newOptions) {
        resources.sm().execute(() -> {
            SmOptions former = settings.options();
            settings.replace(newOptions);
            settings.reportKeys();
            SmRecorder recorder = resources.recorder();
            if (recorder != null) {
                recorder.recordSettings(settings.options());
            }
            SmAssembly assembly = lifetime.running();
            if (assembly != null) {
                assembly.settingsChanged(former);
            }
        });
    }

    @Override
    public SmControl control() {
        return control;
    }

    @Override
    public void callPeriodically(long periodNs, Runnable beat) {
        resources.sm().schedule(periodNs, () -> {
            callPeriodically(periodNs, beat);
            SmAssembly assembly = lifetime.running();
            if (assembly != null) {
                assembly.livenessCheck().check(beat);
            }
        });
    }

    /**
     * Closes the SM. A master hands over first. IsSM is cleared and the port closes even if the sm thread
     * does not end in time.
     */
    @Override
    public void close() {
        CountDownLatch stopped = new CountDownLatch(1);
        resources.sm().execute(() -> end(stopped::countDown));
        try {
            if (!stopped.await(CLOSE_TIMEOUT_MS, TimeUnit.MILLISECONDS)) {
                EVENTS.report(SmEvent.SLOW_END);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        resources.close();
    }

    private void end(Runnable then) {
        SmAssembly assembly = lifetime.running();
        if (assembly == null) {
            then.run();
            return;
        }
        assembly.end(() -> {
            lifetime.end();
            then.run();
        });
    }
}
