package io.torussm.daemon.journal;

import io.torussm.event.EventEnds;
import io.torussm.event.EventField;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The open conditions. An event begins a condition, and another event about the same subject ends it. The catalogue
 * ({@link EventEnds}) names the ending event. Two events are about the same subject if the identifying fields that both
 * can have are equal. A condition that is reported again keeps its start time.
 * Confined to one thread, or to the lock of its journal.
 */
public final class Conditions {
    /** Maximum number of conditions. */
    static final int CAPACITY = 1000;

    private static final List<String> SUBJECT_FIELDS =
            EventEnds.IDENTITY.stream().map(EventField::key).toList();

    /** Codes of events about the subnet. Such conditions are dropped when another SM becomes master. */
    private static final Pattern SUBNET_CODES = Pattern.compile("TSM-([4-7]\\d{3}|82\\d{2})");

    private final Map<List<String>, Journal.Entry> open = new LinkedHashMap<>();

    /**
     * Adds an event, which may begin and end conditions.
     *
     * @return true if the event ended a condition
     */
    public boolean add(Journal.Entry event) {
        boolean hasEnded = open.values().removeIf(entry -> isEnd(entry, event));
        if (!EventEnds.endCodeOf(event.code()).isEmpty()) {
            Journal.Entry previous = open.get(key(event));
            if (previous != null || open.size() < CAPACITY) {
                open.put(key(event), previous == null ? event : event.withTime(previous.time()));
            }
        }
        return hasEnded;
    }

    /** Checks whether an event begins or ends conditions. */
    public static boolean isConditionEvent(Journal.Entry event) {
        return !EventEnds.endCodeOf(event.code()).isEmpty() || EventEnds.isEnd(event.code());
    }

    /**
     * Checks whether an event ends a condition.
     *
     * @param entry event that began the condition
     * @param event event that may end it
     */
    static boolean isEnd(Journal.Entry entry, Journal.Entry event) {
        return EventEnds.isEndOf(entry.code(), entry.fields(), event.code(), event.fields());
    }

    /**
     * Returns the identity of the condition that an event begins: its code, then its values of the identifying fields.
     */
    public static List<String> key(Journal.Entry event) {
        List<String> key = new ArrayList<>(List.of(event.code()));
        for (String field : SUBJECT_FIELDS) {
            key.add(event.fields().getOrDefault(field, ""));
        }
        return key;
    }

    /** Removes all conditions of the subnet. */
    void removeSubnetConditions() {
        open.values().removeIf(entry -> SUBNET_CODES.matcher(entry.code()).matches());
    }

    /** Returns the events that began the open conditions, in the order of their begin. */
    public List<Journal.Entry> openEvents() {
        return List.copyOf(open.values());
    }
}
