package io.torussm.routing;

import io.torussm.event.Finding;
import java.util.List;
import java.util.stream.Collectors;

/**
 * An engine will not route this subnet.
 *
 * @param engine its name
 * @param findings at least one of severity ERROR: which switch, cable or line of a file, and what to do about it
 */
public record Refusal(String engine, List<Finding> findings) implements RoutingResult {
    public Refusal {
        findings = List.copyOf(findings);
    }

    /** The errors, in one line. */
    public String reason() {
        return findings.stream()
                .filter(finding -> finding.severity() == Finding.Severity.ERROR)
                .map(Finding::text)
                .collect(Collectors.joining("; "));
    }
}
