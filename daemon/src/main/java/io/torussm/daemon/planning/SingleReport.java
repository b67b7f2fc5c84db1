package io.torussm.daemon.planning;

import io.torussm.daemon.planning.TorusSymmetry.Images;
import io.torussm.daemon.planning.WhatIf.Outcome;
import io.torussm.daemon.planning.WhatIf.SimulatedOutcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * The effects of many single failures. Failures that are mirror images in a torus ({@link TorusSymmetry#mirrored}) form
 * a kind. One or two failures of each kind are simulated; the others have the same effects.
 *
 * <p>Routes, SLs and SL2VL depend on positions of switches, on preferred directions, and on connections. The plan is
 * its own image ({@link TorusMirror}). So after a failure the fabric is the mirror image of the fabric after the image
 * of the failure. Both are routed alike if the positions come from the same seed. Changed paths, loads, and credit
 * loops of unicast are the same.
 *
 * <p>The multicast tree is not mirrored. Its root is a switch in the middle of the torus, and an even torus has no
 * switch that is its own image. If this has no influence, one failure is simulated
 * ({@link io.torussm.torus2qos.TorusMap#hasTreeAfterCableLoss}). After the loss of a switch it may have an influence,
 * so two failures are simulated, as far apart as possible. All failures of a kind are simulated if these two
 * differ in any reported value. They are also simulated if the engine refuses the fabric after one of the two failures,
 * since the reason names positions. The same holds if the fabric has no multicast tree, or is routed by another engine
 * or with other positions.
 *
 * @param kinds number of kinds; the number of failures if no failure is the image of another
 * @param played number of simulated failures
 * @param rows effects, in the order of the request
 * @param reasons reasons why the first engine refuses the rest after simulated failures, a line for each reason
 */
public record SingleReport(int kinds, int played, List<Row> rows, List<String> reasons) {
    public SingleReport {
        rows = List.copyOf(rows);
        reasons = List.copyOf(reasons);
    }

    /**
     * The effects of a failure; see {@link Outcome}.
     *
     * @param failure name of the failure
     * @param reason reason why the rest cannot be routed; empty if it can be routed
     * @param isWhole true if the first engine would route the rest, without a last resort
     * @param maxLoad number of paths over the most loaded cable after the failure, one way
     */
    public record Row(
            String failure,
            boolean isRouted,
            boolean isMulticastRouted,
            boolean isWhole,
            String reason,
            long lostPairs,
            long changedPairs,
            long changedSls,
            int maxLoad) {
        private static Row of(String failure, Outcome outcome) {
            return new Row(
                    failure,
                    outcome.isRouted(),
                    outcome.isMulticastRouted(),
                    outcome.isWhole(),
                    outcome.reason(),
                    outcome.lostPairs(),
                    outcome.changedPairs(),
                    outcome.changedSls(),
                    outcome.maxLoadAfter());
        }

        private String line() {
            return isRouted
                    ? String.format(
                            Locale.ROOT,
                            "%10d%10d%6d%10d  %s%s%s",
                            changedPairs,
                            lostPairs,
                            changedSls,
                            maxLoad,
                            failure,
                            isMulticastRouted ? "" : "; no tree for multicast",
                            isWhole ? "" : "; the first engine refuses")
                    : "             no routes              " + failure;
        }
    }

    /**
     * Simulates samples of each kind, or all failures of a kind if its samples differ.
     *
     * @param kinds partition of the failures into kinds
     */
    static SingleReport of(WhatIf whatIf, List<Failure> failures, List<Images> kinds) {
        Map<Failure, SimulatedOutcome> simulated = played(
                whatIf, kinds.stream().flatMap(kind -> kind.samples().stream()).toList());
        simulated.putAll(played(
                whatIf,
                kinds.stream()
                        .filter(kind -> !haveSameEffects(
                                kind.samples().stream().map(simulated::get).toList()))
                        .flatMap(kind -> kind.members().stream())
                        .filter(failure -> !simulated.containsKey(failure))
                        .toList()));
        int played = simulated.size();
        for (Images kind : kinds) {
            SimulatedOutcome first =
                    Objects.requireNonNull(simulated.get(kind.members().get(0)));
            kind.members().forEach(member -> simulated.putIfAbsent(member, first));
        }
        return new SingleReport(
                kinds.size(),
                played,
                failures.stream()
                        .map(failure -> Row.of(
                                failure.name(),
                                Objects.requireNonNull(simulated.get(failure)).outcome()))
                        .toList(),
                LossReasons.lines(failures.stream()
                        .map(failure -> Objects.requireNonNull(simulated.get(failure)))
                        .distinct()
                        .map(SimulatedOutcome::outcome)
                        .filter(outcome -> !outcome.isWhole())
                        .toList()));
    }

    private static Map<Failure, SimulatedOutcome> played(WhatIf whatIf, List<Failure> failures) {
        List<SimulatedOutcome> played = whatIf.simulate(failures);
        Map<Failure, SimulatedOutcome> simulated = new HashMap<>();
        for (int i = 0; i < played.size(); i++) {
            simulated.put(failures.get(i), played.get(i));
        }
        return simulated;
    }

    private static boolean haveSameEffects(List<SimulatedOutcome> samples) {
        return samples.stream()
                        .allMatch(played -> played.isSameTorus()
                                && played.outcome().isWhole()
                                && played.outcome().isMulticastRouted())
                && samples.stream()
                                .map(played -> Row.of("", played.outcome()))
                                .distinct()
                                .count()
                        == 1;
    }

    /** Checks whether the rest of the fabric can be routed after each failure. */
    public boolean isRouted() {
        return rows.stream().allMatch(Row::isRouted);
    }

    /** Returns the lines for people: one for each failure, and the sum. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(Locale.ROOT, "%10s%10s%6s%10s  %s", "changed", "lost", "SLs", "max load", "without"));
        rows.forEach(row -> lines.add(row.line()));
        long refused = rows.stream().filter(row -> !row.isRouted).count();
        long withSls = rows.stream().filter(row -> row.changedSls > 0).count();
        lines.add(rows.size() + " failures, one at a time: " + (rows.size() - refused) + " can be routed, " + refused
                + " not; SLs change in " + withSls);
        if (!reasons.isEmpty()) {
            lines.add("why the first engine refuses:");
            lines.addAll(reasons);
        }
        if (played < rows.size()) {
            lines.add("of these " + played + " were played, the others are mirror images of them (" + kinds
                    + " kinds; --every plays all)");
        }
        return lines;
    }
}
