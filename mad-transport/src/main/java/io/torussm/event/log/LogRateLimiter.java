package io.torussm.event.log;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * A limit of one log line per source and period. A line contains the number of events since the previous line. Owner
 * thread: the loop.
 */
public final class LogRateLimiter {
    /** Min time between two lines about a source. */
    public static final long MIN_INTERVAL_NS = TimeUnit.MINUTES.toNanos(1);

    /** Max sources with their own lines. All later sources share one name. */
    private static final int MAX_SOURCES = 64;

    private static final String OTHER_SOURCES = "other sources";

    private final LongSupplier clock;
    private final Map<String, Source> sources = new HashMap<>();

    /** The time of the last line about a source, and the events since then. */
    private static final class Source {
        long lastLineNs;
        long unreported;
    }

    /**
     * The line that may be logged now.
     *
     * @param source name of the source, or the common name of late sources
     * @param count events since the previous line, including the current one; 0 if no line is due
     */
    public record Line(Object source, long count) {
        /** Checks whether a line is due. */
        public boolean isDue() {
            return count > 0;
        }
    }

    /**
     * Creates a limiter without events.
     *
     * @param clock monotonic time in nanoseconds
     */
    public LogRateLimiter(LongSupplier clock) {
        this.clock = clock;
    }

    /** Counts an event of a source. Returns the line to log. */
    public Line recordEvent(Object source) {
        Object shown = sources.containsKey(source.toString()) || sources.size() < MAX_SOURCES ? source : OTHER_SOURCES;
        String name = shown.toString();
        Source known = sources.get(name);
        long nowNs = clock.getAsLong();
        if (known != null && nowNs - known.lastLineNs < MIN_INTERVAL_NS) {
            known.unreported++;
            return new Line(shown, 0);
        }
        Source current = known == null ? new Source() : known;
        long count = current.unreported + 1;
        current.lastLineNs = nowNs;
        current.unreported = 0;
        sources.put(name, current);
        return new Line(shown, count);
    }
}
