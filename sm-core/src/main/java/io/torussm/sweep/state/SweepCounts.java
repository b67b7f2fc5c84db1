package io.torussm.sweep.state;

import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.Verdict;
import io.torussm.stage.Phase;
import io.torussm.transport.LatencyHistogram;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The counters of sweeps by outcome, and the durations of their phases. They are counted on the loop; any thread may
 * read them.
 */
public final class SweepCounts {
    /** Number of buckets. Durations below 2^n ms are in bucket n or lower; the last has no upper bound (from 65 s). */
    static final int BUCKETS = 18;

    /** The scope of a sweep. */
    public enum SweepScope {
        /** The whole fabric. */
        HEAVY,
        /** The neighbourhood of changed switches. */
        LOCAL,
        /** No discovery: routes are computed again for the known fabric. */
        REROUTE,
        /** A check of every switch for changed ports. */
        LIGHT
    }

    /** The outcome of a sweep. */
    public enum SweepEnd {
        /** The subnet is up. */
        UP,
        /** No engine routes the fabric. */
        REFUSED,
        /** Another SM is master. */
        OTHER_MASTER,
        /** The sweep could not be finished. */
        FAILED,
        /** Its discovery was inconsistent; the whole fabric is swept instead. */
        WIDENED,
        /** A report preempted the sweep; a local sweep handles its work and the report. */
        SUPERSEDED,
        /** A light sweep found no change. */
        QUIET,
        /** A light sweep found a change. */
        CHANGED;

        /** Checks whether another sweep continues this one; the outcome of the other then counts. */
        public boolean isContinued() {
            return this == WIDENED || this == SUPERSEDED;
        }
    }

    /** The verdict on routes. */
    public enum Judgement {
        /** The routes are proved free of credit loops. */
        CERTIFIED,
        /** The routes are not proved, and their engine does not promise freedom from credit loops. */
        UNPROVED,
        /** There are no routes, or their proof failed. */
        REFUSED,
        /** The active routes were kept, because only hosts or leaf switches changed. */
        RETAINED
    }

    /** The number of sweeps of a kind with an outcome. */
    public record Count(SweepScope kind, SweepEnd end, long count) {}

    /**
     * The durations of a phase.
     *
     * @param buckets number of sweeps by duration: bucket 0 below 1 ms, bucket n from 2^(n-1) to below 2^n ms, the last
     *     without an upper bound
     * @param totalNs sum of the durations in nanoseconds
     */
    public record Times(Phase stage, List<Long> buckets, long totalNs) {}

    /**
     * The size of the proof of the active routes.
     *
     * @param channels number of virtual lanes of directed links that packets use
     * @param dependencies number of pairs of channels of which a packet may occupy the first and wait for the
     * second
     * @param destinations number of verified LIDs
     * @param coversSwitchPorts whether packets from and to ports 0 of switches are covered
     */
    public record Proof(int channels, int dependencies, int destinations, boolean coversSwitchPorts) {
        /** Returns the size of a proof; null if the verdict is no certificate. */
        public static @Nullable Proof of(@Nullable Verdict verdict) {
            return verdict instanceof Certificate certificate
                    ? new Proof(
                            certificate.channelCount(),
                            certificate.dependencyCount(),
                            certificate.destinationCount(),
                            certificate.coversSwitchPorts())
                    : null;
        }
    }

    private final Map<SweepScope, Map<SweepEnd, LongAdder>> ends = new EnumMap<>(SweepScope.class);
    private final Map<Judgement, LongAdder> judgements = new EnumMap<>(Judgement.class);
    private final Map<Phase, LatencyHistogram> times = new EnumMap<>(Phase.class);
    private final LongAdder routings = new LongAdder();
    private final LongAdder changedSls = new LongAdder();
    private volatile @Nullable Proof proof;

    /**
     * Creates counters that are 0. The maps do not change afterwards, only the counters in them, so that other threads
     * may read them.
     */
    public SweepCounts() {
        for (SweepScope kind : SweepScope.values()) {
            Map<SweepEnd, LongAdder> ofKind = new EnumMap<>(SweepEnd.class);
            ends.put(kind, ofKind);
            for (SweepEnd end : SweepEnd.values()) {
                boolean isOfLight = end == SweepEnd.QUIET || end == SweepEnd.CHANGED;
                if (isOfLight == (kind == SweepScope.LIGHT)) {
                    ofKind.put(end, new LongAdder());
                }
            }
        }
        for (Judgement judgement : Judgement.values()) {
            judgements.put(judgement, new LongAdder());
        }
        for (Phase phase : Phase.values()) {
            times.put(phase, new LatencyHistogram(TimeUnit.MILLISECONDS.toNanos(1), BUCKETS));
        }
    }

    /** Counts the end of a sweep. */
    public void countSweep(SweepScope kind, SweepEnd end) {
        Objects.requireNonNull(Objects.requireNonNull(ends.get(kind)).get(end)).increment();
    }

    /** Counts a verdict on a plan. */
    public void countJudgement(Judgement judgement) {
        Objects.requireNonNull(judgements.get(judgement)).increment();
    }

    /** Adds the duration of a phase, in nanoseconds. */
    public void addDuration(Phase phase, long ns) {
        Objects.requireNonNull(times.get(phase)).add(ns);
    }

    /** Counts a run of engines. */
    public void countRouting() {
        routings.increment();
    }

    /** Adds a number of paths whose SL a plan changed. */
    public void changedSls(long paths) {
        changedSls.add(paths);
    }

    /** Sets the size of the proof of the active routes; null if they have no proof. */
    public void setProof(@Nullable Proof newProof) {
        proof = newProof;
    }

    /** Returns the number of runs of engines. */
    public long routings() {
        return routings.sum();
    }

    /** Returns the number of paths whose SL changed from one published subnet to the next. */
    public long changedSls() {
        return changedSls.sum();
    }

    /** Returns the counters of all outcomes of sweeps, including 0. */
    public List<Count> counts() {
        List<Count> all = new ArrayList<>();
        ends.forEach((kind, ofKind) -> ofKind.forEach((end, count) -> all.add(new Count(kind, end, count.sum()))));
        return List.copyOf(all);
    }

    /** Returns the number of times a verdict was reached. */
    public long judgements(Judgement judgement) {
        return Objects.requireNonNull(judgements.get(judgement)).sum();
    }

    /** Returns the durations of all phases. */
    public List<Times> times() {
        List<Times> all = new ArrayList<>();
        times.forEach((phase, clock) -> all.add(new Times(phase, clock.buckets(), clock.totalNs())));
        return all;
    }

    /** Returns the size of the proof of the routes that were published last; null if they have no proof. */
    public @Nullable Proof proof() {
        return proof;
    }
}
