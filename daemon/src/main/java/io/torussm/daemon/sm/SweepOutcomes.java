package io.torussm.daemon.sm;

import io.torussm.daemon.assembly.SmAssembly;
import io.torussm.daemon.assembly.SmListener;
import io.torussm.daemon.journal.Journal;
import io.torussm.daemon.journal.SweepHistory;
import io.torussm.deadlock.chain.RoutingChain;
import io.torussm.event.Finding;
import io.torussm.fabric.Fabric;
import io.torussm.mastership.RemoteSm;
import io.torussm.sweep.state.SweepReport;
import io.torussm.transport.Loop;
import io.torussm.view.PlacedSubnet;
import io.torussm.view.PublishedView;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What follows the end of a sweep outside of the SM's parts: the history takes a line, what rules now is kept and compared
 * with the inventory, and the daemon hears of it. Owner thread: {@code sm}.
 */
final class SweepOutcomes implements SmListener {
    private final SmResources resources;
    private final Lifetime lifetime;
    private final SweepHistory history;
    private final Journal journal;
    private final Supplier<List<String>> conditions;
    private final SubnetManagerService.Listener listener;
    private final Rehearsals rehearsals;
    private boolean isHeapKept;

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

    /** What was found last; null if nothing was, or another SM is master. */
    static @Nullable Fabric found(SmAssembly now) {
        PlacedSubnet found = now.sweeper().state().found();
        return found == null ? null : found.fabric();
    }

    private void lookAtInventory() {
        SmAssembly now = lifetime.running();
        Fabric found = now == null ? null : found(now);
        if (found != null) {
            resources.inventory().look(found);
        }
    }

    /** What rules now is kept if it differs from what did. */
    private void keep() {
        SmAssembly now = lifetime.running();
        if (now != null) {
            resources.changes().committed(now.sweeper().state(), now(), conditions);
        }
    }

    private static Instant now() {
        return Instant.now().truncatedTo(ChronoUnit.MILLIS);
    }

    @Override
    public void subnetUp(PublishedView view, SweepReport report) {
        lookAtInventory();
        String line = report.line()
                + view.plan()
                        .degradation()
                        .map(degraded -> "; DEGRADED: " + degraded.summary())
                        .orElse("");
        history.ended(now(), SweepHistory.UP, line);
        keep();
        listener.subnetUp(view, line);
        rehearsals.master(view);
        keepHeap();
    }

    /** Not at once: what tells the size of the heap loads a hundred classes, while others wait for the subnet. */
    private void keepHeap() {
        if (!isHeapKept) {
            isHeapKept = true;
            Loop sm = resources.sm();
            sm.schedule(QuietCollection.PAUSE_NS, () -> QuietCollection.ofProcess(sm, lifetime::isResting)
                    .begin());
        }
    }

    @Override
    public void staying(PublishedView view, SweepReport report) {
        lookAtInventory();
    }

    @Override
    public void refused(List<Finding> findings) {
        String reason = findings.stream()
                .filter(finding -> finding.severity() == Finding.Severity.ERROR)
                .map(Finding::text)
                .collect(Collectors.joining("; "));
        lookAtInventory();
        history.ended(now(), "refused", reason);
        keep();
        listener.refused(reason);
    }

    @Override
    public void otherMaster(@Nullable RemoteSm other) {
        resources.inventory().forgetSubnet();
        history.ended(now(), SweepHistory.OTHER_MASTER, String.valueOf(other));
        listener.otherMaster(String.valueOf(other));
        rehearsals.standby();
    }

    @Override
    public void failed(String why) {
        history.ended(now(), "failed", why);
        listener.failed(why);
    }

    @Override
    public void routed(RoutingChain.ChainResult result) {
        history.routed(now(), result);
    }

    @Override
    public void compared(List<Finding> differences, long changedSls) {
        history.compared(differences, changedSls);
    }

    @Override
    public void fabricChanged(List<Finding> changes) {
        history.changed(changes);
    }

    @Override
    public void multicastProgrammed() {
        listener.multicastProgrammed();
    }

    @Override
    public void portLost(String why) {
        listener.portLost(why);
    }

    @Override
    public void portChanged(boolean isUsable, String why) {
        listener.portChanged(isUsable, why);
    }

    @Override
    public void mastershipEnded() {
        history.mastershipEnded();
        journal.mastershipEnded();
    }
}
