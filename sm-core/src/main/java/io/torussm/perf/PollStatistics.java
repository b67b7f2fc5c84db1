package io.torussm.perf;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The statistics of the reading of counters.
 *
 * @param turns number of completed turns, in which all ports were read or tried
 * @param late number of turns that did not begin because the previous turn had not ended
 * @param mads number of completed requests
 * @param unanswered number of requests without an answer
 * @param clearings number of readings which show that another program cleared counters
 * @param lastNs duration of the last turn in nanoseconds
 * @param lastAt end of the last turn; null before the first
 * @param agents number of agents
 * @param ports number of ports to read
 * @param silent number of agents that do not answer, or reject requests
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
