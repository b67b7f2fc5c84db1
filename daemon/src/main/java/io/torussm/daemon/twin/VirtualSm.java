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
 * The whole SM of one port in virtual time, in the thread of its caller: it runs while the caller lets the clock run, and with
 * the same options, state, port and seeds it does the same. What it would log goes to a {@link Watcher} instead.
 */
public final class VirtualSm {
    /** Where transaction IDs begin unless something else is asked for. */
    private static final int SEED = 1;

    private final VirtualLoop clock;
    private final OwnLoop process;
    private final Port port;
    private final SmSettings settings;
    private final SmAssembly parts;

    /** Hears what an SM does, in its order. All methods are called in the thread that lets the clock run. */
    public interface Watcher {
        /** Hears nothing. */
        Watcher NONE = new Watcher() {};

        /** What a real one would have logged. */
        default void event(Finding finding) {}

        /** A request of this SM goes out, or an answer; before the port has it. */
        default void sent(MadFrame frame) {}

        /** A SubnSet goes out. Repetitions are told, too. */
        default void set(MadFrame frame) {}

        /** Receives an event of the SM after its parts did. */
        default void swept(SweepEvent event) {}
    }

    /** Makes executors on the loop of the process, whose tasks end with it. */
    public interface Pool {
        /** Computes at once. */
        Pool AT_ONCE = loop -> Runnable::run;

        /** Where routes are computed. */
        Executor routing(Loop loop);

        /** Where things are computed in advance. */
        default Executor prechecks(Loop loop) {
            return Runnable::run;
        }
    }

    /**
     * What an SM begins with.
     *
     * @param options of the operator; files that they name are read
     * @param state opens the directory of what outlived it
     * @param settings what its parts ask; {@link LiveSettings} of these options unless somebody knows better
     * @param seeds where transaction IDs begin
     * @param pool where it computes routes
     */
    public record Start(SmOptions options, State state, Source settings, IntSupplier seeds, Pool pool) {
        /** Makes what the parts ask. */
        public interface Source {
            /** Those of a real SM: the options, and the files that they name. */
            Source LIVE = (options, state) -> {
                LiveSettings live = new LiveSettings(options);
                live.keepIn(state);
                return live;
            };

            /**
             * The settings.
             *
             * @throws ConfigurationException if a file that the options name cannot be used
             */
            SmSettings of(SmOptions options, StateDirectory state) throws ConfigurationException;
        }

        /** Opens a state directory whose writes go through a loop. */
        public interface State {
            /** Nothing outlived it, and nothing will. */
            State NONE = StateDirectory::none;

            /** The directory. */
            StateDirectory open(Loop loop);
        }

        /** Without a state directory, and with the least surprising everything else. */
        public static Start of(SmOptions options) {
            return new Start(options, State.NONE, Source.LIVE, () -> SEED, Pool.AT_ONCE);
        }
    }

    /** The port of the process, which tells what is sent. */
    private static final class Port extends ForwardingTransport {
        private final Watcher watcher;

        Port(MadTransport inner, Watcher watcher) {
            super(inner);
            this.watcher = watcher;
        }

        @Override
        public boolean send(MadFrame frame, int responseTimeoutMs) {
            watcher.sent(frame);
            if (MgmtClass.isSmp(MadHeader.mgmtClass(frame.mad())) && MadHeader.method(frame.mad()) == Method.SET) {
                watcher.set(frame);
            }
            return super.send(frame, responseTimeoutMs);
        }
    }

    /** The loop of the process: it tells its events to the watcher, and ends with it. */
    private static final class OwnLoop implements Loop {
        private final Loop clock;
        private final Consumer<Finding> events;
        private boolean isDead;

        OwnLoop(Loop clock, Consumer<Finding> events) {
            this.clock = clock;
            this.events = events;
        }

        private void ifAlive(Runnable task) {
            if (!isDead) {
                EventLog.redirect(events, task);
            }
        }

        @Override
        public void execute(Runnable task) {
            clock.execute(() -> ifAlive(task));
        }

        @Override
        public Timer schedule(long delayNs, Runnable task) {
            return clock.schedule(delayNs, () -> ifAlive(task));
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
        public boolean inLoop() {
            return clock.inLoop();
        }
    }

    /**
     * Makes and starts an SM; it does nothing yet, until the clock runs.
     *
     * @param clock of the fabric, which others may share
     * @param transport a port of the fabric, not started
     * @throws ConfigurationException if a file that the options name cannot be used
     */
    public static VirtualSm start(VirtualLoop clock, MadTransport transport, Start with, Watcher watcher)
            throws ConfigurationException {
        VirtualSm sm = EventLog.<VirtualSm, ConfigurationException>redirect(
                watcher::event, () -> new VirtualSm(clock, transport, with, watcher));
        sm.process.execute(sm.parts::start);
        return sm;
    }

    private VirtualSm(VirtualLoop clock, MadTransport transport, Start with, Watcher watcher)
            throws ConfigurationException {
        this.clock = clock;
        process = new OwnLoop(clock, watcher::event);
        port = new Port(transport, watcher);
        StateDirectory state = with.state().open(process);
        settings = with.settings().of(with.options(), state);
        SmStores stores = SmStores.in(state, process, transport.localPort().portGuid(), settings);
        if (settings instanceof LiveSettings live) {
            live.add(stores.added());
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
        parts = new SmAssembly(platform, stores, settings, watcher::swept, SmAssembly.Extras.NONE);
    }

    /** Lets the clock run until this SM is master of a subnet that is up and has nothing more to do; false if it is not in time. */
    public boolean runUntilResting(long limitNs) {
        return runUntil(this::isResting, limitNs);
    }

    /** Lets the clock run until a condition holds; false if it does not in time. */
    public boolean runUntil(BooleanSupplier condition, long limitNs) {
        return clock.runUntil(condition, limitNs);
    }

    /** Lets the clock run for a span of time. */
    public void runFor(long spanNs) {
        clock.runFor(spanNs);
    }

    /** Whether this SM is master, has published a subnet, and no sweep runs or waits. */
    public boolean isResting() {
        return parts.mastership().isMaster()
                && parts.sweeper().view() != null
                && parts.sweeper().isResting();
    }

    /** What rules, what was found last, and their difference. */
    public FabricState state() {
        return parts.sweeper().state();
    }

    /** What is published; null before the first subnet. */
    public @Nullable PublishedView view() {
        return parts.sweeper().view();
    }

    /** The routes in force; null before the first subnet. */
    public @Nullable Plan plan() {
        PublishedView view = view();
        return view == null ? null : view.plan();
    }

    /** Whatever else there is to know or to ask. */
    public SmAssembly parts() {
        return parts;
    }

    /** Acts as this SM does: on its loop, with its events going to the watcher. */
    public void execute(Runnable action) {
        process.execute(action);
    }

    /** Acts on this SM at once: for who is called by the clock, or stands between two of its steps. */
    public void act(Runnable action) {
        process.ifAlive(action);
    }

    /** Takes other options, if its settings are its own; whoever changes them asks for a heavy sweep afterwards. */
    public void reconfigure(SmOptions options) {
        process.execute(() -> {
            SmOptions former = settings.options();
            if (settings instanceof LiveSettings live) {
                live.replace(options);
            }
            parts.settingsChanged(former);
        });
    }

    /** As SIGTERM: a master hands over, then all ends. */
    public void end() {
        process.execute(() -> parts.end(() -> process.execute(this::kill)));
    }

    /** As SIGKILL: IsSM falls, and nobody answers. */
    public void kill() {
        process.isDead = true;
        port.close();
    }

    /** Whether this SM has ended. */
    public boolean isDead() {
        return process.isDead;
    }
}
