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

/** The life of a subnet manager, in the hands of the daemon. Any thread; nothing waits for the wire. */
public interface SubnetManagerService {

    /** Makes the service that a daemon runs. */
    interface Factory {
        /**
         * Opens the port and whatever else the options name; sweeps nothing yet.
         *
         * @param host the process that the SM lives in
         * @throws TransportException if there is no port to work through
         * @throws ConfigurationException if something that the options name cannot be used
         */
        SubnetManagerService open(SmOptions options, Host host) throws TransportException, ConfigurationException;
    }

    /** What the process gives to the control of its SM. Any thread. */
    interface Host {
        /** The last events. */
        Journal journal();

        /** Where exceptions are counted that nobody expected. */
        Defects defects();

        /** Writes the dump files; false if that failed, and then the log says why. */
        Future<Boolean> dump();

        /**
         * Ends a service that only looks, and goes on as a subnet manager.
         *
         * @param then called once with what there is to ask of it, when it stands by or is master
         */
        default void leaveShadow(Consumer<SmControl> then) {}
    }

    /** A consumer of the events of a service. Called on any thread; must not block. */
    interface Listener extends Consumer<SweepEvent> {
        /** Receives the evaluation of a fabric of another master. */
        default void looked(ShadowReport report) {}

        /** Handles a start that a defect ended; the service sends nothing. The defect is counted. */
        void notBegun();
    }

    /** Starts sweeping: at once, then as the options say. Called once; returns once that has begun, or soon after. */
    void start(Listener listener);

    /** Takes what changed in the configuration file; the caller asks for a heavy sweep afterwards. */
    void reconfigure(SmOptions options);

    /** What operators see of this SM and ask of it. */
    SmControl control();

    /**
     * Calls this again and again until the end, on the thread that manages the subnet: who is called knows that it lives.
     *
     * @param periodNs from one call to the next
     */
    void beat(long periodNs, Runnable beat);

    /** Ends in order: cancels what runs, clears IsSM, releases the port. Returns when that is done, within seconds. */
    void close();
}
