package io.torussm.daemon.traffic;

import io.torussm.daemon.traffic.CongestionComparison.SettingRow;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A search for settings of congestion control by successive halving, with thirds. Of each group of candidates, each
 * runs for a ninth of the time, the best third continues to a third of it, and the best of these to its end. The cost
 * of nine candidates is that of two and a third whole runs. Budget, seed and runs determine the result.
 */
final class CongestionSearch {
    /** Of this many runs, one continues to the next stage, which ends this many times as late. */
    static final int KEPT = 3;

    private static final int STAGES = 3;

    /** The stage that ends with the whole run. */
    static final int LAST = STAGES - 1;

    private static final int MAX_DRAWS = 100;

    private final Function<CongestionProposal, StagedRun> runs;
    private final SplittableRandom random;
    private final Consumer<String> listener;
    private final CongestionProposal widest;
    private final int budget;
    private final Set<CongestionProposal> tried = new HashSet<>();

    /** Cost so far, in parts of a whole run. */
    private int spent;

    private int candidates;
    private Candidate best;

    /** A run that can end after each stage. */
    interface StagedRun {
        /** Continues to the end of a stage, the last of which is that of a whole run, and returns the outcome. */
        SettingRow measure(int stage);
    }

    /** Settings with their run, and its outcome so far. */
    private record Candidate(int number, CongestionProposal proposal, StagedRun run, SettingRow row) {
        Candidate after(int stage) {
            return new Candidate(number, proposal, run, run.measure(stage));
        }
    }

    /** The settings found, and the outcome of their whole run. */
    record Proposed(CongestionProposal proposal, SettingRow row) {}

    /**
     * Creates a search.
     *
     * @param budget cost, in whole runs, at least 1
     * @param widest settings for a hot spot to which all hosts send
     * @param runs function that begins a run; runs are measured on several threads
     * @param listener callback, called with a line for each outcome
     */
    CongestionSearch(
            int budget,
            SplittableRandom random,
            CongestionProposal widest,
            Function<CongestionProposal, StagedRun> runs,
            Consumer<String> listener) {
        this.budget = budget;
        this.random = random;
        this.widest = widest;
        this.runs = runs;
        this.listener = listener;
        best = run(CongestionProposal.PUBLISHED);
    }

    /** Returns how many times a whole run is as long as one that ends with a stage. */
    static int parts(int stage) {
        int parts = 1;
        for (int later = stage; later < LAST; later++) {
            parts *= KEPT;
        }
        return parts;
    }

    /** Returns the cost of a group of candidates, in parts of a whole run. */
    static int cost(int group) {
        int cost = 0;
        int left = group;
        int from = 0;
        for (int stage = 0; stage < STAGES; stage++) {
            int until = parts(0) / parts(stage);
            cost += left * (until - from);
            from = until;
            left = (left + KEPT - 1) / KEPT;
        }
        return cost;
    }

    /**
     * Returns the best of the published settings, those for all hosts, and candidates.
     *
     * @param fewer settings for fewer senders, which are tried first
     */
    Proposed search(List<CongestionProposal> fewer) {
        if (budget > 1) {
            accept(run(widest));
        }
        List<CongestionProposal> next = new ArrayList<>(fewer);
        for (int size = parts(0); size > 0; size /= KEPT) {
            while (spent + cost(size) <= budget * parts(0)) {
                tryGroup(draw(size, next));
                next.clear();
            }
        }
        return new Proposed(best.proposal, best.row);
    }

    /** Runs settings to the end. */
    private Candidate run(CongestionProposal proposal) {
        tried.add(proposal);
        spent += parts(0);
        StagedRun run = runs.apply(proposal);
        Candidate candidate = new Candidate(++candidates, proposal, run, run.measure(LAST));
        report(candidate, LAST);
        return candidate;
    }

    private void accept(Candidate candidate) {
        if (candidate.row.score() > best.row.score()) {
            best = candidate;
        }
    }

    /** Returns new settings: the given ones, then random ones and some similar to the best. */
    private List<CongestionProposal> draw(int size, List<CongestionProposal> first) {
        List<CongestionProposal> group = new ArrayList<>();
        for (CongestionProposal proposal : first) {
            if (group.size() < size && tried.add(proposal)) {
                group.add(proposal);
            }
        }
        for (int draws = 0; group.size() < size; draws++) {
            CongestionProposal proposal = group.size() % KEPT == 0
                    ? CongestionProposal.random(random, widest)
                    : best.proposal.neighbour(random, widest);
            if (tried.add(proposal) || draws >= MAX_DRAWS) {
                group.add(proposal);
            }
        }
        return group;
    }

    private void tryGroup(List<CongestionProposal> group) {
        spent += cost(group.size());
        List<Candidate> left = new ArrayList<>();
        for (CongestionProposal proposal : group) {
            left.add(new Candidate(++candidates, proposal, runs.apply(proposal), best.row));
        }
        for (int stage = 0; stage < STAGES; stage++) {
            int measured = stage;
            left = left.parallelStream()
                    .map(candidate -> candidate.after(measured))
                    .toList();
            left.forEach(candidate -> report(candidate, measured));
            if (stage < LAST) {
                left = bestOf(left.stream(), (left.size() + KEPT - 1) / KEPT);
            }
        }
        left.forEach(this::accept);
    }

    private static List<Candidate> bestOf(Stream<Candidate> candidates, int count) {
        return candidates
                .sorted(Comparator.comparingDouble((Candidate candidate) -> -candidate.row.score()))
                .limit(count)
                .toList();
    }

    private void report(Candidate candidate, int stage) {
        listener.accept(String.format(
                Locale.ROOT,
                "candidate %d after %s run: %.3f accepted, score %.4f with %s",
                candidate.number,
                stage == LAST ? "its whole" : "1/" + parts(stage) + " of its",
                candidate.row.accepted(),
                candidate.row.score(),
                candidate.proposal));
    }
}
