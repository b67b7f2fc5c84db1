package io.torussm.daemon.config;

import io.torussm.event.Finding;
import io.torussm.event.log.EventLog;
import io.torussm.qos.QosOptions;
import java.util.ArrayList;
import java.util.List;

/** Tells what is wrong with QoS options when the subnet is up: once, and again when it changes. Owner thread: sm. */
public final class QosWarnings {
    private static final EventLog EVENTS = EventLog.of(QosWarnings.class);

    private List<Finding> told = List.of();

    /** All there is to say of options: under engines that leave VLs to the operator, nothing. */
    static List<Finding> of(QosOptions options, boolean isTorus) {
        if (!isTorus) {
            return List.of();
        }
        List<Finding> findings = new ArrayList<>(options.unsuitable());
        findings.addAll(options.ignored());
        return findings;
    }

    /** Logs all of it, unless it is what was logged the last time. */
    public void report(QosOptions options, boolean isTorus) {
        List<Finding> findings = of(options, isTorus);
        if (!findings.equals(told)) {
            findings.forEach(EVENTS::report);
            told = findings;
        }
    }
}
