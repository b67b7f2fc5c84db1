package io.torussm.event;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The subject of a log line: its code, and its device and port or its place. A line without any of these has its whole
 * text as subject. Lines of one subject report the same fact, perhaps with other figures.
 */
public final class LogSubject {
    private static final Pattern COUNT = Pattern.compile("\\b\\d+\\b");
    private static final List<EventField> DEVICES = List.of(EventField.GUID, EventField.LID, EventField.COORDINATES);

    private LogSubject() {}

    /**
     * Returns the subject of an event. Proofs of one engine have one subject if they differ in their counts
     * only, as after each lost cable.
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
     * Returns the subject of a line of the log.
     *
     * @param fields by {@link EventField#key}
     */
    public static String of(String code, Map<String, String> fields, String text) {
        String device = device(fields);
        return code + " " + (device.isEmpty() ? text : device);
    }

    /**
     * Returns the device or place, and the port, that a line of the log names; empty if it names none.
     *
     * @param fields by {@link EventField#key}
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

    /** Checks whether an event names a device or a place. */
    public static boolean isNamed(Finding finding) {
        return finding.values().stream().map(EventField.Value::field).anyMatch(DEVICES::contains);
    }
}
