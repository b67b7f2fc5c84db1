package io.torussm.daemon.sm;

import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.control.ShadowReport;
import io.torussm.daemon.control.SmControl;
import io.torussm.daemon.journal.Journal;
import io.torussm.daemon.system.Defects;
import io.torussm.sweep.state.SweepEvent;
import io.torussm.transport.TransportException;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/**
 * The life cycle of a subnet manager, which the daemon controls. Any thread; no method waits for responses of
 * the fabric.
 */
public interface SubnetManagerService {

    /** A factory of the service that a daemon runs. */
    interface Factory {
        /**
         * Opens the port and all other resources in the options. Sweeps begin with {@link #start}.
         *
         * @param host the process of the SM
         * @throws TransportException if there is no usable port
         * @throws ConfigurationException if a resource in the options cannot be used
         */
        SubnetManagerService open(SmOptions options, Host host) throws TransportException, ConfigurationException;
    }

    /** The services of the process for the control of its SM. Any thread. */
    interface Host {
        /** Returns the last events. */
        Journal journal();

        /** Returns the counter of unexpected exceptions. */
        Defects defects();

        /** Writes the dump files. The result is false if a file was not written; the log has the reason. */
        Future<Boolean> writeDumps();

        /**
         * Ends a shadow, and continues as a subnet manager.
         *
         * @param then receiver of the control, called once, when the SM is standby or master
         */
        default void leaveShadow(Consumer<SmControl> then) {}
    }

    /** A consumer of the events of a service. Called on any thread; must not block. */
    interface Listener extends Consumer<SweepEvent> {
        /** Receives the report on a fabric of another master SM. */
        default void shadowReported(ShadowReport report) {}

        /** Handles a start that an unexpected exception ended. The service sends no MADs. The exception is counted. */
        void startFailed();
    }

    /**
     * Starts to sweep, immediately and then as the options require. Called once. Returns when the start is complete, or
     * after a time-out.
     */
    void start(Listener listener);

    /** Applies changes of the configuration file. The caller requests a heavy sweep afterwards. */
    void reconfigure(SmOptions options);

    /** Returns the control of this SM for operators. */
    SmControl control();

    /**
     * Calls an action periodically until the end, on the thread that manages the subnet. Each call proves
     * that the thread is alive.
     *
     * @param periodNs time from one call to the next
     */
    void callPeriodically(long periodNs, Runnable beat);

    /**
     * Ends in order: cancels running work, clears IsSM, releases the port. Returns when that is done, within
     * seconds.
     */
    void close();
}
