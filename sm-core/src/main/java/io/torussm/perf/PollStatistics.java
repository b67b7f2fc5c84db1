package io.torussm.perf;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How the reading of counters goes.
 *
 * @param turns in which all ports were read, or tried
 * @param late turns that did not end in the interval
 * @param mads requests
 * @param unanswered requests without an answer
 * @param clearings readings that show that somebody else cleared counters
 * @param lastNs how long the last turn took
 * @param lastAt when it ended; null before the first
 * @param agents that are asked
 * @param ports that they answer for
 * @param silent agents that do not answer, or refuse
 */
public record PollStatistics(
        long turns,
        long late,
        long mads,
        long unanswered,
        long clearings,
        long lastNs,
        @Nullable Instant lastAt,
        int agents,
        int ports,
        int silent) {
    /** Nothing was read yet. */
    public static final PollStatistics NONE = new PollStatistics(0, 0, 0, 0, 0, 0, null, 0, 0, 0);
}
