package io.torussm.daemon.config;

import io.torussm.event.EventField;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.qos.policy.QosPolicy;
import io.torussm.view.PublishedView;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * qos-policy.conf, read again whenever a subnet is up, if QoS is on. A file with an error, or one that does not suit the
 * subnet, is not used: the policy that was in force stays, and that is said when it happens and whenever the errors change.
 * Owner thread: sm.
 */
public final class QosPolicyFile {
    /** Read if it is there and no other file is named. */
    public static final Path DEFAULT_FILE = Path.of("/etc/torus-sm/qos-policy.conf");

    private static final EventLog EVENTS = EventLog.of(QosPolicyFile.class);
    private static final long MAX_BYTES = 4L << 20;

    private final Path usual;
    private volatile QosPolicy inForce = QosPolicy.NONE;
    private List<Finding> told = List.of();

    /**
     * A reader.
     *
     * @param usual the file that is read if it is there and no other is named
     */
    public QosPolicyFile(Path usual) {
        this.usual = usual;
    }

    /**
     * Reads the file without using it.
     *
     * @return what can be used, but not as the operator may think
     * @throws ConfigurationException with file, line and remedy of each error
     */
    static List<Finding> check(SmOptions options, Path usual) throws ConfigurationException {
        QosPolicy.Parsed parsed = parse(options, usual);
        if (parsed.policy() == null) {
            throw new ConfigurationException(parsed.findings().stream()
                    .filter(finding -> finding.severity() == Finding.Severity.ERROR)
                    .map(Finding::text)
                    .toList());
        }
        return parsed.findings();
    }

    /** What to answer by while no subnet is known that the file could be judged by. */
    public QosPolicy unjudged(SmOptions options) {
        QosPolicy policy = parse(options, usual).policy();
        return policy == null ? QosPolicy.NONE : policy;
    }

    /** The policy that is to be in force on a subnet. */
    public QosPolicy policy(SmOptions options, PublishedView view) {
        QosPolicy.Parsed parsed = parse(options, usual);
        QosPolicy policy = parsed.policy();
        List<Finding> findings = new ArrayList<>(parsed.findings());
        if (policy != null) {
            findings.addAll(policy.judge(view));
        }
        boolean isUsable =
                policy != null && findings.stream().noneMatch(finding -> finding.severity() == Finding.Severity.ERROR);
        report(findings, isUsable);
        if (policy != null && isUsable && !policy.equals(inForce)) {
            EVENTS.report(SmEvent.QOS_POLICY_IN_FORCE, EventField.FILE.of(policy.file()));
            inForce = policy;
        }
        return inForce;
    }

    /** The policy that is in force; may be called from any thread. */
    public QosPolicy inForce() {
        return inForce;
    }

    private void report(List<Finding> findings, boolean isUsable) {
        if (findings.equals(told)) {
            return;
        }
        told = List.copyOf(findings);
        findings.forEach(EVENTS::report);
        if (!isUsable) {
            EVENTS.report(SmEvent.QOS_POLICY_KEPT.says(
                    inForce.equals(QosPolicy.NONE)
                            ? "there is none, and paths have the SLs of their partitions"
                            : "that of " + inForce.file() + " as it was before"));
        }
    }

    private static QosPolicy.Parsed parse(SmOptions options, Path usual) {
        ConfFile file = options.routing().qos()
                ? ConfFile.read(options.sa().qosPolicy(), usual, MAX_BYTES, Setting.QOS_POLICY_FILE)
                : null;
        if (file == null) {
            return new QosPolicy.Parsed(QosPolicy.NONE, List.of());
        }
        return file.text() == null
                ? new QosPolicy.Parsed(null, file.trouble())
                : QosPolicy.parse(file.name(), file.text());
    }
}
