package io.torussm.sweep;

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

/** What sweeps there were, how they ended and how long their stages took. Counted on the loop, read by any thread. */
public final class SweepCounts {
    /** Times below 2^n ms are in bucket n or lower; the last has no bound (a minute and more). */
    static final int BUCKETS = 18;

    /** What is swept. */
    public enum Kind {
        /** The whole fabric. */
        HEAVY,
        /** What is around switches that changed. */
        LOCAL,
        /** Nothing: routes are computed anew for the fabric as it is known. */
        REROUTE,
        /** Every switch is asked whether a port changed. */
        LIGHT
    }

    /** How a sweep ended. */
    public enum End {
        /** The subnet is up. */
        UP,
        /** No engine routes the fabric. */
        REFUSED,
        /** Another SM is master. */
        OTHER_MASTER,
        /** It could not be finished. */
        FAILED,
        /** What it read did not fit together, and the whole fabric is swept instead. */
        WIDENED,
        /** It gave way to a report that came in meanwhile, and to the local sweep that looks into both. */
        SUPERSEDED,
        /** Of a light sweep: all is as it was. */
        QUIET,
        /** Of a light sweep: something changed. */
        CHANGED;

        /** Whether another sweep goes on in its place, and its end is the one that counts. */
        boolean isContinued() {
            return this == WIDENED || this == SUPERSEDED;
        }
    }

    /** What the check said of routes. */
    public enum Judgement {
        /** They are proved free of credit loops. */
        CERTIFIED,
        /** They are not, and their engine promises no better. */
        UNPROVED,
        /** There are none, or they failed their check. */
        REFUSED,
        /** Those in force were kept, since only hosts or leaf switches changed. */
        RETAINED
    }

    /** Sweeps of a kind that ended in a way. */
    public record Count(Kind kind, End end, long count) {}

    /**
     * How long a stage took.
     *
     * @param buckets sweeps by time: the first below 1 ms, bucket n below 2^n ms and not below 2^(n-1) ms, the last without
     *     a bound
     */
    public record Times(Phase stage, List<Long> buckets, long totalNs) {}

    /**
     * The proof of the routes in force.
     *
     * @param channels virtual lanes of directed links that packets use
     * @param dependencies pairs of channels such that a packet may hold the first and wait for the second
     * @param destinations LIDs that were looked at
     * @param coversSwitchPorts whether packets from and to ports 0 of switches are covered
     */
    public record Proof(int channels, int dependencies, int destinations, boolean coversSwitchPorts) {
        static @Nullable Proof of(@Nullable Verdict verdict) {
            return verdict instanceof Certificate certificate
                    ? new Proof(
                            certificate.channelCount(),
                            certificate.dependencyCount(),
                            certificate.destinationCount(),
                            certificate.coversSwitchPorts())
                    : null;
        }
    }

    private final Map<Kind, Map<End, LongAdder>> ends = new EnumMap<>(Kind.class);
    private final Map<Judgement, LongAdder> judgements = new EnumMap<>(Judgement.class);
    private final Map<Phase, LatencyHistogram> times = new EnumMap<>(Phase.class);
    private final LongAdder routings = new LongAdder();
    private final LongAdder changedSls = new LongAdder();
    private volatile @Nullable Proof proof;

    /** Nothing happened yet. From here on the maps stay as they are, and only what they hold changes. */
    public SweepCounts() {
        for (Kind kind : Kind.values()) {
            Map<End, LongAdder> ofKind = new EnumMap<>(End.class);
            ends.put(kind, ofKind);
            for (End end : End.values()) {
                boolean isOfLight = end == End.QUIET || end == End.CHANGED;
                if (isOfLight == (kind == Kind.LIGHT)) {
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

    void ended(Kind kind, End end) {
        Objects.requireNonNull(Objects.requireNonNull(ends.get(kind)).get(end)).increment();
    }

    void judged(Judgement judgement) {
        Objects.requireNonNull(judgements.get(judgement)).increment();
    }

    void took(Phase phase, long ns) {
        Objects.requireNonNull(times.get(phase)).add(ns);
    }

    void routed() {
        routings.increment();
    }

    void changedSls(long paths) {
        changedSls.add(paths);
    }

    void published(@Nullable Proof newProof) {
        proof = newProof;
    }

    /** How often engines were asked for routes. */
    public long routings() {
        return routings.sum();
    }

    /** Paths whose SL changed from one published subnet to the next. */
    public long changedSls() {
        return changedSls.sum();
    }

    /** All ways in which sweeps can end, those that none has taken yet included. */
    public List<Count> counted() {
        List<Count> all = new ArrayList<>();
        ends.forEach((kind, ofKind) -> ofKind.forEach((end, count) -> all.add(new Count(kind, end, count.sum()))));
        return List.copyOf(all);
    }

    /** How often routes were judged so. */
    public long judgements(Judgement judgement) {
        return Objects.requireNonNull(judgements.get(judgement)).sum();
    }

    /** The times of all stages. */
    public List<Times> times() {
        List<Times> all = new ArrayList<>();
        times.forEach((phase, clock) -> all.add(new Times(phase, clock.buckets(), clock.totalNs())));
        return all;
    }

    /** The proof of the routes that were published last; null if they have none. */
    public @Nullable Proof proof() {
        return proof;
    }
}
