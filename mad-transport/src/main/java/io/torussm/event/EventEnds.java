package io.torussm.event;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The events that begin conditions, by the code of the event that ends them. */
public final class EventEnds {
    /** Events that begin a condition, by the code of its end. */
    private static final Map<String, List<SmEvent>> EVENTS_BY_END_CODE = new HashMap<>();

    static {
        for (SmEvent event : SmEvent.values()) {
            if (!event.endCode().isEmpty()) {
                EVENTS_BY_END_CODE
                        .computeIfAbsent(event.endCode(), end -> new ArrayList<>(1))
                        .add(event);
            }
        }
    }

    private EventEnds() {}

    /** Returns the events whose conditions end with a code, in the order of the catalogue; usually empty. */
    public static List<SmEvent> eventsEndedBy(String endCode) {
        return Collections.unmodifiableList(EVENTS_BY_END_CODE.getOrDefault(endCode, List.of()));
    }

    /** Checks whether an event with a code ends conditions. */
    public static boolean isEnd(String code) {
        return EVENTS_BY_END_CODE.containsKey(code);
    }

    /** Returns the code of the event that ends the condition that an event begins; empty if the event begins none. */
    public static String endCodeOf(String code) {
        SmEvent event = SmEvent.ofCode(code);
        return event == null ? "" : event.endCode();
    }
}
