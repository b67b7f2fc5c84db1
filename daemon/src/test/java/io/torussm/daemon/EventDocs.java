package io.torussm.daemon;

import io.torussm.event.EventField;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
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

    private static final String FAULTS = " | event | meaning | remedy | cleared by |\n|---|---|---|---|---|\n";

    private EventDocs() {}

    /** Returns a table of events of each level for each first digit of the codes, and the list of fields. */
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
                boolean isInfo = level == Finding.Severity.INFO;
                if (!events.isEmpty()) {
                    page.append("\n| ")
                            .append(level.level())
                            .append(isInfo ? " | event | meaning |\n|---|---|---|\n" : FAULTS);
                    events.forEach(event -> page.append(isInfo ? note(event) : fault(event)));
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

    private static String note(SmEvent event) {
        return row("`" + event.code() + "`", text(event), event.meaning());
    }

    private static String fault(SmEvent event) {
        return row(
                "`" + event.code() + "`",
                text(event),
                event.meaning().replaceFirst(" ?Cleared by TSM-\\d{4}\\.$", ""), // has a column
                event.remedy(),
                event.clearedBy().replace("occurrence", "")); // nothing to clear
    }

    /** Returns the template, and the fields that it does not show; "device" for those of a device. */
    private static String text(SmEvent event) {
        Set<EventField> more = EnumSet.noneOf(EventField.class);
        more.addAll(event.fields());
        more.removeAll(event.textFields());
        Set<EventField> device = EnumSet.copyOf(DEVICE);
        device.removeAll(event.textFields());
        List<String> names = new ArrayList<>();
        if (!device.isEmpty() && more.containsAll(device)) {
            more.removeAll(device);
            names.add("device");
        }
        more.forEach(field -> names.add(field.key()));
        return "`" + event.template() + "`" + (names.isEmpty() ? "" : " + " + String.join(", ", names));
    }

    private static String row(String... cells) {
        return "| " + String.join(" | ", cells) + " |\n";
    }
}
