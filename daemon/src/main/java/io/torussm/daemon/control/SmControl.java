package io.torussm.daemon.control;

import io.torussm.daemon.journal.SweepHistory;
import io.torussm.deadlock.RoutingChain;
import io.torussm.inventory.ExpectedFabric;
import io.torussm.multicast.MulticastView;
import io.torussm.partition.RunTimeChange;
import io.torussm.partition.RunTimeOutcome;
import io.torussm.partition.RunTimePartitions;
import io.torussm.qos.QosOptions;
import io.torussm.qos.policy.QosPolicy;
import io.torussm.subnet.Drains;
import io.torussm.transport.MadTap;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** All that an operator may see of a running subnet manager and ask of it. Any thread; nothing waits for the wire. */
public interface SmControl extends SmObserver {
    /** Whether this process only looks, and whatever is asked of it changes nothing. */
    default boolean isShadow() {
        return false;
    }

    /** The multicast groups, their members named by the GUIDs of their ports; none until the SM has begun. */
    MulticastView multicast();

    /** How the last sweeps ended. */
    SweepHistory history();

    /** QoS as it is configured. */
    Qos qos();

    /**
     * Requests a sweep, to begin as soon as possible.
     *
     * @param ended told how it ended, on the SM's own loop; of a light one that found nothing, {@link SweepHistory#QUIET}
     */
    void requestSweep(boolean isHeavy, Consumer<SweepHistory.Sweep> ended);

    /** The same for who does not wait for it. */
    default void requestSweep(boolean isHeavy) {
        requestSweep(isHeavy, sweep -> {});
    }

    /**
     * Requests that routes be computed and programmed again, with their files read anew.
     *
     * @param ended told how that ended, on the SM's own loop
     */
    void requestReroute(Consumer<SweepHistory.Sweep> ended);

    /** The same for who does not wait for it. */
    default void requestReroute() {
        requestReroute(sweep -> {});
    }

    /** What the certificate of the routes in force does not say, a sentence each. */
    List<String> certificateRemarks();

    /** The engines with their files as they are now, whether these can be used or not: what the next sweep would ask. */
    RoutingChain routingPreview();

    /** What partitions.conf would change if it were put in force as it is now; null until a subnet is up. */
    @Nullable
    PartitionPreview partitionPreview();

    /** Puts partitions.conf in force as it is now, however much that changes, with a heavy sweep. */
    void applyPartitions();

    /** What was added to partitions at run time, as it is on the disk. */
    RunTimePartitions runTimePartitions();

    /**
     * Changes what was added to partitions at run time: keeps it on the disk, programs the P_Key tables of the ports concerned
     * without a sweep, and publishes it. One change after the other; while a sweep runs they wait.
     *
     * @return completed once the tables are confirmed by the devices, or with what stands against that
     */
    CompletableFuture<RunTimeOutcome> changePartitions(RunTimeChange.Request request);

    /**
     * Requests that the link of a port is taken down, so that it trains anew.
     *
     * @param nodeGuid of the port's node
     */
    void requestBounce(long nodeGuid, int portNum);

    /**
     * Drains a switch or a cable, with a heavy sweep, unless something else was drained since it was judged whether that may be: both
     * together may cut a ring.
     *
     * @param judged {@link #drains} as they were judged
     * @return why not; empty if it is drained
     */
    CompletableFuture<String> requestDrain(Drains.Drain drain, List<Drains.Drain> judged);

    /** Ends that, with a heavy sweep. */
    void requestUndrain(Drains.Drain drain);

    /**
     * Reads back what a device holds as soon as there is nothing else to do.
     *
     * @param nodeGuid 0 for all devices
     */
    void requestDrift(long nodeGuid);

    /**
     * Counts from 0 again, in memory.
     *
     * @param name of what, for the log
     * @param nodeGuid 0 for all
     * @param portNum 0 for all of the node
     */
    void restartCounters(String name, long nodeGuid, int portNum);

    /** Suspends sweeps, or resumes them. */
    void suspendSweeps(boolean isWanted);

    /** Changes the priority, 0 to 15, until the configuration is read again; a lower one than a standby's hands over. */
    void setPriority(int priority);

    /** Takes the subnet over, and gives it back. */
    default Adoption adoption() {
        return Adoption.NONE;
    }

    /**
     * Expects another fabric from now on, or nothing.
     *
     * @return whether it is on the disk
     */
    CompletableFuture<Boolean> expect(ExpectedFabric wanted);

    /** Where M_Key and SM_Key come from. */
    Keys keys();

    /**
     * Draws new keys, which are in force once they are on the disk, or removes those that were drawn.
     *
     * @param isWanted false to remove them
     * @return why not; empty if it is done
     */
    Future<String> changeKeys(boolean isWanted);

    /** Captures MADs of the port. */
    MadTap tap();

    /** The directory of dumps and captures; null if there is none. */
    @Nullable
    Path dumpDir();

    /**
     * Writes what the flight recorder keeps to the directory of dumps, or else to that of recordings.
     *
     * @param name of a new file; empty for one that says when it was written
     */
    Future<RecordingAnswer> record(String name);

    /** Writes the dump files; false if that failed, and then the log says why. */
    Future<Boolean> dump();

    /** The level of the log: error, warn, info, debug or trace. */
    String logLevel();

    /** Changes the level of the log until the end of the process. */
    void setLogLevel(String level);

    /** Where a key comes from. */
    enum KeyOrigin {
        CONFIGURED,
        GENERATED,
        /** Nobody set one, or everybody knows it. */
        NONE
    }

    /**
     * The keys in force.
     *
     * @param since when keys were generated; null if none are
     * @param wantedMKey that every port is to have, 0 for none; for comparisons, and never shown
     */
    record Keys(KeyOrigin mKey, KeyOrigin smKey, @Nullable Instant since, long wantedMKey) {
        /** Without the key. */
        @Override
        public String toString() {
            return "Keys[" + mKey + ", " + smKey + ", " + since + "]";
        }
    }

    /**
     * QoS as it is configured.
     *
     * @param isOn whether QoS tables are programmed
     * @param options of VL arbitration
     * @param policy in force
     */
    record Qos(boolean isOn, QosOptions options, QosPolicy policy) {}
}
