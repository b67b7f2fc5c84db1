package io.torussm.daemon.sm;

import io.torussm.daemon.assembly.SmAssembly;
import io.torussm.daemon.journal.Journal;
import io.torussm.daemon.journal.SweepHistory;
import io.torussm.fabric.Fabric;
import io.torussm.sweep.state.SweepEvent;
import io.torussm.transport.Loop;
import io.torussm.view.PlacedSubnet;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A receiver of the events of sweeps. It updates the history, the inventory and the stored changes, passes the event to
 * the process, and starts rehearsals. Owner thread: {@code sm}.
 */
final class SweepOutcomes implements Consumer<SweepEvent> {
    private final SmResources resources;
    private final Lifetime lifetime;
    private final SweepHistory history;
    private final Journal journal;
    private final Supplier<List<String>> conditions;
    private final SubnetManagerService.Listener listener;
    private final Rehearsals rehearsals;
    private boolean hasHeapChecks;

    SweepOutcomes(
            SmResources resources,
            Lifetime lifetime,
            SweepHistory history,
            Journal journal,
            Supplier<List<String>> conditions,
            SubnetManagerService.Listener listener) {
        this.resources = resources;
        this.lifetime = lifetime;
        this.history = history;
        this.journal = journal;
        this.conditions = conditions;
        this.listener = listener;
        this.rehearsals = new Rehearsals(resources, lifetime);
    }

    /** Returns the fabric that was read last; null if there is none, or if another SM is master. */
    static @Nullable Fabric discoveredFabric(SmAssembly assembly) {
        PlacedSubnet discovered = assembly.sweeper().state().found();
        return discovered == null ? null : discovered.fabric();
    }

    private void checkInventory() {
        SmAssembly assembly = lifetime.running();
        Fabric discovered = assembly == null ? null : discoveredFabric(assembly);
        if (discovered != null) {
            resources.inventory().reportDifferences(discovered);
        }
    }

    /** Stores the active state in the history of changes if it differs from the previous state. */
    private void storeState() {
        SmAssembly assembly = lifetime.running();
        if (assembly != null) {
            resources.changes().record(assembly.sweeper().state(), now(), conditions);
        }
    }

    private static Instant now() {
        return Instant.now().truncatedTo(ChronoUnit.MILLIS);
    }

    @Override
    public void accept(SweepEvent event) {
        handleEvent(event);
        listener.accept(event);
        if (event instanceof SweepEvent.SubnetUp up) {
            rehearsals.rehearseFailures(up.view());
            startHeapChecks();
        } else if (event instanceof SweepEvent.OtherMaster) {
            rehearsals.rehearseStandby();
        }
    }

    private void handleEvent(SweepEvent event) {
        if (event instanceof SweepEvent.SubnetUp up) {
            checkInventory();
            history.recordSweep(now(), SweepHistory.UP, up.line());
            storeState();
        } else if (event instanceof SweepEvent.RoutesKept) {
            checkInventory();
        } else if (event instanceof SweepEvent.RoutingRefused refused) {
            checkInventory();
            history.recordSweep(now(), "refused", refused.reason());
            storeState();
        } else if (event instanceof SweepEvent.OtherMaster other) {
            resources.inventory().forgetSubnet();
            history.recordSweep(now(), SweepHistory.OTHER_MASTER, other.who());
        } else if (event instanceof SweepEvent.SweepFailed failed) {
            history.recordSweep(now(), "failed", failed.reason());
        } else if (event instanceof SweepEvent.EnginesRan engines) {
            history.recordRouting(now(), engines.result());
        } else if (event instanceof SweepEvent.RoutesCompared routes) {
            history.recordRouteChanges(routes.differences(), routes.changedSls());
        } else if (event instanceof SweepEvent.FabricChanged fabric) {
            history.recordChanges(fabric.changes());
        } else if (event instanceof SweepEvent.MastershipEnded) {
            history.mastershipEnded();
            journal.mastershipEnded();
        }
    }

    /** Starts the checks of the heap after the first sweep, because a reading of its size loads a hundred classes. */
    private void startHeapChecks() {
        if (!hasHeapChecks) {
            hasHeapChecks = true;
            Loop sm = resources.sm();
            sm.schedule(QuietCollection.PAUSE_NS, () -> QuietCollection.ofProcess(sm, lifetime::isIdle)
                    .begin());
        }
    }
}
