package io.torussm.daemon.maintenance;

import io.torussm.view.CableHistory.Ends;
import io.torussm.view.CableHistory.Entry;
import io.torussm.view.CableHistory.NamedEnd;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The facts about one cable on which isolation decides.
 *
 * @param near one end of the cable
 * @param far other end of the cable
 * @param downs times when the link went down, since the cable was last released or replaced
 * @param isolations times of the isolations within the last week
 * @param changed time when the link last went down or came up; null if it never did
 * @param released time of the last release; null if the cable was never released
 * @param isUp true if the link is up, according to the history
 * @param isIsolated true if the cable is isolated, according to the history
 * @param errorRate errors a minute, at the end with more errors; 0 if counters are not read
 */
record CableRecord(
        NamedEnd near,
        NamedEnd far,
        List<Instant> downs,
        List<Instant> isolations,
        @Nullable Instant changed,
        @Nullable Instant released,
        boolean isUp,
        boolean isIsolated,
        double errorRate) {
    private static final Duration RETENTION = Duration.ofDays(7);

    CableRecord {
        downs = List.copyOf(downs);
        isolations = List.copyOf(isolations);
    }

    /** Returns the records of all cables that have a history or errors. */
    static List<CableRecord> of(List<Entry> history, List<CableErrors> cableErrors, Instant now) {
        Map<Ends, Double> rates =
                cableErrors.stream().collect(Collectors.toMap(CableErrors::ends, CableErrors::perMinute, Math::max));
        Map<Ends, Reading> readings = new LinkedHashMap<>();
        history.forEach(entry -> readings.computeIfAbsent(entry.ends(), any -> new Reading(entry.near(), entry.far()))
                .add(entry));
        cableErrors.forEach(each -> readings.computeIfAbsent(each.ends(), any -> new Reading(each.near(), each.far())));
        return readings.entrySet().stream()
                .map(each -> each.getValue().record(rates.getOrDefault(each.getKey(), 0.0), now))
                .toList();
    }

    Ends ends() {
        return new Ends(near.port(), far.port());
    }

    /**
     * Returns the time since the last isolation; the time since 1970 if the cable was not isolated within the last
     * week.
     */
    Duration isolatedFor(Instant now) {
        return Duration.between(isolations.isEmpty() ? Instant.EPOCH : isolations.get(isolations.size() - 1), now);
    }

    /** Returns the time since the last isolation or the last change of the link, whichever is later. */
    Duration quietFor(Instant now) {
        Duration quiet = isolatedFor(now);
        Instant last = changed;
        Duration unchanged = last == null ? quiet : Duration.between(last, now);
        return unchanged.compareTo(quiet) < 0 ? unchanged : quiet;
    }

    /** Returns the number of times that the link went down within a time before now. */
    long downsWithin(Duration window, Instant now) {
        Instant from = now.minus(window);
        return downs.stream().filter(down -> down.isAfter(from)).count();
    }

    /** A reader of the entries of one cable, in the order of the history. */
    private static final class Reading {
        private NamedEnd near;
        private NamedEnd far;
        private final List<Instant> failures = new ArrayList<>();
        private final List<Instant> isolations = new ArrayList<>();
        private @Nullable Instant changed;
        private @Nullable Instant released;
        private boolean isUp = true;
        private boolean isIsolated;

        Reading(NamedEnd near, NamedEnd far) {
            this.near = near;
            this.far = far;
        }

        void add(Entry entry) {
            near = entry.near();
            far = entry.far();
            switch (entry.kind()) {
                case DOWN -> {
                    failures.add(entry.at());
                    isUp = false;
                }
                case OFF -> isUp = false;
                case UP -> isUp = true;
                case RESTARTED -> {}
                case REPLACED -> {
                    failures.clear();
                    isUp = false;
                }
                case ISOLATED -> {
                    isolations.add(entry.at());
                    isIsolated = true;
                }
                case RELEASED -> {
                    failures.clear();
                    released = entry.at();
                    isIsolated = false;
                }
            }
            changed = entry.kind().isOfCable() ? entry.at() : changed;
        }

        CableRecord record(double rate, Instant now) {
            Instant from = now.minus(RETENTION);
            return new CableRecord(
                    near,
                    far,
                    failures,
                    isolations.stream().filter(each -> each.isAfter(from)).toList(),
                    changed,
                    released,
                    isUp,
                    isIsolated,
                    rate);
        }
    }
}
