package io.torussm.daemon.config.files;

import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.qos.QosOptions;
import java.util.ArrayList;
import java.util.List;

/**
 * The warnings of QoS settings that do not suit the routing engine. All warnings are one event, which is repeated only
 * if they change. Owner thread: the loop.
 */
public final class QosWarnings {
    private static final EventLog EVENTS = EventLog.of(QosWarnings.class);
    private List<Finding> logged = List.of();

    /**
     * Returns all warnings.
     *
     * @param engineSetsSl2Vl whether the engine computes SL2VL tables; without such an engine there are no warnings
     */
    static List<Finding> of(QosOptions options, boolean engineSetsSl2Vl) {
        if (!engineSetsSl2Vl) {
            return List.of();
        }
        List<Finding> findings = new ArrayList<>(options.unsuitableWarnings());
        findings.addAll(options.ignoredWarnings());
        return findings;
    }

    /** Reports one event for all warnings, unless they are those of the last call. */
    public void report(QosOptions options, boolean engineSetsSl2Vl) {
        List<Finding> findings = of(options, engineSetsSl2Vl);
        if (!findings.isEmpty() && !findings.equals(logged)) {
            String first = findings.get(0).text();
            String all = findings.size() + " faults of qos_ settings (--check-config lists them), the first: " + first;
            EVENTS.report(SmEvent.QOS_WARNING.finding(findings.size() == 1 ? first : all));
        }
        logged = findings;
    }
}
