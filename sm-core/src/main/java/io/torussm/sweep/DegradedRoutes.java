package io.torussm.sweep;

import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.routing.Degradation;
import io.torussm.routing.Plan;
import org.jspecify.annotations.Nullable;

/**
 * The report of the begin, change and end of degraded routes: those that a last resort made because an engine
 * refused. Owner thread: the loop.
 */
public final class DegradedRoutes {
    private static final EventLog EVENTS = EventLog.of(DegradedRoutes.class);

    private @Nullable Degradation present;

    /** Reports the change since the last call. */
    public void update(Plan plan) {
        Degradation current = plan.degradation().orElse(null);
        if (current != null && (present == null || !current.summary().equals(present.summary()))) {
            EVENTS.report(SmEvent.ROUTES_DEGRADED.finding(current.summary() + "; " + current.reason()));
        } else if (current == null && present != null) {
            EVENTS.report(SmEvent.ROUTES_WHOLE.finding(plan.engine() + " routes all of the fabric"));
        }
        present = current;
    }

    /** Forgets the state, because another SM is master. */
    public void forget() {
        present = null;
    }
}
