package io.torussm.daemon.assembly;

import io.torussm.daemon.config.SmOptions;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.history.LastState;
import io.torussm.sweep.DegradedRoutes;
import io.torussm.sweep.LinkConditions;
import io.torussm.sweep.RetainedRoutesReport;
import io.torussm.sweep.state.SweepEvent;
import io.torussm.sweep.state.SweepListener;
import io.torussm.sweep.state.SweepReport;
import io.torussm.transport.TransportException;
import io.torussm.view.PublishedView;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The work of the parts of an SM at the end of a sweep. The SA, the reporter and the other users of the subnet switch
 * to the published view, and the conditions of its links and routes are reported. Then the listener is called. Owner
 * thread: {@code sm}.
 */
final class SubnetFollowers implements SweepListener {
    private static final EventLog EVENTS = EventLog.of(SubnetFollowers.class);

    /** Time from the first published subnet of a mastership to the first light sweep. */
    private static final long FIRST_LIGHT_SWEEP_DELAY_NS = TimeUnit.SECONDS.toNanos(1);

    private final SmPlatform platform;
    private final SmSettings settings;
    private final LastState lastState;
    private final Consumer<SweepEvent> listener;
    private final LinkConditions linkConditions = new LinkConditions();
    private final DegradedRoutes degradedRoutes = new DegradedRoutes();
    private final RetainedRoutesReport retainedRoutes = new RetainedRoutesReport();
    private @Nullable SmAssembly parts;

    /** True if a subnet is up since this SM became master. */
    private boolean isUp;

    /**
     * Creates followers without parts; {@link #setParts} sets the parts.
     *
     * @param last store of the state after each sweep that publishes a subnet
     * @param listener callback; called with each event, after the parts have handled the event
     */
    SubnetFollowers(SmPlatform platform, SmSettings settings, LastState last, Consumer<SweepEvent> listener) {
        this.platform = platform;
        this.settings = settings;
        this.lastState = last;
        this.listener = listener;
    }

    /** Sets the parts of the SM; called once, before the first sweep. */
    void setParts(SmAssembly all) {
        parts = all;
    }

    private SmAssembly parts() {
        return Objects.requireNonNull(parts);
    }

    /** Publishes a view to all parts. The parts exist, because no sweep ends before {@link #setParts}. */
    private void publish(PublishedView view, SweepReport report) {
        SmAssembly assembly = parts();
        updateSa(view);
        assembly.reporter().published(view, assembly.database().memberships().view());
        assembly.devices().published(view, report.hasReadDevices());
        assembly.agents().subnetUp(view);
        assembly.isolator().checkCables();
        settings.warnOfQos(view.plan());
        linkConditions.update(view.subnet());
        degradedRoutes.update(view.plan());
        retainedRoutes.update(view.plan());
    }

    private void updateSa(PublishedView view) {
        parts().paths().setPolicy(settings.qosPolicy(view));
        parts().paths().setPrefixRoutes(settings.prefixRoutes());
        parts().administrator().onPublication();
    }

    @Override
    public void prepare(PublishedView next) {
        parts().administrator().prepare(next);
    }

    @Override
    public void accept(SweepEvent event) {
        if (event instanceof SweepEvent.SubnetUp up) {
            publish(up.view(), up.report());
        } else if (event instanceof SweepEvent.RoutesKept kept) {
            publish(kept.view(), kept.report());
        } else if (event instanceof SweepEvent.RoutingRefused refused) {
            retainedRoutes.refused(refused.findings());
        } else if (event instanceof SweepEvent.PartitionsProgrammed changed) {
            repartitioned(changed.view(), changed.hasOtherMembers());
        } else if (event instanceof SweepEvent.ViewRemembered remembered) {
            EVENTS.report(
                    SmEvent.VIEW_REMEMBERED,
                    EventField.COUNT.of(remembered.view().subnet().fabric().switchCount()));
            updateSa(remembered.view());
        } else if (event instanceof SweepEvent.OtherMaster) {
            forget();
        } else if (event instanceof SweepEvent.IsSmMissing) {
            setIsSm();
        }
        listener.accept(event);
        if (event instanceof SweepEvent.SubnetUp up) {
            subnetUp(up.view());
        }
    }

    /** Starts the work that requires a subnet; called after the listener. */
    private void subnetUp(PublishedView view) {
        if (settings.published(view)) {
            parts().sweeper().sweepHeavy();
        }
        if (!isUp && settings.pace().isSweeping()) {
            platform.sm().schedule(FIRST_LIGHT_SWEEP_DELAY_NS, parts().sweeper()::startLightSweep);
        }
        isUp = true;
        lastState.store(parts().sweeper().state(), platform.sm().timeOfDay());
        SmOptions.Sweeps wanted = settings.options().sweeps();
        parts().sweeper().idle().precheckFailures(wanted.failurePrechecks(), platform.prechecks());
        Executor plans = platform.readyPlans();
        if (plans != null) {
            parts().sweeper().idle().keepPlansReady(wanted.readyPlansBytes(), plans);
        }
    }

    /** Publishes partitions. Clients do not see the tables of switches, in which P_Keys of virtual ports pass. */
    private void repartitioned(PublishedView view, boolean hasOtherMembers) {
        settings.published(view);
        if (hasOtherMembers) {
            parts().administrator().onPublication();
            parts().reporter().published(view, parts().database().memberships().view());
        }
        parts().devices().repartitioned(view);
    }

    private void forget() {
        isUp = false;
        linkConditions.forget();
        degradedRoutes.forget();
        retainedRoutes.forget();
        parts().devices().forget();
        parts().agents().end();
        parts().isolator().forget();
    }

    private void setIsSm() {
        EVENTS.report(SmEvent.IS_SM_CLEARED);
        try {
            platform.port().setIsSm(false);
            platform.port().setIsSm(true);
        } catch (TransportException e) {
            EVENTS.report(SmEvent.IS_SM_NOT_SET, EventField.REASON.of(e.getMessage()));
        }
    }
}
