package io.torussm.daemon.twin;

import io.torussm.daemon.assembly.LiveSettings;
import io.torussm.daemon.assembly.SmAssembly;
import io.torussm.daemon.assembly.SmPlatform;
import io.torussm.daemon.assembly.SmSettings;
import io.torussm.daemon.assembly.SmStores;
import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.SmOptions;
import io.torussm.event.Finding;
import io.torussm.event.log.EventLog;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.routing.Plan;
import io.torussm.sim.VirtualLoop;
import io.torussm.sim.model.CheckReturnValue;
import io.torussm.state.StateDirectory;
import io.torussm.sweep.state.SweepEvent;
import io.torussm.transport.Loop;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
import io.torussm.transport.port.ForwardingTransport;
import io.torussm.view.FabricState;
import io.torussm.view.PublishedView;
import java.time.Instant;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The whole SM of one port in virtual time, in the thread of its caller. It runs while the caller advances
 * the clock, and is deterministic for the same options, state, port and seeds. A {@link Watcher} receives its
 * events in place of the log.
 */
public final class VirtualSm {
    /** Default first transaction ID. */
    private static final int SEED = 1;

    private final VirtualLoop clock;
    private final ProcessLoop process;
    private final Port port;
    private final SmSettings settings;
    private final SmAssembly parts;

    /**
     * A listener for the actions of an SM, in order. All methods are called in the thread that advances the
     * clock.
     */
    public interface Watcher {
        /** A listener that does nothing. */
        Watcher NONE = new Watcher() {};

        /** Receives an event that a real SM would log. */
        default void onEvent(Finding finding) {}

        /** Receives a request or response of this SM before its port does. */
        default void onSent(MadFrame frame) {}

        /** Receives a SubnSet before its port does, repetitions included. */
        default void onSet(MadFrame frame) {}

        /** Receives an event of the SM after its parts did. */
        default void onSweepEvent(SweepEvent event) {}
    }

    /** A factory of executors on the loop of the process, whose tasks end with it. */
    public interface Pool {
        /** A pool that runs tasks immediately. */
        Pool IMMEDIATE = loop -> Runnable::run;

        /** Returns the executor of routing. */
        Executor routing(Loop loop);

        /** Returns the executor of precomputation. */
        default Executor prechecks(Loop loop) {
            return Runnable::run;
        }
    }

    /**
     * The initial state of an SM.
     *
     * @param options options of the operator; files that they name are read
     * @param state factory of the state directory
     * @param settings factory of the settings of its parts; usually {@link LiveSettings} of these options
     * @param seeds source of first transaction IDs
     * @param pool executors that compute routes
     */
    public record Start(SmOptions options, State state, Source settings, IntSupplier seeds, Pool pool) {
        /** A factory of the settings of the parts. */
        public interface Source {
            /** The settings of a real SM: the options, and the files that they name. */
            Source LIVE = (options, state) -> {
                LiveSettings live = new LiveSettings(options);
                live.keepFilesIn(state);
                return live;
            };

            /**
             * Returns the settings.
             *
             * @throws ConfigurationException if a file that the options name cannot be used
             */
            SmSettings of(SmOptions options, StateDirectory state) throws ConfigurationException;
        }

        /** A factory of a state directory whose writes go through a loop. */
        public interface State {
            /** A state directory that is empty and stores nothing. */
            State NONE = StateDirectory::none;

            /** Opens the directory. */
            StateDirectory open(Loop loop);
        }

        /** Returns an initial state without a state directory, and with defaults for all other values. */
        public static Start of(SmOptions options) {
            return new Start(options, State.NONE, Source.LIVE, () -> SEED, Pool.IMMEDIATE);
        }
    }

    /** The port of the process, which reports its sent frames. */
    private static final class Port extends ForwardingTransport {
        private final Watcher watcher;

        Port(MadTransport inner, Watcher watcher) {
            super(inner);
            this.watcher = watcher;
        }

        @Override
        public boolean send(MadFrame frame, int responseTimeoutMs) {
            watcher.onSent(frame);
            if (MgmtClass.isSmp(MadHeader.mgmtClass(frame.mad())) && MadHeader.method(frame.mad()) == Method.SET) {
                watcher.onSet(frame);
            }
            return super.send(frame, responseTimeoutMs);
        }
    }

    /** The loop of the process, which passes its events to the watcher, and ends with it. */
    private static final class ProcessLoop implements Loop {
        private final Loop clock;
        private final Consumer<Finding> events;
        private boolean isDead;

        ProcessLoop(Loop clock, Consumer<Finding> events) {
            this.clock = clock;
            this.events = events;
        }

        private void runIfAlive(Runnable task) {
            if (!isDead) {
                EventLog.redirect(events, task);
            }
        }

        @Override
        public void execute(Runnable task) {
            clock.execute(() -> runIfAlive(task));
        }

        @Override
        public Timer schedule(long delayNs, Runnable task) {
            return clock.schedule(delayNs, () -> runIfAlive(task));
        }

        @Override
        public long nowNs() {
            return clock.nowNs();
        }

        @Override
        public Instant timeOfDay() {
            return clock.timeOfDay();
        }

        @Override
        public boolean isInLoop() {
            return clock.isInLoop();
        }
    }

    /**
     * Creates and starts an SM. It does nothing until the clock advances.
     *
     * @param clock clock of the fabric, which other SMs may share
     * @param transport port of the fabric, not started
     * @throws ConfigurationException if a file that the options name cannot be used
     */
    public static VirtualSm start(VirtualLoop clock, MadTransport transport, Start with, Watcher watcher)
            throws ConfigurationException {
        VirtualSm sm = EventLog.<VirtualSm, ConfigurationException>redirect(
                watcher::onEvent, () -> new VirtualSm(clock, transport, with, watcher));
        sm.process.execute(sm.parts::start);
        return sm;
    }

    private VirtualSm(VirtualLoop clock, MadTransport transport, Start with, Watcher watcher)
            throws ConfigurationException {
        this.clock = clock;
        process = new ProcessLoop(clock, watcher::onEvent);
        port = new Port(transport, watcher);
        StateDirectory state = with.state().open(process);
        settings = with.settings().of(with.options(), state);
        SmStores stores = SmStores.open(
                state,
                process,
                with.pool().prechecks(process),
                transport.localPort().portGuid(),
                settings);
        if (settings instanceof LiveSettings live) {
            live.setAddedMembers(stores.addedMembers());
        }
        SmPlatform platform = new SmPlatform(
                port,
                process,
                process,
                process,
                Runnable::run,
                with.pool().routing(process),
                with.pool().prechecks(process),
                null,
                with.seeds(),
                bug -> {
                    throw new IllegalStateException(bug);
                });
        parts = new SmAssembly(platform, stores, settings, watcher::onSweepEvent, SmAssembly.Extras.NONE);
    }

    /**
     * Advances the clock until this SM is master of a subnet that is up, and is idle. Returns false if the
     * limit comes first.
     */
    @CheckReturnValue
    public boolean runUntilIdle(long limitNs) {
        return runUntil(this::isIdle, limitNs);
    }

    /** Advances the clock until a condition is true. Returns false if the limit comes first. */
    @CheckReturnValue
    public boolean runUntil(BooleanSupplier condition, long limitNs) {
        return clock.runUntil(condition, limitNs);
    }

    /** Advances the clock by a span of time. */
    public void runFor(long spanNs) {
        clock.runFor(spanNs);
    }

    /** Checks whether this SM is master of a published subnet, and no sweep runs or waits. */
    public boolean isIdle() {
        return parts.mastership().isMaster()
                && parts.sweeper().view() != null
                && parts.sweeper().isResting();
    }

    /** Returns the active subnet, the last discovered subnet, and their difference. */
    public FabricState state() {
        return parts.sweeper().state();
    }

    /** Returns the published view; null before the first subnet. */
    public @Nullable PublishedView view() {
        return parts.sweeper().view();
    }

    /** Returns the active routes; null before the first subnet. */
    public @Nullable Plan plan() {
        PublishedView view = view();
        return view == null ? null : view.plan();
    }

    /** Returns the parts of the SM. */
    public SmAssembly parts() {
        return parts;
    }

    /** Runs an action on the loop of this SM, so that its events are passed to the watcher. */
    public void execute(Runnable action) {
        process.execute(action);
    }

    /** Runs an action on this SM immediately. The caller runs on the clock, or between two advances of it. */
    public void executeNow(Runnable action) {
        process.runIfAlive(action);
    }

    /** Applies other options, if its settings are its own. The caller requests a heavy sweep afterwards. */
    public void reconfigure(SmOptions options) {
        process.execute(() -> {
            SmOptions former = settings.options();
            if (settings instanceof LiveSettings live) {
                live.replace(options);
            }
            parts.settingsChanged(former);
        });
    }

    /** Ends the SM as SIGTERM does: a master hands over, then all parts end. */
    public void end() {
        process.execute(() -> parts.end(() -> process.execute(this::kill)));
    }

    /** Ends the SM as SIGKILL does: IsSM is cleared, and there are no more responses. */
    public void kill() {
        process.isDead = true;
        port.close();
    }

    /** Checks whether this SM has ended or was killed. */
    public boolean isDead() {
        return process.isDead;
    }
}
