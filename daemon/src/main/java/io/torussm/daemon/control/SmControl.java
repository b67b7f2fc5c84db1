package io.torussm.daemon.control;

import io.torussm.daemon.journal.SweepHistory;
import io.torussm.deadlock.chain.RoutingChain;
import io.torussm.inventory.ExpectedFabric;
import io.torussm.multicast.MulticastView;
import io.torussm.partition.RunTimeChange;
import io.torussm.partition.RunTimeOutcome;
import io.torussm.partition.RunTimePartitions;
import io.torussm.qos.QosOptions;
import io.torussm.qos.policy.QosPolicy;
import io.torussm.subnet.Drains;
import io.torussm.transport.capture.MadTap;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The operations of an operator on a running subnet manager. Any thread; no call waits for the wire. */
public interface SmControl extends SmObserver {
    /** Checks whether this process is a shadow: it only reads, and no request changes the fabric. */
    default boolean isShadow() {
        return false;
    }

    /** Returns the multicast groups, with their members by port GUID. The view is empty until the SM has begun. */
    MulticastView multicast();

    /** Returns the last sweeps with their outcomes. */
    SweepHistory history();

    /** Returns the configuration of QoS. */
    Qos qos();

    /**
     * Requests a sweep as soon as possible.
     *
     * @param isHeavy true for a heavy sweep, false for a light sweep
     * @param ended receiver of the result, called on the SM's own loop; the outcome is {@link SweepHistory#QUIET} for a
     *     light sweep without changes
     */
    void requestSweep(boolean isHeavy, Consumer<SweepHistory.Sweep> ended);

    /** Requests a sweep without a listener. */
    default void requestSweep(boolean isHeavy) {
        requestSweep(isHeavy, sweep -> {});
    }

    /**
     * Requests that routes be computed and programmed again. The files of the routing engines are read again first.
     *
     * @param ended receiver of the result, called on the SM's own loop
     */
    void requestReroute(Consumer<SweepHistory.Sweep> ended);

    /** Requests new routes without a listener. */
    default void requestReroute() {
        requestReroute(sweep -> {});
    }

    /** Returns the limits of the certificate of the active routes, a sentence each. */
    List<String> certificateRemarks();

    /** Returns the engines with their current files, valid or not, as the next sweep would use them. */
    RoutingChain routingPreview();

    /**
     * Returns the changes that partitions.conf would make if it became effective now; null until a subnet is
     * up.
     */
    @Nullable
    PartitionPreview partitionPreview();

    /** Makes the current partitions.conf effective, with any number of changes, by a heavy sweep. */
    void applyPartitions();

    /** Returns the run-time members of partitions as stored on disk. */
    RunTimePartitions runTimePartitions();

    /**
     * Changes the run-time members of partitions: stores them on disk, programs the P_Key tables of the ports
     * concerned without a sweep, and publishes them. Changes are made in order; during a sweep they wait.
     *
     * @return future that completes when the devices have confirmed the tables, or with the reason of a failure
     */
    CompletableFuture<RunTimeOutcome> changePartitions(RunTimeChange.Request request);

    /**
     * Requests that the link of a port be taken down, so that it trains again.
     *
     * @param nodeGuid GUID of the port's node
     * @param portNum port number
     */
    void requestBounce(long nodeGuid, int portNum);

    /**
     * Drains a switch or a cable by a heavy sweep. If the set of drains has changed since the evaluation, this drain is
     * refused, because both drains together may cut a ring.
     *
     * @param judged {@link #drains} at the time of the evaluation
     * @return reason for refusal; empty if the device is drained
     */
    CompletableFuture<String> requestDrain(Drains.Drain drain, List<Drains.Drain> judged);

    /** Ends a drain by a heavy sweep. */
    void requestUndrain(Drains.Drain drain);

    /**
     * Requests a read-back of the attributes of a device as soon as the SM is idle.
     *
     * @param nodeGuid NodeGUID of the device; 0 for all devices
     */
    void requestReadBack(long nodeGuid);

    /**
     * Restarts port counters from 0, in memory of this process only.
     *
     * @param name subject for the log
     * @param nodeGuid NodeGUID of the node; 0 for all ports of the fabric
     * @param portNum port number; 0 for all ports of the node
     */
    void restartCounters(String name, long nodeGuid, int portNum);

    /** Reads settings and logs of congestion control of all devices, and sets what differs. */
    void readCongestion();

    /**
     * Suspends or resumes sweeps.
     *
     * @param isWanted true to suspend them
     */
    void suspendSweeps(boolean isWanted);

    /**
     * Changes the priority until the configuration is read again. If the priority is lower than that of a standby SM,
     * this SM hands the subnet over.
     *
     * @param priority priority, 0 to 15
     */
    void setPriority(int priority);

    /** Returns the operations that take the subnet over or release it. */
    default Adoption adoption() {
        return Adoption.NONE;
    }

    /**
     * Sets the expected fabric, which may be empty.
     *
     * @return true if the expected fabric is stored on disk
     */
    CompletableFuture<Boolean> setExpectedFabric(ExpectedFabric wanted);

    /** Returns the origin of M_Key and SM_Key. */
    Keys keys();

    /**
     * Generates new keys, or removes generated keys. A change is effective once it is on disk.
     *
     * @param isWanted true to generate keys, false to remove them
     * @return reason for failure; empty on success
     */
    Future<String> changeKeys(boolean isWanted);

    /** Returns the tap that captures MADs of the port. */
    MadTap tap();

    /** Returns the directory of dumps and captures; null if none is configured. */
    @Nullable
    Path dumpDir();

    /**
     * Writes the content of the flight recorder to the directory of dumps, or else to that of recordings.
     *
     * @param name name of a new file; empty for a name with the time
     */
    Future<RecordingAnswer> writeRecording(String name);

    /** Writes the dump files. Returns false if that failed; the log has the reason. */
    Future<Boolean> writeDumps();

    /** Returns the level of the log: error, warn, info, debug or trace. */
    String logLevel();

    /** Changes the level of the log until the end of the process. */
    void setLogLevel(String level);

    /** The origin of a key. */
    enum KeyOrigin {
        CONFIGURED,
        GENERATED,
        /** No key is set, or the key is public. */
        NONE
    }

    /**
     * The effective keys.
     *
     * @param mKey origin of the M_Key
     * @param smKey origin of the SM_Key
     * @param since time of generation; null if no keys were generated
     * @param wantedMKey M_Key for every port, 0 for none; for comparisons only, never for display
     */
    record Keys(KeyOrigin mKey, KeyOrigin smKey, @Nullable Instant since, long wantedMKey) {
        /** Returns the text without the key. */
        @Override
        public String toString() {
            return "Keys[" + mKey + ", " + smKey + ", " + since + "]";
        }
    }

    /**
     * The configuration of QoS.
     *
     * @param isOn true if QoS tables are programmed
     * @param options options of VL arbitration
     * @param policy effective policy
     */
    record Qos(boolean isOn, QosOptions options, QosPolicy policy) {}
}
