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
 * @param partialPlan the routable part, which a last resort completes; null if the engine has no safe part. Its
 *     forwarding tables lack entries. It has SL2VL rows for all ports and an SL for every pair of end ports that
 *     may be connected
 */
public record Refusal(
        String engine, List<Finding> findings, @Nullable Plan partialPlan) implements RoutingResult {
    public Refusal {
        findings = List.copyOf(findings);
    }

    /** Creates a refusal without a routable part. */
    public Refusal(String engine, List<Finding> findings) {
        this(engine, findings, null);
    }

    /** Returns the errors in one line. The description of a credit loop is omitted if other errors explain it. */
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
