package io.torussm.daemon.control;

import io.torussm.daemon.journal.Journal;
import io.torussm.deadlock.RoutingChain;
import io.torussm.deadlock.SlVerdicts;
import io.torussm.history.ChangeHistory;
import io.torussm.inventory.Inventory;
import io.torussm.partition.PartitionConf;
import io.torussm.perf.CounterStore;
import io.torussm.routing.RoutingOptions;
import io.torussm.subnet.Drains;
import io.torussm.sweep.DriftReport;
import io.torussm.view.CableHistory;
import io.torussm.view.FabricState;
import io.torussm.view.PublishedView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The read-only part of {@link SmControl}: what is given to those who may look but change nothing, such as HTTP. Any
 * thread; nothing waits for the wire.
 */
public interface SmObserver {
    /** The published subnet; null until the first one is up, and again while another SM is master. */
    @Nullable
    PublishedView view();

    /** What rules, what was found last, and their difference; {@link FabricState#NOTHING} while another SM is master. */
    FabricState state();

    /** State and counters; null until the SM has begun. */
    @Nullable
    SmStatistics statistics();

    /**
     * What becomes of hosts that choose SLs in other ways than the routes in force expect. It is computed when somebody asks first.
     *
     * @param waitMs how long to wait for it at most
     * @return null as long as it is not known, or no routes are in force
     */
    @Nullable
    SlVerdicts slVerdicts(long waitMs);

    /** When cables went down and came back. */
    CableHistory cableHistory();

    /** What ruled before, and what changed it. */
    ChangeHistory changes();

    /** What is drained by operators, or isolated. */
    List<Drains.Drain> drains();

    /** What came of reading back what devices hold. */
    DriftReport drift();

    /** What was accepted as the fabric that is meant. */
    Inventory inventory();

    /** All partitions, with the members that the file and run time give them: what the SM works towards. */
    PartitionConf partitions();

    /** What there is to say of a fabric that another SM rules; null unless this process only looks, and until it has read the fabric. */
    default @Nullable ShadowReport shadow() {
        return null;
    }

    /** What ports count, if that is read. */
    CounterStore counters();

    /** What the routes in force were computed with. */
    RoutingOptions routingOptions();

    /** The engines with their files read anew, to play something through on paper. */
    RoutingChain routing();

    /** The last events. */
    Journal journal();

    /** Name and version of the program. */
    String version();

    /** Runs a short task on the SM's own loop as soon as that gets to it: who is called knows that it lives. */
    void pulse(Runnable task);
}
