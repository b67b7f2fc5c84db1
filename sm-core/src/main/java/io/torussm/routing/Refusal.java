package io.torussm.routing;

import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The refusal of an engine to route a subnet.
 *
 * @param engine name of the engine
 * @param findings findings, at least one of severity ERROR: the switch, cable or line of a file, and the remedy
 * @param partial the routable part, for a last resort to complete; null if the engine cannot vouch for it.
 *     Its forwarding tables have holes. It has SL2VL rows for all ports and an SL for every pair of end ports
 *     that may be connected
 */
public record Refusal(
        String engine, List<Finding> findings, @Nullable Plan partial) implements RoutingResult {
    public Refusal {
        findings = List.copyOf(findings);
    }

    /** Makes a refusal without a routable part. */
    public Refusal(String engine, List<Finding> findings) {
        this(engine, findings, null);
    }

    /** Returns the errors in one line. A credit loop that only shows why is left out. */
    public String reason() {
        List<Finding> errors = findings.stream()
                .filter(finding -> finding.severity() == Finding.Severity.ERROR)
                .toList();
        boolean isExplained = errors.stream().anyMatch(error -> error.event() != SmEvent.TABLES_UNSOUND);
        return errors.stream()
                .filter(error -> !isExplained || error.event() != SmEvent.TABLES_UNSOUND)
                .map(Finding::text)
                .collect(Collectors.joining("; "));
    }
}
