package io.torussm.daemon.control;

import io.torussm.daemon.journal.Journal;
import io.torussm.deadlock.chain.RoutingChain;
import io.torussm.deadlock.sl.SlVerdicts;
import io.torussm.firmware.FirmwareCensus;
import io.torussm.history.ChangeHistory;
import io.torussm.inventory.Inventory;
import io.torussm.partition.PartitionConf;
import io.torussm.perf.CounterStore;
import io.torussm.routing.RoutingOptions;
import io.torussm.subnet.Drains;
import io.torussm.sweep.idle.DriftReport;
import io.torussm.view.CableHistory;
import io.torussm.view.FabricState;
import io.torussm.view.PublishedView;
import io.torussm.vport.VPortTable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The read-only part of {@link SmControl}, for clients such as HTTP that may change nothing. Any thread; no
 * call waits for the wire.
 */
public interface SmObserver {
    /** Returns the published subnet; null until the first one is up, and again while another SM is master. */
    @Nullable
    PublishedView view();

    /**
     * Returns the active subnet, the discovered one, and their difference; {@link FabricState#NOTHING} while
     * another SM is master.
     */
    FabricState state();

    /** Returns state and counters; null until the SM has begun. */
    @Nullable
    SmStatistics statistics();

    /** Returns the virtual ports; none until the SM has begun. */
    default VPortTable vports() {
        SmStatistics statistics = statistics();
        return statistics == null ? VPortTable.NONE : statistics.vports();
    }

    /** Returns the firmware versions of devices; none until the SM has begun. */
    default FirmwareCensus firmware() {
        SmStatistics statistics = statistics();
        return statistics == null ? FirmwareCensus.NONE : statistics.firmware();
    }

    /**
     * Returns the results for hosts that choose other SLs than the active routes expect. They are computed on
     * first use.
     *
     * @param waitMs longest wait
     * @return null if they are unknown yet, or no routes are active
     */
    @Nullable
    SlVerdicts slVerdicts(long waitMs);

    /** Returns when cables went down and came back. */
    CableHistory cableHistory();

    /** Returns the previous states and their changes. */
    ChangeHistory changes();

    /** Returns all switches and cables that operators drained or that are isolated. */
    List<Drains.Drain> drains();

    /** Returns the result of reading back the registers of devices. */
    DriftReport drift();

    /** Returns the accepted fabric. */
    Inventory inventory();

    /** Returns all partitions with the members from file and run time, which the SM programs. */
    PartitionConf partitions();

    /**
     * Returns the report on a fabric with another master SM. It is null unless this process only reads, and
     * until its first reading.
     */
    default @Nullable ShadowReport shadow() {
        return null;
    }

    /** Returns the counters of ports, if they are read. */
    CounterStore counters();

    /** Returns the options of the active routes. */
    RoutingOptions routingOptions();

    /** Returns the engines with newly read files, for a trial without programming. */
    RoutingChain routing();

    /** Returns the last events. */
    Journal journal();

    /** Returns the name and version of the program. */
    String version();

    /** Runs a short task on the SM's own loop as soon as possible, which shows that the loop is alive. */
    void runOnSmLoop(Runnable task);
}
