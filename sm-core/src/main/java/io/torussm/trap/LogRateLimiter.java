package io.torussm.trap;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Keeps a log readable: of each source one line in a while, which says how much was left unsaid since the last. Owner
 * thread: the loop.
 */
public final class LogRateLimiter {
    /** After a line about a source the next one comes no earlier. */
    public static final long QUIET_NS = TimeUnit.MINUTES.toNanos(1);

    /** Sources that are told apart; whoever comes later shares one name. */
    private static final int MAX_SOURCES = 64;

    private static final String OTHERS = "other sources";

    private final LongSupplier clock;
    private final Map<String, Told> sources = new HashMap<>();

    private static final class Told {
        long atNs;
        long unsaid;
    }

    /**
     * What may be said now.
     *
     * @param source as it is to be called
     * @param count events since the last line, this one included; 0 if nothing is to be said yet
     */
    public record Line(String source, long count) {
        /** Whether it is time for a line. */
        public boolean isDue() {
            return count > 0;
        }
    }

    /**
     * A log without any lines yet.
     *
     * @param clock nanoseconds
     */
    public LogRateLimiter(LongSupplier clock) {
        this.clock = clock;
    }

    /** An event of a source. */
    public Line happened(String source) {
        String name = sources.containsKey(source) || sources.size() < MAX_SOURCES ? source : OTHERS;
        Told known = sources.get(name);
        long nowNs = clock.getAsLong();
        if (known != null && nowNs - known.atNs < QUIET_NS) {
            known.unsaid++;
            return new Line(name, 0);
        }
        Told told = known == null ? new Told() : known;
        long count = told.unsaid + 1;
        told.atNs = nowNs;
        told.unsaid = 0;
        sources.put(name, told);
        return new Line(name, count);
    }
}
