package io.torussm.daemon.process;

import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.sweep.state.SweepEvent;
import io.torussm.sweep.state.SweepReport;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lines of sweeps that succeeded. {@link SmEvent#SUBNET_UP} is reported if the subnet was not up before, or if
 * the numbers of its parts changed without an event. Other sweeps are lines at level debug, because the events of
 * their changes were reported just before. Lines are held back until the console and the HTTP server are open. Any
 * thread.
 */
public final class SubnetUpLines implements Consumer<SweepEvent> {
    private static final EventLog EVENTS = EventLog.of(SubnetUpLines.class);
    private static final Logger LOG = LoggerFactory.getLogger(SubnetUpLines.class);
    private static final int MAX_KEPT = 64;

    /** Lines that wait until operators can connect; null from then on. */
    private @Nullable List<String> kept = new ArrayList<>();

    /** The report of the last sweep; null if the subnet was not up. */
    private @Nullable SweepReport last;

    /** True if the changes of the present sweep were reported. */
    private boolean isExplained;

    @Override
    public synchronized void accept(SweepEvent event) {
        if (event instanceof SweepEvent.SubnetUp up) {
            up(up);
        } else if (event instanceof SweepEvent.FabricChanged) {
            isExplained = true;
        } else if (event instanceof SweepEvent.RoutingRefused
                || event instanceof SweepEvent.SweepFailed
                || event instanceof SweepEvent.OtherMaster
                || event instanceof SweepEvent.MastershipEnded) {
            last = null;
        }
    }

    private void up(SweepEvent.SubnetUp up) {
        SweepReport report = up.report();
        if (last != null && (isExplained || last.hasSameParts(report))) {
            LOG.debug("SUBNET UP: {}", up.line());
        } else if (kept == null) {
            EVENTS.report(SmEvent.SUBNET_UP.says(up.line()));
        } else if (kept.size() < MAX_KEPT) {
            kept.add(up.line());
        }
        last = report;
        isExplained = false;
    }

    /** Reports the kept lines: the console and the HTTP server are open. */
    public synchronized void operatorsCanConnect() {
        if (kept != null) {
            kept.forEach(summary -> EVENTS.report(SmEvent.SUBNET_UP.says(summary)));
        }
        kept = null;
    }
}
