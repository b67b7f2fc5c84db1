package io.torussm.trap;

import io.torussm.transport.Loop;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.LongConsumer;

/**
 * Lets events of many sources through, but of each source only so many: the first at once, then, as long as the source
 * does not keep quiet, one at the end of every pause, whatever came in between; and each pause is twice as long as the one
 * before. So a flapping link costs a bounded share of the SM's time, nothing is ever missed, and no other source waits. Owner thread: the loop.
 */
public final class TrapThrottle {
    /** Events in a row that a source may cause without being throttled. */
    static final int FREE = 4;

    /** What comes within so long is one change: a switch with 36 cables comes back. */
    static final long BURST_NS = TimeUnit.SECONDS.toNanos(1);

    static final long FIRST_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(100);
    static final long LONGEST_PAUSE_NS = TimeUnit.SECONDS.toNanos(10);

    /** Without an event for so long a source has calmed down. */
    static final long QUIET_NS = TimeUnit.SECONDS.toNanos(30);

    /** Sources that are remembered; beyond this the one that was quiet for longest is forgotten. */
    static final int MAX_SOURCES = 1 << 14;

    private final Loop loop;
    private final LongConsumer act;
    private final BiConsumer<Long, Integer> report;
    private final Map<Long, Source> sources = new LinkedHashMap<>(16, 0.75f, true);
    private long damped;

    private static final class Source {
        long lastNs;
        long pauseNs;
        int inARow;
        long burstNs;
        int bursts;
        boolean isPausing;
        boolean isWaiting;
    }

    /**
     * Creates a throttle.
     *
     * @param act takes a source whose event is due
     * @param report takes a source of more than {@link #FREE} bursts of events, once until it has been quiet, and its events so far
     */
    public TrapThrottle(Loop loop, LongConsumer act, BiConsumer<Long, Integer> report) {
        this.loop = loop;
        this.act = act;
        this.report = report;
    }

    /** Events that were not acted on by themselves, but together with others of their source. */
    public long damped() {
        return damped;
    }

    /** Sources that are remembered. */
    int sources() {
        return sources.size();
    }

    /**
     * An event happened.
     *
     * @return whether it was acted on at once
     */
    public boolean happened(long id) {
        Source source = sources.computeIfAbsent(id, any -> new Source());
        forgetEldest();
        long nowNs = loop.nowNs();
        if (source.inARow > 0 && nowNs - source.lastNs >= QUIET_NS) {
            source.inARow = 0;
            source.bursts = 0;
            source.pauseNs = 0;
        }
        source.lastNs = nowNs;
        source.inARow++;
        if (source.bursts == 0 || nowNs - source.burstNs >= BURST_NS) {
            source.burstNs = nowNs;
            if (++source.bursts == FREE + 1) {
                report.accept(id, source.inARow);
            }
        }
        if (source.isPausing) {
            damped += source.isWaiting ? 1 : 0;
            source.isWaiting = true;
            return false;
        }
        actOn(id, source);
        return true;
    }

    private void actOn(long id, Source source) {
        source.isWaiting = false;
        if (source.inARow > FREE) {
            source.pauseNs = Math.min(LONGEST_PAUSE_NS, Math.max(FIRST_PAUSE_NS, 2 * source.pauseNs));
            source.isPausing = true;
            loop.schedule(source.pauseNs, () -> {
                source.isPausing = false;
                if (source.isWaiting) {
                    actOn(id, source);
                }
            });
        }
        act.accept(id);
    }

    private void forgetEldest() {
        if (sources.size() > MAX_SOURCES) {
            sources.remove(sources.keySet().iterator().next());
        }
    }
}
