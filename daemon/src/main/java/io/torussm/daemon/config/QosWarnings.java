package io.torussm.daemon.config;

import io.torussm.event.Finding;
import io.torussm.event.log.EventLog;
import io.torussm.qos.QosOptions;
import java.util.ArrayList;
import java.util.List;

/**
 * Warnings of QoS options that do not suit the active engine, logged once, and again after a change. Owner thread: sm.
 */
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

    /** Logs all warnings, unless they are the same as last time. */
    public void report(QosOptions options, boolean hasOwnSl2Vl) {
        List<Finding> findings = of(options, hasOwnSl2Vl);
        if (!findings.equals(logged)) {
            findings.forEach(EVENTS::report);
            logged = findings;
        }
    }
}
