package io.torussm.event;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * An event with its values: a fact that an engine, a parser or a stage reports to the operator. The SM logs it; an
 * engine does not.
 *
 * @param event event of the catalogue
 * @param values values of all fields that the text of the event names, and possibly of others; fields of devices among
 *     the values are added
 */
public record Finding(SmEvent event, List<EventField.Value> values) {
    /** The level of an event (docs/developer/adr/0025-levels-of-events.md). */
    public enum Severity {
        ERROR("error"),
        WARNING("warn"),
        INFO("info");

        private final String level;

        Severity(String level) {
            this.level = level;
        }

        /** Returns the level of the log in lower case, as in JSON and metrics. */
        public String level() {
            return level;
        }
    }

    public Finding {
        values = withDevices(values);
        assert values.stream()
                        .map(EventField.Value::field)
                        .collect(Collectors.toSet())
                        .containsAll(event.textFields())
                : event + " lacks fields: " + values;
        assert values.stream().map(EventField.Value::field).allMatch(event.fields()::contains)
                : event + " does not declare all fields: " + values;
    }

    /** Returns the values, followed by fields of the devices that they name, unless the values contain these fields. */
    private static List<EventField.Value> withDevices(List<EventField.Value> values) {
        List<EventField.Value> all = List.copyOf(values);
        for (EventField.Value value : values) {
            if (value.value() instanceof DeviceText device) {
                all = complete(all, device.fields());
            }
        }
        return all;
    }

    /** Returns the values, followed by the additional values of fields without a value. */
    static List<EventField.Value> complete(List<EventField.Value> values, List<EventField.Value> more) {
        return Stream.concat(values.stream(), more.stream().filter(value -> values.stream()
                        .noneMatch(other -> other.field() == value.field())))
                .toList();
    }

    /** Returns an event with values of its fields. */
    public static Finding of(SmEvent event, EventField.Value... values) {
        return new Finding(event, List.of(values));
    }

    /** Returns an error of an engine that has no code of its own. */
    public static Finding error(Object... parts) {
        return SmEvent.ROUTING_ERROR.finding(parts);
    }

    /** Returns a warning of an engine that has no code of its own. */
    public static Finding warning(Object... parts) {
        return SmEvent.ROUTING_WARNING.finding(parts);
    }

    /** Returns an explanation of an engine that has no code of its own. */
    public static Finding info(Object... parts) {
        return SmEvent.ROUTING_NOTE.finding(parts);
    }

    /** Returns the severity of the event. */
    public Severity severity() {
        return event.severity();
    }

    /** Returns the text of the event with its values, one line without the code. */
    public String text() {
        return event.text(values);
    }

    /** Returns code and text, as in the log. */
    public String line() {
        return event.code() + " " + text();
    }
}
