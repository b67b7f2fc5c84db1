package io.torussm.sweep;

import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.routing.Plan;
import io.torussm.routing.Standing;
import java.util.List;

/**
 * The report of the begin, change and end of retained routes, while no engine routes the fabric. Owner
 * thread: the loop.
 */
public final class RoutesStaying {
    private static final EventLog EVENTS = EventLog.of(RoutesStaying.class);

    private String present = "";
    private List<Finding> notAdopted = List.of();

    /** Reports the change since the last call. */
    public void look(Plan plan) {
        String now = plan.standing().map(Standing::summary).orElse("");
        if (!now.isEmpty() && !now.equals(present)) {
            EVENTS.report((plan.isAdopted() ? SmEvent.ROUTES_ADOPTED : SmEvent.ROUTES_STAYING).says(now));
        } else if (now.isEmpty() && !present.isEmpty()) {
            EVENTS.report(SmEvent.ROUTES_COMPUTED.says(plan.engine()));
        }
        present = now;
        notAdopted = List.of();
    }

    /** Reports the reasons why nothing was adopted in a refused sweep, unless they are unchanged. */
    public void refused(List<Finding> findings) {
        List<Finding> now = findings.stream()
                .filter(finding -> finding.event() == SmEvent.ROUTES_NOT_ADOPTED)
                .toList();
        if (!now.equals(notAdopted)) {
            now.forEach(EVENTS::report);
        }
        notAdopted = now;
    }

    /** Forgets the state, because another SM is master. */
    public void forget() {
        present = "";
        notAdopted = List.of();
    }
}
