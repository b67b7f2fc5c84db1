package io.torussm.trap;

import io.torussm.transport.Loop;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/**
 * A throttle for the events of many sources, each separately. The first event passes immediately. Later ones
 * pass together, at the end of a pause, until the source is quiet. Each pause is twice as long as the
 * previous one. Therefore a flapping link costs a bounded share of the SM's time, no event is lost, and no
 * other source waits. Owner thread: the loop.
 */
public final class TrapThrottle {
    /** Number of events in a row that are not throttled. */
    static final int UNTHROTTLED_EVENTS = 4;

    /** Events within this time are one change: for instance a switch with 36 cables comes up. */
    static final long BURST_NS = TimeUnit.SECONDS.toNanos(1);

    static final long FIRST_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(100);
    static final long MAX_PAUSE_NS = TimeUnit.SECONDS.toNanos(10);

    /** The time without an event after which a source is quiet. */
    static final long QUIET_NS = TimeUnit.SECONDS.toNanos(30);

    /** Limit of the remembered sources; beyond it the one with the oldest event is forgotten. */
    static final int MAX_SOURCES = 1 << 14;

    private final Loop loop;
    private final long maxPauseNs;
    private final LongConsumer action;
    private final SourceListener report;
    private final SourceListener onQuiet;
    private final Map<Long, Source> sources = new LinkedHashMap<>(16, 0.75f, true);
    private long dampedEvents;

    /** A receiver of reports about sources, or of their ends. */
    public interface SourceListener {
        /**
         * Handles a source that has more than {@link #UNTHROTTLED_EVENTS} bursts of events, or was reported and is
         * quiet.
         *
         * @param count number of its events since it was quiet before
         * @param durationNs time from the first to the last of them
         */
        void accept(long id, int count, long durationNs);
    }

    private static final class Source {
        long firstNs;
        long lastNs;
        long pauseNs;
        int eventsInRow;
        long burstNs;
        int bursts;
        boolean isPausing;
        boolean isWaiting;
    }

    /**
     * Creates a throttle.
     *
     * @param act receives a source whose event is due
     * @param report receives a source with more than {@link #UNTHROTTLED_EVENTS} bursts of events, and again while it
     *     is not quiet, each {@link #QUIET_NS} at most
     * @param quiet receives a source that was reported, when it is quiet
     */
    public TrapThrottle(Loop loop, LongConsumer act, SourceListener report, SourceListener quiet) {
        this(loop, MAX_PAUSE_NS, act, report, quiet);
    }

    /** Creates a throttle without reports whose pauses are limited. */
    TrapThrottle(Loop loop, long longestPauseNs, LongConsumer act) {
        this(loop, longestPauseNs, act, (id, count, ns) -> {}, (id, count, ns) -> {});
    }

    private TrapThrottle(
            Loop loop, long longestPauseNs, LongConsumer act, SourceListener report, SourceListener quiet) {
        this.loop = loop;
        this.maxPauseNs = longestPauseNs;
        this.action = act;
        this.report = report;
        this.onQuiet = quiet;
    }

    /** Returns the number of events that passed together with others of their source. */
    public long dampedEvents() {
        return dampedEvents;
    }

    /** Returns the number of remembered sources. */
    int sources() {
        return sources.size();
    }

    /**
     * Handles an event.
     *
     * @return whether it passed immediately
     */
    public boolean onEvent(long id) {
        Source source = sources.computeIfAbsent(id, any -> new Source());
        forgetEldest();
        long nowNs = loop.nowNs();
        if (source.eventsInRow > 0 && nowNs - source.lastNs >= QUIET_NS) {
            source.eventsInRow = 0;
            source.bursts = 0;
            source.pauseNs = 0;
        }
        if (source.eventsInRow == 0) {
            source.firstNs = nowNs;
        }
        source.lastNs = nowNs;
        source.eventsInRow++;
        if (source.bursts == 0 || nowNs - source.burstNs >= BURST_NS) {
            source.burstNs = nowNs;
            if (++source.bursts == UNTHROTTLED_EVENTS + 1) {
                report.accept(id, source.eventsInRow, source.lastNs - source.firstNs);
                awaitQuiet(id, source);
            }
        }
        if (source.isPausing) {
            dampedEvents += source.isWaiting ? 1 : 0;
            source.isWaiting = true;
            return false;
        }
        actFor(id, source);
        return true;
    }

    /** Returns the sources with more than one burst that are not quiet. */
    List<Long> active() {
        return sources.entrySet().stream()
                .filter(each -> each.getValue().bursts > 1 && loop.nowNs() - each.getValue().lastNs < QUIET_NS)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Forgets reports: a source that does not become quiet is reported again. */
    void forgetReports() {
        sources.values().forEach(source -> source.bursts = 0);
    }

    private void awaitQuiet(long id, Source source) {
        loop.schedule(source.lastNs + QUIET_NS - loop.nowNs(), () -> {
            if (loop.nowNs() - source.lastNs >= QUIET_NS) {
                onQuiet.accept(id, source.eventsInRow, source.lastNs - source.firstNs);
            } else {
                if (source.bursts > UNTHROTTLED_EVENTS) {
                    report.accept(id, source.eventsInRow, source.lastNs - source.firstNs);
                }
                awaitQuiet(id, source);
            }
        });
    }

    private void actFor(long id, Source source) {
        source.isWaiting = false;
        if (source.eventsInRow > UNTHROTTLED_EVENTS) {
            source.pauseNs = Math.min(maxPauseNs, Math.max(FIRST_PAUSE_NS, 2 * source.pauseNs));
            source.isPausing = true;
            loop.schedule(source.pauseNs, () -> {
                source.isPausing = false;
                if (source.isWaiting) {
                    actFor(id, source);
                }
            });
        }
        action.accept(id);
    }

    private void forgetEldest() {
        if (sources.size() > MAX_SOURCES) {
            sources.remove(sources.keySet().iterator().next());
        }
    }
}
