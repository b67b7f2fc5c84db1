package io.torussm.daemon;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** The generated part of the reference of events. */
final class EventDocs {
    /** The directory of the pages for operators. */
    static final String DIR = "../docs/operator/";

    /** Headings by the first digit of the code, from 1. */
    private static final List<String> ROOMS = List.of(
            "The process, its configuration and its interfaces",
            "The local port and the transport of MADs",
            "Mastership",
            "Devices, links and traps",
            "Routing",
            "Sweeps and programming",
            "Partitions, QoS and multicast",
            "The subnet administrator, its subscribers, and performance counters",
            "State files and replication");

    private EventDocs() {}

    /** Returns a table of events for each first digit of the codes, and the list of fields. */
    static String reference() {
        StringBuilder page = new StringBuilder();
        for (int room = 1; room <= ROOMS.size(); room++) {
            page.append("\n## ").append(room).append("000: ").append(ROOMS.get(room - 1));
            page.append(
                    "\n\n| code | level | event | meaning | remedy | cleared by | fields |\n|---|---|---|---|---|---|---|\n");
            for (SmEvent event : of(room)) {
                page.append(row(
                        "`" + event.code() + "`",
                        event.severity().level(),
                        "`" + event.template() + "`",
                        event.meaning().replaceFirst(" ?Cleared by TSM-\\d{4}\\.$", ""), // has a column
                        event.remedy(),
                        event.clearedBy(),
                        event.fields().stream().map(EventField::key).collect(Collectors.joining(", "))));
            }
        }
        String fields = Arrays.stream(EventField.values())
                .map(field -> "`" + field.key() + "`")
                .collect(Collectors.joining(", "));
        return page.append("\n## Fields\n\n")
                .append(Reference.wrapped(fields + ".", ""))
                .toString();
    }

    private static List<SmEvent> of(int room) {
        return Arrays.stream(SmEvent.values())
                .filter(event -> event.code().startsWith("TSM-" + room))
                .toList();
    }

    private static String row(String... cells) {
        return "| " + String.join(" | ", cells) + " |\n";
    }
}
