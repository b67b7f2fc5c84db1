package io.torussm.daemon.control;

import io.torussm.deadlock.sl.SlVerdicts;
import io.torussm.history.ChangeHistory;
import io.torussm.inventory.Inventory;
import io.torussm.partition.PartitionConf;
import io.torussm.perf.CounterStore;
import io.torussm.state.StateDirectory;
import io.torussm.subnet.Drains;
import io.torussm.sweep.idle.DriftReport;
import io.torussm.transport.Loop;
import io.torussm.view.CableHistory;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An observer of a process that is not master. It has no state of a running SM, and its histories contain only what the
 * subclass records.
 */
public abstract class PassiveObserver implements SmObserver {
    private final CableHistory cables;
    private final ChangeHistory changes;
    private final Inventory inventory;
    private final CounterStore counters = new CounterStore();

    /**
     * Creates an observer with empty histories.
     *
     * @param state state directory that stores nothing
     * @param loop loop on which the history computes differences
     * @param kept limits of the history of changes
     */
    protected PassiveObserver(StateDirectory state, Loop loop, ChangeHistory.Settings kept) {
        cables = new CableHistory(state);
        changes = new ChangeHistory(state, loop, kept);
        inventory = new Inventory(state, List::of);
    }

    @Override
    public final @Nullable SmStatistics statistics() {
        return null;
    }

    @Override
    public final @Nullable SlVerdicts slVerdicts(long waitMs) {
        return null;
    }

    @Override
    public final CableHistory cableHistory() {
        return cables;
    }

    @Override
    public final ChangeHistory changes() {
        return changes;
    }

    @Override
    public final List<Drains.Drain> drains() {
        return List.of();
    }

    @Override
    public final DriftReport drift() {
        return DriftReport.NOTHING;
    }

    @Override
    public final Inventory inventory() {
        return inventory;
    }

    @Override
    public final PartitionConf partitions() {
        return PartitionConf.NONE;
    }

    @Override
    public final CounterStore counters() {
        return counters;
    }
}
