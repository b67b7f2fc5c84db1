package io.torussm.daemon;

import io.torussm.event.EventField;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** What the docs say of events, made from the catalogue. */
final class EventDocs {
    /** Where the docs of operators are. */
    static final String DIR = "../docs/operator/";

    /** By the first digit of the code, from 1. */
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

    /** Every event with all there is to know of it. */
    static String reference() {
        StringBuilder page = new StringBuilder();
        for (int room = 1; room <= ROOMS.size(); room++) {
            page.append("\n## ").append(room).append("000: ").append(ROOMS.get(room - 1));
            page.append("\n\n| code | level | text | meaning | remedy | fields |\n|---|---|---|---|---|---|\n");
            for (SmEvent event : of(room)) {
                page.append(row(
                        "`" + event.code() + "`",
                        event.severity().level(),
                        "`" + event.template() + "`",
                        event.meaning(),
                        event.remedy(),
                        event.fields().stream().map(EventField::key).collect(Collectors.joining(", "))));
            }
        }
        return page.append("\n## Fields\n\n")
                .append(Arrays.stream(EventField.values())
                        .map(field -> "`" + field.key() + "`")
                        .collect(Collectors.joining(", ")))
                .append(".\n")
                .toString();
    }

    /** Events that somebody should look at, with what to do. */
    static String troubles() {
        StringBuilder page = new StringBuilder();
        for (int room = 1; room <= ROOMS.size(); room++) {
            page.append("\n### ")
                    .append(ROOMS.get(room - 1))
                    .append("\n\n| code | message | cause | remedy |\n|---|---|---|---|\n");
            for (SmEvent event : of(room)) {
                if (event.severity() != Finding.Severity.INFO) {
                    page.append(row(
                            "`" + event.code() + "`", "`" + event.template() + "`", event.meaning(), event.remedy()));
                }
            }
        }
        return page.append('\n').toString();
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
