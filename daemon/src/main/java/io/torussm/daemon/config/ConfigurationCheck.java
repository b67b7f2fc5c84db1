package io.torussm.daemon.config;

import io.torussm.event.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

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
        SimulatedDevices.of(options.port());
        List<Finding> findings = new ArrayList<>(RoutingFactory.check(options));
        findings.addAll(QosWarnings.of(options.qos(), RoutingFactory.hasOwnSl2Vl(options)));
        findings.addAll(ReloadedFiles.partitions().check(options));
        findings.addAll(ReloadedFiles.qosPolicy().check(options));
        options.replication().key();
        findings.addAll(ReloadedFiles.prefixRoutes().check(options));
        return Stream.concat(
                        options.values().warnings().stream(),
                        findings.stream()
                                .filter(finding -> finding.severity() == Finding.Severity.WARNING)
                                .map(Finding::text))
                .toList();
    }
}
