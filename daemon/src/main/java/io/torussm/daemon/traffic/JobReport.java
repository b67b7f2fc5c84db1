package io.torussm.daemon.traffic;

import java.util.List;
import java.util.Locale;

/**
 * The duration of a job.
 *
 * @param engine name of the engine or of the dump
 * @param job description of the job
 * @param sls choice of SLs by the hosts, in words
 * @param hosts number of hosts of the fabric
 * @param bytes sum of the bytes of all messages
 * @param ns time until the last message arrived, in ns
 * @param left number of messages that never arrived, since packets were lost or deadlocked, or had no path
 * @param hangs deadlocked ports with their dependencies; empty without a deadlock
 */
public record JobReport(
        String engine, String job, String sls, int hosts, long bytes, long ns, long left, List<String> hangs)
        implements TrafficResult {
    public JobReport {
        hangs = List.copyOf(hangs);
    }

    /** Checks whether packets were in a deadlock. */
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
