package io.torussm.daemon.traffic;

import java.util.List;
import java.util.Locale;

/**
 * How long a job took.
 *
 * @param job what was sent
 * @param sls how hosts chose SLs
 * @param hosts of the fabric
 * @param bytes of all messages
 * @param ns until the last one arrived
 * @param left messages that never did, since packets were lost, no path was given, or nothing moves any more
 * @param hangs what waits for what, for ever; empty if nothing does
 */
public record JobReport(
        String engine, String job, String sls, int hosts, long bytes, long ns, long left, List<String> hangs)
        implements TrafficResult {
    public JobReport {
        hangs = List.copyOf(hangs);
    }

    /** Whether packets stood still for ever. */
    public boolean isHung() {
        return !hangs.isEmpty();
    }

    @Override
    public boolean isFailed() {
        return isHung() || left > 0;
    }

    @Override
    public List<String> lines() {
        String head = hosts + " hosts, " + job + ", " + sls + ", routed by " + engine;
        if (isHung()) {
            return List.of(head, "deadlock: these wait for each other for ever", "  " + String.join("\n  ", hangs));
        }
        return List.of(
                head,
                String.format(
                        Locale.ROOT,
                        "done after %.1f us: %d bytes, %.3f GB/s for each host%s",
                        ns / 1_000.0,
                        bytes,
                        ns == 0 || hosts == 0 ? 0 : bytes / (double) ns / hosts,
                        left == 0 ? "" : "; " + left + " messages did not arrive"));
    }
}
