package io.torussm.sweep;

import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.routing.Degradation;
import io.torussm.routing.Plan;
import org.jspecify.annotations.Nullable;

/**
 * Whether the routes in force are what an engine would have, or what a last resort made after it refused. That is told when
 * it begins, when it changes and when it ends. Owner thread: the loop.
 */
public final class DegradedRoutes {
    private static final EventLog EVENTS = EventLog.of(DegradedRoutes.class);

    private @Nullable Degradation present;

    /** Tells what changed since the last look. */
    public void look(Plan plan) {
        Degradation now = plan.degradation().orElse(null);
        if (now != null && (present == null || !now.summary().equals(present.summary()))) {
            EVENTS.report(SmEvent.ROUTES_DEGRADED.says(now.summary() + "; " + now.reason()));
        } else if (now == null && present != null) {
            EVENTS.report(SmEvent.ROUTES_WHOLE.says(plan.engine() + " routes all of the fabric"));
        }
        present = now;
    }

    /** Forgets all; another SM sees to the fabric. */
    public void forget() {
        present = null;
    }
}
