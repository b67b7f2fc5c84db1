package io.torussm.daemon.config;

import io.torussm.event.Finding;
import java.util.ArrayList;
import java.util.List;

/** What can be said of a configuration without a fabric: {@code --check-config}. */
public final class ConfigurationCheck {
    private ConfigurationCheck() {}

    /**
     * Reads the files that the options name and judges them together.
     *
     * @return warnings, a line each
     * @throws ConfigurationException with all that would keep the SM from routing, each with file, line and remedy
     */
    public static List<String> warnings(SmOptions options) throws ConfigurationException {
        List<Finding> findings = new ArrayList<>(RoutingFactory.check(options));
        findings.addAll(QosWarnings.of(options.qos(), RoutingFactory.hasOwnSl2Vl(options)));
        findings.addAll(PartitionFile.check(options, PartitionFile.DEFAULT_FILE));
        findings.addAll(QosPolicyFile.check(options, QosPolicyFile.DEFAULT_FILE));
        options.replication().key();
        PrefixRoutesFile.check(options, PrefixRoutesFile.DEFAULT_FILE);
        return findings.stream()
                .filter(finding -> finding.severity() == Finding.Severity.WARNING)
                .map(Finding::text)
                .toList();
    }
}
