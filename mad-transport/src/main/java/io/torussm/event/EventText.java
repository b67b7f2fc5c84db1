package io.torussm.event;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The parts of an entry of the catalogue. An entry is parsed at its first use, because a start needs few of hundreds.
 *
 * @param template text with fields in braces
 * @param meaning explanation of the event
 * @param remedy action of the operator; empty if none is needed
 * @param endCode code of the event that ends the condition; empty if this event begins none
 * @param fields all possible fields
 */
record EventText(Template template, String meaning, String remedy, String endCode, Set<EventField> fields) {
    private static final Map<SmEvent, EventText> PARSED_ENTRIES = new ConcurrentHashMap<>();
    private static final String REMEDY = " Remedy: ";
    private static final String CLEARED = "Cleared by " + SmEvent.CODE;
    private static final String END = "Ends " + SmEvent.CODE;
    private static final int DIGITS = 4;

    /** The events by code, in a class of its own, so that they are collected at the first search only. */
    private static final class ByCode {
        static final Map<String, SmEvent> ALL = new HashMap<>();

        static {
            for (SmEvent event : SmEvent.values()) {
                ALL.put(event.code(), event);
            }
        }
    }

    /** Returns the event with a code; null if the catalogue has no such code. */
    static @Nullable SmEvent event(String code) {
        return ByCode.ALL.get(code);
    }

    /**
     * Returns the parts of an entry.
     *
     * @param lines template, line break, meaning and remedy
     * @param more fields that the template does not name
     */
    static EventText of(SmEvent event, String lines, Set<EventField> more) {
        return PARSED_ENTRIES.computeIfAbsent(event, any -> read(lines, more));
    }

    private static EventText read(String lines, Set<EventField> more) {
        int line = lines.indexOf('\n');
        Template template = Template.of(lines.substring(0, line));
        String explained = lines.substring(line + 1);
        int remedy = explained.indexOf(REMEDY);
        String meaning = remedy < 0 ? explained : explained.substring(0, remedy);
        int code = meaning.indexOf(CLEARED) + CLEARED.length();
        return new EventText(
                template,
                meaning,
                remedy < 0 ? "" : explained.substring(remedy + REMEDY.length()),
                meaning.contains(CLEARED) ? SmEvent.CODE + meaning.substring(code, code + DIGITS) : "",
                Collections.unmodifiableSet(template.fieldsAnd(more)));
    }

    /** Checks whether the event is only reported at the end of a condition. */
    boolean isEndOnly() {
        return meaning.startsWith(END);
    }
}
