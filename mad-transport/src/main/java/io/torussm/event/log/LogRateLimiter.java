package io.torussm.event.log;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Keeps a log readable: of each source one line in a while, which says how many events there were since the last. Owner
 * thread: the loop.
 */
public final class LogRateLimiter {
    /** After a line about a source the next one comes no earlier. */
    public static final long QUIET_NS = TimeUnit.MINUTES.toNanos(1);

    /** Sources that are kept apart; those that come later share one name. */
    private static final int MAX_SOURCES = 64;

    private static final String OTHERS = "other sources";

    private final LongSupplier clock;
    private final Map<String, Source> sources = new HashMap<>();

    private static final class Source {
        long atNs;
        long unreported;
    }

    /**
     * What may be said now.
     *
     * @param source as it was given, or a name for all that came later
     * @param count events since the last line, this one included; 0 if nothing is to be said yet
     */
    public record Line(Object source, long count) {
        /** Whether it is time for a line. */
        public boolean isDue() {
            return count > 0;
        }
    }

    /**
     * Creates a limiter that has seen no event.
     *
     * @param clock nanoseconds
     */
    public LogRateLimiter(LongSupplier clock) {
        this.clock = clock;
    }

    /** An event of a source. */
    public Line happened(Object source) {
        Object shown = sources.containsKey(source.toString()) || sources.size() < MAX_SOURCES ? source : OTHERS;
        String name = shown.toString();
        Source known = sources.get(name);
        long nowNs = clock.getAsLong();
        if (known != null && nowNs - known.atNs < QUIET_NS) {
            known.unreported++;
            return new Line(shown, 0);
        }
        Source now = known == null ? new Source() : known;
        long count = now.unreported + 1;
        now.atNs = nowNs;
        now.unreported = 0;
        sources.put(name, now);
        return new Line(shown, count);
    }
}
