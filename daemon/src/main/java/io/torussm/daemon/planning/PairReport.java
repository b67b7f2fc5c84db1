package io.torussm.daemon.planning;

import io.torussm.daemon.planning.TorusSymmetry.FailureClass;
import io.torussm.daemon.planning.WhatIf.Outcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The effects of any two simultaneous failures, by kinds of pairs that are alike in a torus. For each kind, the first
 * pair and some random pairs are simulated. If these differ in a value that should not depend on the position, all
 * pairs of the kind are simulated.
 *
 * @param pairs number of pairs
 * @param refused number of pairs after which no engine routes the rest of the fabric
 * @param degraded number of pairs after which the first engine refuses the rest, and another engine or a last resort
 *     routes it
 *
 * @param played number of simulated pairs
 * @param rows effects, worst first
 */
public record PairReport(long pairs, long refused, long degraded, int played, List<Row> rows) {
    /** Limit of the printed characters of a reason, which names switches in full. */
    private static final int REASON_LENGTH = 60;

    public PairReport {
        rows = List.copyOf(rows);
    }

    /**
     * A kind of pairs.
     *
     * @param kind types of the failed devices, and their distance
     * @param pairs number of pairs of the kind
     * @param played number of simulated pairs of the kind
     * @param refused number of pairs after which no engine routes the rest; 0 or {@code pairs} if only some were
     *     simulated
     * @param degraded number of pairs after which the first engine refuses the rest, and it is routed in another way; 0
     *     or {@code pairs} if only some were simulated
     * @param withoutMulticast number of further pairs after which no tree for multicast exists
     * @param lostPairs greatest number of paths that are lost because an end is lost
     * @param changedPairs greatest number of paths with another route, among simulated pairs
     * @param changedSls greatest number of paths with another SL
     * @param dearest the simulated pair with the worst effects
     * @param reason reason why no engine, or not the first engine, routes the rest after that pair; empty if the first
     *     engine does
     */
    public record Row(
            String kind,
            int pairs,
            int played,
            long refused,
            long degraded,
            long withoutMulticast,
            long lostPairs,
            long changedPairs,
            long changedSls,
            String dearest,
            String reason) {

        static Row of(FailureClass kind, List<Outcome> outcomes) {
            Outcome dearest = outcomes.stream()
                    .min(Comparator.comparing(Outcome::isRouted)
                            .thenComparing(Outcome::isWhole)
                            .thenComparing(Outcome::isMulticastRouted)
                            .thenComparing(outcome -> -outcome.changedPairs()))
                    .orElseThrow();
            long share = kind.members() / outcomes.size();
            boolean isSample = outcomes.size() < kind.members();
            long refused =
                    outcomes.stream().filter(outcome -> !outcome.isRouted()).count();
            long degraded = outcomes.stream()
                    .filter(outcome -> outcome.isRouted() && !outcome.isWhole())
                    .count();
            long withoutTree = outcomes.stream()
                    .filter(outcome -> outcome.isRouted() && !outcome.isMulticastRouted())
                    .count();
            return new Row(
                    kind.name(),
                    kind.members(),
                    outcomes.size(),
                    isSample && refused > 0 ? kind.members() : refused * share,
                    isSample && degraded > 0 ? kind.members() : degraded * share,
                    isSample && withoutTree > 0 ? kind.members() : withoutTree * share,
                    outcomes.stream().mapToLong(Outcome::lostPairs).max().orElse(0),
                    outcomes.stream().mapToLong(Outcome::changedPairs).max().orElse(0),
                    outcomes.stream().mapToLong(Outcome::changedSls).max().orElse(0),
                    dearest.failure(),
                    dearest.isRouted() ? dearest.refused() : dearest.reason());
        }

        private String line() {
            String cut = reason.length() > REASON_LENGTH ? reason.substring(0, REASON_LENGTH) + " ..." : reason;
            return String.format(
                            Locale.ROOT,
                            "%9d%9d%8d%9d%6d  %s",
                            pairs,
                            refused,
                            lostPairs,
                            changedPairs,
                            changedSls,
                            kind)
                    + (degraded > 0 ? "; " + degraded + " refused by the first engine" : "")
                    + (withoutMulticast > 0 ? "; " + withoutMulticast + " without a tree for multicast" : "")
                    + (played == pairs && refused + degraded > 0 && refused + degraded < pairs
                            ? ", such as " + dearest
                            : "")
                    + (reason.isEmpty() ? "" : ": " + cut);
        }
    }

    /** Simulates pairs of all kinds. */
    static PairReport of(TorusSymmetry symmetry, WhatIf whatIf) {
        List<FailureClass> kinds = symmetry.pairs();
        List<Outcome> outcomes = whatIf.outcomes(
                kinds.stream().flatMap(kind -> kind.samples().stream()).toList());
        List<Row> rows = new ArrayList<>();
        int next = 0;
        for (FailureClass kind : kinds) {
            List<Outcome> samples = outcomes.subList(next, next + kind.samples().size());
            next += kind.samples().size();
            rows.add(Row.of(kind, haveSameEffects(samples) ? samples : whatIf.outcomes(symmetry.pairs(kind))));
        }
        rows.sort(Comparator.comparing((Row row) -> row.refused == 0)
                .thenComparing(row -> row.degraded == 0)
                .thenComparing(row -> -row.withoutMulticast)
                .thenComparing(row -> -row.changedSls)
                .thenComparing(row -> -row.lostPairs)
                .thenComparing(row -> -row.changedPairs)
                .thenComparing(Row::kind));
        return new PairReport(
                rows.stream().mapToLong(Row::pairs).sum(),
                rows.stream().mapToLong(Row::refused).sum(),
                rows.stream().mapToLong(Row::degraded).sum(),
                rows.stream().mapToInt(Row::played).sum(),
                rows);
    }

    /**
     * Checks whether routability, losses and changes of SLs are equal in all outcomes. Changes of routes are not
     * compared, since they depend on the position.
     */
    private static boolean haveSameEffects(List<Outcome> outcomes) {
        return outcomes.stream()
                        .map(outcome -> List.of(
                                outcome.isRouted(),
                                outcome.isWhole(),
                                outcome.isMulticastRouted(),
                                outcome.lostPairs(),
                                outcome.changedSls()))
                        .collect(Collectors.toSet())
                        .size()
                == 1;
    }

    /** Checks whether the rest of the fabric can be routed after any two failures. */
    public boolean isRouted() {
        return refused == 0;
    }

    /** Returns the lines for people: one for each kind, and the sum. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT, "%9s%9s%8s%9s%6s  %s", "pairs", "refused", "lost", "changed", "SLs", "of a kind"));
        rows.forEach(row -> lines.add(row.line()));
        lines.add(pairs + " pairs of failures in " + rows.size() + " kinds, " + played + " played: " + (pairs - refused)
                + " can be routed, " + refused + " not"
                + (degraded == 0 ? "" : ", " + degraded + " not by the first engine") + "; SLs change in "
                + rows.stream()
                        .filter(row -> row.changedSls > 0)
                        .mapToLong(Row::pairs)
                        .sum());
        return lines;
    }
}
