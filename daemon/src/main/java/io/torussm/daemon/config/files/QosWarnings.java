package io.torussm.daemon.config.files;

import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.qos.QosOptions;
import java.util.ArrayList;
import java.util.List;

/** Warnings of QoS options that do not suit the engine: one event, and again after a change. Owner thread: sm. */
public final class QosWarnings {
    private static final EventLog EVENTS = EventLog.of(QosWarnings.class);
    private List<Finding> logged = List.of();

    /** Returns all warnings; none under engines that leave VLs to the operator. */
    static List<Finding> of(QosOptions options, boolean hasOwnSl2Vl) {
        if (!hasOwnSl2Vl) {
            return List.of();
        }
        List<Finding> findings = new ArrayList<>(options.unsuitable());
        findings.addAll(options.ignored());
        return findings;
    }

    /** Logs one event for all warnings, unless they are the same as last time. */
    public void report(QosOptions options, boolean hasOwnSl2Vl) {
        List<Finding> findings = of(options, hasOwnSl2Vl);
        if (!findings.isEmpty() && !findings.equals(logged)) {
            String first = findings.get(0).text();
            String all = findings.size() + " faults of qos_ settings (--check-config lists them), the first: " + first;
            EVENTS.report(SmEvent.QOS_WARNING.says(findings.size() == 1 ? first : all));
        }
        logged = findings;
    }
}
