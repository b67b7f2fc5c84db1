package io.torussm.daemon;

import io.torussm.daemon.journal.SweepHistory;
import io.torussm.deadlock.RoutingChain;
import io.torussm.event.EventField;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.fabric.Fabric;
import io.torussm.mastership.RemoteSm;
import io.torussm.sweep.DegradedRoutes;
import io.torussm.sweep.LinkConditions;
import io.torussm.sweep.RoutesStaying;
import io.torussm.sweep.SweepListener;
import io.torussm.sweep.SweepReport;
import io.torussm.transport.TransportException;
import io.torussm.view.FabricState;
import io.torussm.view.PlacedSubnet;
import io.torussm.view.PublishedView;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What follows the end of a sweep: the SA and the reporter take the published subnet, the history takes a line, and the
 * daemon hears of it. Owner thread: {@code sm}.
 */
final class SweepOutcomes implements SweepListener {
    private static final EventLog EVENTS = EventLog.of(SweepOutcomes.class);

    private final SmResources resources;
    private final LiveSettings settings;
    private final Lifetime lifetime;
    private final SweepHistory history;
    private final Supplier<List<String>> conditions;
    private final SubnetManagerService.Listener listener;
    private final LinkConditions links = new LinkConditions();
    private final DegradedRoutes routes = new DegradedRoutes();
    private final RoutesStaying staying = new RoutesStaying();

    SweepOutcomes(
            SmResources resources,
            LiveSettings settings,
            Lifetime lifetime,
            SweepHistory history,
            Supplier<List<String>> conditions,
            SubnetManagerService.Listener listener) {
        this.resources = resources;
        this.settings = settings;
        this.lifetime = lifetime;
        this.history = history;
        this.conditions = conditions;
        this.listener = listener;
    }

    /** What was found last; null if nothing was, or another SM is master. */
    static @Nullable Fabric found(Lifetime.Running now) {
        PlacedSubnet found = now.sweeper().state().found();
        return found == null ? null : found.fabric();
    }

    private void lookAtInventory() {
        Lifetime.Running now = lifetime.running();
        Fabric found = now == null ? null : found(now);
        if (found != null) {
            resources.inventory().look(found);
        }
    }

    /** What rules now is kept if it differs from what did. */
    private void keep() {
        Lifetime.Running now = lifetime.running();
        if (now != null) {
            resources.changes().committed(now.sweeper().state(), now(), conditions);
        }
    }

    private static Instant now() {
        return Instant.now().truncatedTo(ChronoUnit.MILLIS);
    }

    @Override
    public void subnetUp(PublishedView view, SweepReport report) {
        published(view);
        String line = report.line()
                + view.plan()
                        .degradation()
                        .map(degraded -> "; DEGRADED: " + degraded.summary())
                        .orElse("");
        history.ended(now(), SweepHistory.UP, line);
        keep();
        listener.subnetUp(view, line);
        Lifetime.Running now = lifetime.running();
        if (settings.published(view) && now != null) {
            now.sweeper().sweepHeavy();
        }
        if (now != null) {
            now.sweeper().precheckFailures(settings.options().sweeps().failurePrechecks(), resources.prechecks());
        }
    }

    /** The SA and the reporter go on with what is published, and its conditions are reported. */
    private void published(PublishedView view) {
        Lifetime.Running now = lifetime.running();
        if (now != null) {
            now.paths().setPolicy(settings.qosPolicy(view));
            now.paths().setPrefixRoutes(settings.prefixRoutes());
            now.administrator().published();
            now.reporter().published(view, now.database().memberships().view());
            now.adaptiveRouting().look(view.subnet().fabric());
            now.counters().subnetUp(view);
            now.isolator().look();
        }
        settings.warnOfQos(view.plan());
        links.look(view.subnet());
        routes.look(view.plan());
        staying.look(view.plan());
        lookAtInventory();
    }

    @Override
    public void staying(PublishedView view, SweepReport report) {
        published(view);
    }

    @Override
    public void partitionsChanged(PublishedView view) {
        settings.published(view);
        Lifetime.Running now = lifetime.running();
        if (now != null) {
            now.administrator().published();
            now.reporter().published(view, now.database().memberships().view());
        }
    }

    @Override
    public void refused(List<Finding> findings) {
        String reason = findings.stream()
                .filter(finding -> finding.severity() == Finding.Severity.ERROR)
                .map(Finding::text)
                .collect(Collectors.joining("; "));
        staying.refused(findings);
        lookAtInventory();
        history.ended(now(), "refused", reason);
        keep();
        listener.refused(reason);
    }

    @Override
    public void otherMaster(@Nullable RemoteSm other) {
        links.forget();
        routes.forget();
        staying.forget();
        resources.inventory().forgetSubnet();
        Lifetime.Running now = lifetime.running();
        if (now != null) {
            now.adaptiveRouting().forget();
            now.counters().end();
            now.isolator().forget();
        }
        history.ended(now(), SweepHistory.OTHER_MASTER, String.valueOf(other));
        listener.otherMaster(String.valueOf(other));
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
    public void hostsChanged(List<Finding> changes) {
        history.changed(changes);
    }

    @Override
    public void looked(FabricState before, FabricState after, Instant at) {
        resources.cableHistory().look(before, after, at);
    }

    @Override
    public void multicastProgrammed() {
        listener.multicastProgrammed();
    }

    @Override
    public void isSmMissing() {
        EVENTS.report(SmEvent.IS_SM_CLEARED);
        try {
            resources.port().setIsSm(false);
            resources.port().setIsSm(true);
        } catch (TransportException e) {
            EVENTS.report(SmEvent.IS_SM_NOT_SET, EventField.REASON.of(e.getMessage()));
        }
    }
}
