package io.torussm.daemon.replay;

import io.torussm.daemon.config.RoutingFactory;
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.control.SmObserver;
import io.torussm.daemon.control.SmStatistics;
import io.torussm.daemon.journal.Journal;
import io.torussm.deadlock.RoutingChain;
import io.torussm.deadlock.SlVerdicts;
import io.torussm.history.ChangeHistory;
import io.torussm.inventory.Inventory;
import io.torussm.partition.PartitionConf;
import io.torussm.perf.CounterStore;
import io.torussm.routing.RoutingOptions;
import io.torussm.state.StateDirectory;
import io.torussm.subnet.Drains;
import io.torussm.sweep.DriftReport;
import io.torussm.transport.Loop;
import io.torussm.view.CableHistory;
import io.torussm.view.FabricState;
import io.torussm.view.PublishedView;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A replay that is over, for the page: its last state, and the states before as history. Nothing of it changes, and what there is
 * only while an SM runs is not there.
 */
public final class ReplayObserver implements SmObserver {
    private static final ChangeHistory.Settings ALL = new ChangeHistory.Settings(100_000, 512L << 20);

    private final Supplier<SmOptions> options;
    private final ChangeHistory changes;
    private final CableHistory cables;
    private final Inventory inventory;
    private final CounterStore counters = new CounterStore();
    private final Journal journal = new Journal();
    private final String version;
    private FabricState last = FabricState.NOTHING;

    /**
     * Nothing is replayed yet.
     *
     * @param options of the recorded SM, asked for when the replay is over
     * @param loop on which the history is put together
     */
    public ReplayObserver(Supplier<SmOptions> options, Loop loop, String version) {
        this.options = options;
        this.version = version;
        StateDirectory nowhere = StateDirectory.none(loop);
        cables = new CableHistory(nowhere);
        inventory = new Inventory(nowhere, List::of);
        changes = new ChangeHistory(nowhere, loop, ALL);
    }

    /** The replayed SM has looked at the fabric. */
    public void looked(FabricState state, Instant at) {
        last = state;
        changes.committed(state, at, List::of);
    }

    /** The replayed SM has decided something. */
    public void decided(Decision decision, Instant at) {
        if (decision.kind() != Decision.Kind.WRITE) {
            journal.add(at, "INFO", "", decision.text(), Map.of());
        }
    }

    @Override
    public @Nullable PublishedView view() {
        return last.view();
    }

    @Override
    public FabricState state() {
        return last;
    }

    @Override
    public @Nullable SmStatistics statistics() {
        return null;
    }

    @Override
    public @Nullable SlVerdicts slVerdicts(long waitMs) {
        return null;
    }

    @Override
    public CableHistory cableHistory() {
        return cables;
    }

    @Override
    public ChangeHistory changes() {
        return changes;
    }

    @Override
    public List<Drains.Drain> drains() {
        return List.of();
    }

    @Override
    public DriftReport drift() {
        return DriftReport.NOTHING;
    }

    @Override
    public Inventory inventory() {
        return inventory;
    }

    @Override
    public PartitionConf partitions() {
        return PartitionConf.NONE;
    }

    @Override
    public CounterStore counters() {
        return counters;
    }

    @Override
    public RoutingOptions routingOptions() {
        return options.get().sweep().routingOptions();
    }

    @Override
    public RoutingChain routing() {
        return RoutingFactory.chain(options.get());
    }

    @Override
    public Journal journal() {
        return journal;
    }

    @Override
    public String version() {
        return version;
    }

    @Override
    public void pulse(Runnable task) {
        task.run(); // there is no other loop
    }
}
