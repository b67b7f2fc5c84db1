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
 * @param near one end
 * @param far the other
 * @param downs times when it went down, since it was last released or replaced
 * @param isolations times when it was isolated within a week
 * @param changed time when it last went down or came up; null if it never did
 * @param released time when it was last released; null if it never was
 * @param isUp true if its link is up, according to the history
 * @param isIsolated true if it is isolated, according to the history
 * @param errorRate errors a minute, at the end that has more; 0 if counters are not read
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
    private static final Duration MEMORY = Duration.ofDays(7);

    CableRecord {
        downs = List.copyOf(downs);
        isolations = List.copyOf(isolations);
    }

    /** Returns the records of cables from a history and the present error counts. */
    static List<CableRecord> of(List<Entry> history, List<CableErrors> cableErrors, Instant now) {
        Map<Ends, Double> rates =
                cableErrors.stream().collect(Collectors.toMap(CableErrors::ends, CableErrors::perMinute, Math::max));
        Map<Ends, Reading> readings = new LinkedHashMap<>();
        history.forEach(entry -> readings.computeIfAbsent(entry.ends(), any -> new Reading(entry.near(), entry.far()))
                .take(entry));
        cableErrors.forEach(each -> readings.computeIfAbsent(each.ends(), any -> new Reading(each.near(), each.far())));
        return readings.entrySet().stream()
                .map(each -> each.getValue().record(rates.getOrDefault(each.getKey(), 0.0), now))
                .toList();
    }

    Ends ends() {
        return new Ends(near.port(), far.port());
    }

    /** Returns the time since the cable was isolated last; for ever if it never was. */
    Duration isolatedFor(Instant now) {
        return Duration.between(isolations.isEmpty() ? Instant.EPOCH : isolations.get(isolations.size() - 1), now);
    }

    /** Returns the time since it was isolated last, or went down or came up after that. */
    Duration quietFor(Instant now) {
        Duration quiet = isolatedFor(now);
        Instant last = changed;
        Duration unchanged = last == null ? quiet : Duration.between(last, now);
        return unchanged.compareTo(quiet) < 0 ? unchanged : quiet;
    }

    /** Counts the losses within a time before now. */
    long downsWithin(Duration window, Instant now) {
        Instant from = now.minus(window);
        return downs.stream().filter(down -> down.isAfter(from)).count();
    }

    /** Reads the entries of one cable in their order. */
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

        void take(Entry entry) {
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
            Instant from = now.minus(MEMORY);
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
