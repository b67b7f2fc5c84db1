package io.torussm.daemon.journal;

import io.torussm.event.EventEnds;
import io.torussm.event.EventField;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The open conditions: begun by an event, and not yet ended by another one. The catalogue ({@link
 * EventEnds}) lists the event that ends each. Both events are about the same subject if the
 * identifying fields that both have are equal. A condition that is reported again keeps its start time.
 * Confined to one thread, or to the lock of its journal.
 */
public final class Conditions {
    /** Maximum number of conditions. */
    static final int CAPACITY = 1000;

    private static final List<String> SUBJECT = Stream.of(
                    EventField.GUID,
                    EventField.PORT,
                    EventField.FILE,
                    EventField.PEER,
                    EventField.ADDRESS,
                    EventField.DEVICE)
            .map(EventField::key)
            .toList();

    /** Codes of the catalogue about the subnet. Such conditions belong to another SM while that is master. */
    private static final Pattern OF_SUBNET = Pattern.compile("TSM-([4-7]\\d{3}|82\\d{2})");

    private final Map<List<String>, Journal.Entry> present = new LinkedHashMap<>();

    /** Adds an event; returns whether it ended a condition. */
    public boolean add(Journal.Entry event) {
        boolean hasEnded = present.values().removeIf(entry -> isEnd(entry, event));
        if (!EventEnds.endOf(event.code()).isEmpty()) {
            Journal.Entry previous = present.get(key(event));
            if (previous != null || present.size() < CAPACITY) {
                present.put(key(event), previous == null ? event : event.at(previous.time()));
            }
        }
        return hasEnded;
    }

    /** Checks whether an event begins or ends conditions. */
    public static boolean isState(Journal.Entry event) {
        return !EventEnds.endOf(event.code()).isEmpty() || EventEnds.isEnd(event.code());
    }

    /** Checks whether an event ends the condition that another one begins. */
    static boolean isEnd(Journal.Entry entry, Journal.Entry event) {
        return EventEnds.endOf(entry.code()).equals(event.code())
                && SUBJECT.stream().allMatch(field -> {
                    String one = entry.fields().get(field);
                    String other = event.fields().get(field);
                    return one == null || other == null || one.equals(other);
                });
    }

    /** Returns the identity of the condition that an event begins: code and fields of the subject. */
    public static List<String> key(Journal.Entry event) {
        List<String> key = new ArrayList<>(List.of(event.code()));
        for (String field : SUBJECT) {
            key.add(event.fields().getOrDefault(field, ""));
        }
        return key;
    }

    /** Removes all conditions of the subnet. */
    void forgetSubnet() {
        present.values().removeIf(entry -> OF_SUBNET.matcher(entry.code()).matches());
    }

    /** Returns open conditions in the order in which they began. */
    public List<Journal.Entry> present() {
        return List.copyOf(present.values());
    }
}
