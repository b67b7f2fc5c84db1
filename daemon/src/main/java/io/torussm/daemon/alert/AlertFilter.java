package io.torussm.daemon.alert;

import io.torussm.daemon.config.SmOptions;
import io.torussm.event.EventEnds;
import java.util.Set;

/**
 * The choice of events that are alerts.
 *
 * @param level least severe level of alerts, one of {@link SmOptions.Alerts#LEVELS}
 * @param codes codes of events that are alerts at any level, or, with a leading minus, never
 */
record AlertFilter(String level, Set<String> codes) {
    /** Checks whether an event is an alert. The end of a condition is an alert if the begin of the condition is. */
    boolean includes(Alert alert) {
        return includes(alert.code(), alert.level())
                || (alert.condition().equals("ends") && includesBeginOf(alert.code()));
    }

    private boolean includes(String code, String eventLevel) {
        return !isExcluded(code)
                && (codes.contains(code)
                        || SmOptions.Alerts.LEVELS.indexOf(eventLevel) <= SmOptions.Alerts.LEVELS.indexOf(level));
    }

    private boolean isExcluded(String code) {
        return codes.contains("-" + code);
    }

    private boolean includesBeginOf(String endCode) {
        return !isExcluded(endCode)
                && EventEnds.eventsEndedBy(endCode).stream()
                        .anyMatch(
                                event -> includes(event.code(), event.severity().level()));
    }
}
