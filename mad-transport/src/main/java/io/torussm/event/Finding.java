package io.torussm.event;

import java.util.List;
import java.util.stream.Collectors;

/**
 * An event with its values: something that an engine, a parser or a stage wants the operator to know. The SM logs it; an
 * engine does not.
 *
 * @param event what it is
 * @param values at least those that the event's text names
 */
public record Finding(SmEvent event, List<EventField.Value> values) {
    /** How much it matters: ERROR causes a refusal, WARNING should be looked at, INFO explains. */
    public enum Severity {
        ERROR("error"),
        WARNING("warn"),
        INFO("info");

        private final String level;

        Severity(String level) {
            this.level = level;
        }

        /** The level of the log, as JSON and metrics name it. */
        public String level() {
            return level;
        }
    }

    public Finding {
        values = List.copyOf(values);
        assert values.stream()
                        .map(EventField.Value::field)
                        .collect(Collectors.toSet())
                        .containsAll(event.shown())
                : event + " lacks fields: " + values;
    }

    /** An event with values. */
    public static Finding of(SmEvent event, EventField.Value... values) {
        return new Finding(event, List.of(values));
    }

    /** An error of an engine that has no code of its own. */
    public static Finding error(String text) {
        return SmEvent.ROUTING_ERROR.says(text);
    }

    /** A warning of an engine that has no code of its own. */
    public static Finding warning(String text) {
        return SmEvent.ROUTING_WARNING.says(text);
    }

    /** An explanation of an engine that has no code of its own. */
    public static Finding info(String text) {
        return SmEvent.ROUTING_NOTE.says(text);
    }

    /** That of the event. */
    public Severity severity() {
        return event.severity();
    }

    /** One line with GUIDs, names and coordinates, and the remedy where there is one; without the code. */
    public String text() {
        return event.text(values);
    }

    /** Code and text, as the log shows them. */
    public String line() {
        return event.code() + " " + text();
    }
}
