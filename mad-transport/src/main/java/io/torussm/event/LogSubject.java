package io.torussm.event;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The subject of a log line: its code, with its device and port or its coordinates. A line without these has its whole
 * text as subject. Lines of one subject report the same fact, possibly with other numbers.
 */
public final class LogSubject {
    private static final Pattern COUNT = Pattern.compile("\\b\\d+\\b");

    /** The fields that identify a device, the most precise first. */
    private static final List<EventField> DEVICES = List.of(EventField.GUID, EventField.LID, EventField.COORDINATES);

    private LogSubject() {}

    /**
     * Returns the subject of an event. Proofs of one engine that differ only in their counts have one subject, since
     * each lost cable leads to a proof.
     */
    public static String of(Finding finding) {
        if (finding.event() == SmEvent.PROOF_DONE) {
            return COUNT.matcher(finding.text()).replaceAll("");
        }
        return of(
                finding.event().code(),
                finding.values().stream()
                        .collect(Collectors.toMap(value -> value.field().key(), EventField.Value::text)),
                finding.text());
    }

    /**
     * Returns the subject of a log line.
     *
     * @param code code of the event
     * @param fields values by {@link EventField#key}
     * @param text text of the line
     */
    public static String of(String code, Map<String, String> fields, String text) {
        String device = device(fields);
        return code + " " + (device.isEmpty() ? text : device);
    }

    /**
     * Returns the device or coordinates, and the port, that a log line names; empty if it names none.
     *
     * @param fields values by {@link EventField#key}
     */
    public static String device(Map<String, String> fields) {
        String port = fields.getOrDefault(EventField.PORT.key(), "");
        return DEVICES.stream()
                .map(EventField::key)
                .filter(fields::containsKey)
                .findFirst()
                .map(device -> device + " " + fields.get(device) + " " + port)
                .orElse("");
    }

    /** Checks whether an event names a device or coordinates. */
    public static boolean hasDevice(Finding finding) {
        return finding.values().stream().map(EventField.Value::field).anyMatch(DEVICES::contains);
    }
}
