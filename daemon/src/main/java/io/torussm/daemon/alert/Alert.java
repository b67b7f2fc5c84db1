package io.torussm.daemon.alert;

import io.torussm.daemon.journal.Journal;
import io.torussm.event.EventEnds;
import io.torussm.event.SmEvent;
import java.time.Instant;
import java.util.Map;

/**
 * A message to a receiver of alerts.
 *
 * @param host name of the SM's host
 * @param number number of the event since the process began, from 1
 * @param time time of the event
 * @param level {@code error}, {@code warn} or {@code info}
 * @param code code such as {@code TSM-5001}; empty for a line without a code
 * @param condition {@code begins} or {@code ends} if the event begins or ends a condition; else empty
 * @param text text for people, on one line
 * @param fields fields of the event, by name
 * @param forgotten number of events of all levels that were dropped since the last alert
 */
record Alert(
        String host,
        long number,
        Instant time,
        String level,
        String code,
        String condition,
        String text,
        Map<String, String> fields,
        long forgotten) {
    /**
     * Returns the alert of an event.
     *
     * @param hasEnded true if the event ended an existing condition; events such as {@code SUBNET UP} also
     *     occur without one
     */
    static Alert of(String host, Journal.Entry event, boolean hasEnded, long forgotten) {
        String code = event.code();
        SmEvent smEvent = SmEvent.ofCode(code);
        // The condition may have begun before the start of this process.
        boolean isOnlyAnEnd = smEvent != null && smEvent.isEndOnly();
        String condition = !EventEnds.endCodeOf(code).isEmpty() ? "begins" : hasEnded || isOnlyAnEnd ? "ends" : "";
        return new Alert(
                host,
                event.number(),
                event.time(),
                event.level(),
                code,
                condition,
                event.text(),
                event.fields(),
                forgotten);
    }
}
