package io.torussm.daemon;

import io.torussm.event.EventField;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The generated part of the reference of events. */
final class EventDocs {
    /** The directory of the pages for operators. */
    static final String DIR = "../docs/operator/";

    /** Headings by the first digit of the code, from 1. */
    private static final List<String> HEADINGS = List.of(
            "The process, its configuration and its interfaces",
            "The local port and the transport of MADs",
            "Mastership",
            "Devices, links and traps",
            "Routing",
            "Sweeps and programming",
            "Partitions, QoS and multicast",
            "The subnet administrator, its subscribers, and performance counters",
            "State files and replication");

    /** The fields of an event about a device, unless its text shows them. */
    private static final Set<EventField> DEVICE = EnumSet.of(
            EventField.GUID,
            EventField.LID,
            EventField.PORT,
            EventField.NAME,
            EventField.COORDINATES,
            EventField.SITE,
            EventField.CABLE);

    private static final Map<Finding.Severity, String> LEVELS = Map.of(
            Finding.Severity.ERROR,
            "Errors",
            Finding.Severity.WARNING,
            "Warnings",
            Finding.Severity.INFO,
            "Information");

    private static final Pattern WORD = Pattern.compile("\\S+");

    private EventDocs() {}

    /** Returns a list of events of each level for each first digit of the codes, and the list of fields. */
    static String reference() {
        StringBuilder page = new StringBuilder();
        for (int room = 1; room <= HEADINGS.size(); room++) {
            page.append("\n## ")
                    .append(room)
                    .append("000: ")
                    .append(HEADINGS.get(room - 1))
                    .append('\n');
            for (Finding.Severity level : Finding.Severity.values()) {
                List<SmEvent> events = of(room, level);
                if (!events.isEmpty()) {
                    page.append("\n").append(LEVELS.get(level)).append(":\n\n");
                    events.forEach(event -> page.append(item(event)));
                }
            }
        }
        String fields = Arrays.stream(EventField.values())
                .map(field -> "`" + field.key() + "`")
                .collect(Collectors.joining(", "));
        return page.append("\n## Fields\n\n")
                .append(Reference.wrapped(fields + ".", ""))
                .toString();
    }

    private static List<SmEvent> of(int room, Finding.Severity level) {
        return Arrays.stream(SmEvent.values())
                .filter(event -> event.code().startsWith("TSM-" + room) && event.severity() == level)
                .toList();
    }

    /** Returns the event, its meaning, its remedy and the end of its state; spans of code may be broken. */
    private static String item(SmEvent event) {
        Set<EventField> more = EnumSet.noneOf(EventField.class); // the fields that the template does not show
        more.addAll(event.fields());
        more.removeAll(event.textFields());
        Set<EventField> device = EnumSet.copyOf(DEVICE);
        device.removeAll(event.textFields());
        boolean isDevice = !device.isEmpty() && more.containsAll(device);
        if (isDevice) {
            more.removeAll(device);
        }
        StringBuilder item =
                new StringBuilder("- `" + event.code() + (isDevice ? "`+ `" : "` `") + event.template() + "`");
        if (!more.isEmpty()) {
            item.append(" + ").append(more.stream().map(EventField::key).collect(Collectors.joining(", ")));
        }
        // the end of the item has the end of the state
        item.append(": ").append(event.meaning().replaceFirst(" ?Cleared by TSM-\\d{4}\\.$", ""));
        if (event.severity() != Finding.Severity.INFO) {
            item.append(" *").append(event.remedy().replace("*", "\\*")).append("*");
        }
        String end = event.clearedBy().replace("occurrence", ""); // nothing to clear
        if (!end.isEmpty()) {
            item.append(" (").append(end).append(")");
        }
        return Reference.wrapped(item.toString(), "  ", WORD);
    }
}
