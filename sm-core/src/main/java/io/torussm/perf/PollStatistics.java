package io.torussm.perf;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The statistics of the reading of counters.
 *
 * @param turns number of turns in which all ports were read, or tried
 * @param late turns that exceeded the interval
 * @param mads requests
 * @param unanswered requests without an answer
 * @param clearings readings which show that another program cleared counters
 * @param lastNs duration of the last turn
 * @param lastAt end of the last turn; null before the first
 * @param agents number of agents
 * @param ports number of their ports
 * @param silent agents that do not answer, or reject requests
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
    /** The statistics before the first reading. */
    public static final PollStatistics NONE = new PollStatistics(0, 0, 0, 0, 0, 0, null, 0, 0, 0);
}
