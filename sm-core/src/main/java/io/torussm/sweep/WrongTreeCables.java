package io.torussm.sweep;

import io.torussm.event.DeviceText;
import io.torussm.event.Finding;
import io.torussm.event.LogSubject;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.tree.FabricTree;
import io.torussm.tree.TreeReport;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The cables of a tree that join the wrong ports. The begin and end of each is reported. Owner thread: the
 * loop.
 */
final class WrongTreeCables {
    private static final EventLog EVENTS = EventLog.of(WrongTreeCables.class);

    /** The reported findings, by the port that they name. */
    private Map<String, Finding> present = Map.of();

    /** Reports the changes since the last call. */
    void update(FabricTree tree) {
        Map<String, Finding> current = new LinkedHashMap<>();
        new TreeReport(tree).findings().forEach(finding -> current.put(LogSubject.of(finding), finding));
        present.forEach((subject, finding) -> {
            if (!current.containsKey(subject)) {
                EVENTS.report(ended(finding));
            }
        });
        current.forEach((subject, finding) -> {
            Finding previous = present.get(subject);
            if (previous == null || !previous.text().equals(finding.text())) {
                EVENTS.report(finding);
            }
        });
        present = current;
    }

    private static Finding ended(Finding finding) {
        return SmEvent.TREE_CABLED.finding(new DeviceText(
                finding.text(),
                finding.values().stream()
                        .filter(value -> DeviceText.FIELDS.contains(value.field()))
                        .toList()));
    }

    /** Forgets the state, because another SM is master. */
    void forget() {
        present = Map.of();
    }
}
