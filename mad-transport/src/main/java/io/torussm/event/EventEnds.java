package io.torussm.event;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The events that begin conditions, by the code of the event that ends them, and the identity of a condition. */
public final class EventEnds {
    /** The fields that identify a condition, together with the code of the event that begins it. */
    public static final List<EventField> IDENTITY = List.of(
            EventField.GUID,
            EventField.PORT,
            EventField.ATTRIBUTE,
            EventField.FILE,
            EventField.PEER,
            EventField.ADDRESS,
            EventField.DEVICE,
            EventField.REPORTER);

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

    /**
     * Checks whether an event ends the condition that an earlier event began. The identifying fields that both can have
     * must be equal, or absent from both. A field that one of the two events never has does not count: a sweep that
     * succeeds ends the failure of any sweep.
     *
     * @param beginCode code of the event that began the condition
     * @param begin fields of the earlier event, by {@link EventField#key}
     * @param endCode code of the later event
     * @param end fields of the later event
     */
    public static boolean isEndOf(
            String beginCode, Map<String, String> begin, String endCode, Map<String, String> end) {
        SmEvent beginning = SmEvent.ofCode(beginCode);
        SmEvent ending = SmEvent.ofCode(endCode);
        return beginning != null
                && ending != null
                && beginning.endCode().equals(endCode)
                && IDENTITY.stream()
                        .filter(field -> beginning.fields().contains(field)
                                && ending.fields().contains(field))
                        .map(EventField::key)
                        .allMatch(key -> Objects.equals(begin.get(key), end.get(key)));
    }

    /** Returns the code of the event that ends the condition that an event begins; empty if the event begins none. */
    public static String endCodeOf(String code) {
        SmEvent event = SmEvent.ofCode(code);
        return event == null ? "" : event.endCode();
    }
}
