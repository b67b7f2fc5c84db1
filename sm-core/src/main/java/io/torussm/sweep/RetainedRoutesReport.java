package io.torussm.sweep;

import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.routing.Plan;
import io.torussm.routing.RetentionQuality;
import java.util.List;

/**
 * The events about retained routes: their begin, each change of their quality, and their end. Owner thread: the loop.
 */
public final class RetainedRoutesReport {
    private static final EventLog EVENTS = EventLog.of(RetainedRoutesReport.class);

    /** The quality that was reported last; empty if no routes were retained. */
    private String reported = "";

    /** The reasons of the last refusal, which are reported once. */
    private List<Finding> notAdopted = List.of();

    /**
     * Reports the change since the last call.
     *
     * @param plan the published plan
     */
    public void update(Plan plan) {
        String quality = plan.retention().map(RetentionQuality::summary).orElse("");
        if (!quality.isEmpty() && !quality.equals(reported)) {
            EVENTS.report((plan.isAdopted() ? SmEvent.ROUTES_ADOPTED : SmEvent.ROUTES_STAYING).finding(quality));
        } else if (quality.isEmpty() && !reported.isEmpty()) {
            EVENTS.report(SmEvent.ROUTES_COMPUTED.finding(plan.engine()));
        }
        reported = quality;
        notAdopted = List.of();
    }

    /** Reports why no tables were adopted in a refused sweep, unless the reasons are those of the last refusal. */
    public void refused(List<Finding> findings) {
        List<Finding> reasons = findings.stream()
                .filter(finding -> finding.event() == SmEvent.ROUTES_NOT_ADOPTED)
                .toList();
        if (!reasons.equals(notAdopted)) {
            reasons.forEach(EVENTS::report);
        }
        notAdopted = reasons;
    }

    /** Forgets the state, because another SM is master. */
    public void forget() {
        reported = "";
        notAdopted = List.of();
    }
}
