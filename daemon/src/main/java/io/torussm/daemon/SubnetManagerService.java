package io.torussm.daemon;

import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.console.Operations;
import io.torussm.daemon.control.SmStatistics;
import io.torussm.multicast.MulticastView;
import io.torussm.transport.TransportException;
import io.torussm.view.PublishedView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A subnet manager as the daemon sees it. All methods may be called from any thread and return without waiting for the wire. */
public interface SubnetManagerService {

    /** Makes the service that a daemon runs. */
    interface Factory {
        /**
         * Opens the port and whatever else the options name; sweeps nothing yet.
         *
         * @throws TransportException if there is no port to work through
         * @throws ConfigurationException if something that the options name cannot be used
         */
        SubnetManagerService open(SmOptions options) throws TransportException, ConfigurationException;
    }

    /** Hears how each heavy sweep ended, and of the end of the port. Called on any thread; must not block. */
    interface Listener {
        /**
         * The subnet is programmed, active and published.
         *
         * @param summary one line: what was found and done
         */
        void subnetUp(PublishedView view, String summary);

        /** No engine routes the fabric; nothing was written. */
        void refused(String reason);

        /** Another subnet manager is master; nothing was written. */
        void otherMaster(String who);

        /** The sweep could not be finished; the next one tries again. */
        void failed(String why);

        /** Multicast groups changed between sweeps, and the switches hold what they need. */
        void multicastProgrammed();

        /** The port is gone for good. */
        void portLost(String why);
    }

    /** Starts sweeping: at once, then as the options say. Called once. */
    void start(Listener listener);

    /** Asks for a sweep as soon as may be. */
    void requestSweep(boolean isHeavy);

    /** Asks for routes to be computed and programmed again, files read anew. */
    void requestReroute();

    /** Takes what changed in the configuration file; the caller asks for a heavy sweep afterwards. */
    void reconfigure(SmOptions options);

    /** What is published; null until the first subnet is up. */
    @Nullable
    PublishedView view();

    /** The multicast groups, their members called by their ports' own GUIDs; none until there is a subnet manager. */
    MulticastView multicast();

    /** State and counters, a line each, as {@code name: value}. */
    List<String> statusLines();

    /** What else operators may ask for. */
    Operations operations();

    /** State and counters as values; null until the SM has begun. */
    @Nullable
    SmStatistics figures();

    /** Runs a task on the SM's loop, as soon as that gets to it. */
    void pulse(Runnable task);

    /** What this SM is and whether it has a subnet, one line. */
    String headline();

    /**
     * Calls this again and again until the end, on the thread that manages the subnet: who is called knows that it lives.
     *
     * @param periodNs from one call to the next
     */
    void beat(long periodNs, Runnable beat);

    /** Ends in order: cancels what runs, clears IsSM, releases the port. Returns when that is done, within seconds. */
    void close();
}
