package io.torussm.sweep;

import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.routing.Plan;
import io.torussm.routing.Standing;
import java.util.List;

/**
 * Whether the routes in force are those of before, since no engine routes the fabric. That is reported when it begins, when it
 * changes and when it ends. Owner thread: the loop.
 */
public final class RoutesStaying {
    private static final EventLog EVENTS = EventLog.of(RoutesStaying.class);

    private String present = "";
    private List<Finding> notAdopted = List.of();

    /** Reports what changed since the last look. */
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

    /** A sweep was refused: reports why nothing was adopted, unless it is the same as before. */
    public void refused(List<Finding> findings) {
        List<Finding> now = findings.stream()
                .filter(finding -> finding.event() == SmEvent.ROUTES_NOT_ADOPTED)
                .toList();
        if (!now.equals(notAdopted)) {
            now.forEach(EVENTS::report);
        }
        notAdopted = now;
    }

    /** Forgets all; another SM sees to the fabric. */
    public void forget() {
        present = "";
        notAdopted = List.of();
    }
}
