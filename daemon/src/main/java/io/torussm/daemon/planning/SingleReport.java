package io.torussm.daemon.planning;

import io.torussm.daemon.planning.TorusSymmetry.Images;
import io.torussm.daemon.planning.WhatIf.Outcome;
import io.torussm.daemon.planning.WhatIf.Played;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * What each of many failures would cost by itself. Of a kind that a torus mirrors into one another ({@link TorusSymmetry#mirrored}) one or
 * two are played; the others cost the same.
 *
 * <p>Routes, SLs and SL2VL are made of the places of switches, of preferred directions, and of what is connected. The plan is its own
 * image ({@link TorusMirror}), so a failure and its image leave a fabric and its image, routed alike, as long as switches get their places
 * from the same seed: what paths change, loads, and whether packets to single destinations can wait in a circle are the same.
 *
 * <p>The tree for multicast is not mirrored: its root is a switch amid the torus, and an even torus has none that is its own image. Where
 * that cannot matter one is played ({@link io.torussm.torus2qos.TorusMap#hasTreeWithoutAnyCable}). Where it may, after the loss of a
 * switch, two are, as far apart as they can be. If they differ in anything that is said, if one is refused (the reason names places), has
 * no tree, or is routed by another engine or with other places, all of the kind are played.
 *
 * @param kinds of how many kinds the failures are; as many as there are if none is known to be like another
 * @param played how many were played
 * @param rows what they cost, in the order asked for
 * @param reasons why the first engine does not route around some of those that were played, a line for each reason
 */
public record SingleReport(int kinds, int played, List<Row> rows, List<String> reasons) {
    public SingleReport {
        rows = List.copyOf(rows);
        reasons = List.copyOf(reasons);
    }

    /**
     * What a failure does; see {@link Outcome}.
     *
     * @param reason why it cannot be routed around; empty if it can
     * @param isWhole whether the first engine would route the rest, without a last resort
     * @param maxLoad paths over the most loaded cable, one way, afterwards
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
     * Plays samples of each kind, or all.
     *
     * @param kinds each of the failures is in one
     */
    static SingleReport of(WhatIf whatIf, List<Failure> failures, List<Images> kinds) {
        Map<Failure, Played> known = played(
                whatIf, kinds.stream().flatMap(kind -> kind.samples().stream()).toList());
        known.putAll(played(
                whatIf,
                kinds.stream()
                        .filter(kind -> !areAlike(
                                kind.samples().stream().map(known::get).toList()))
                        .flatMap(kind -> kind.members().stream())
                        .filter(failure -> !known.containsKey(failure))
                        .toList()));
        int played = known.size();
        for (Images kind : kinds) {
            Played first = Objects.requireNonNull(known.get(kind.members().get(0)));
            kind.members().forEach(member -> known.putIfAbsent(member, first));
        }
        return new SingleReport(
                kinds.size(),
                played,
                failures.stream()
                        .map(failure -> Row.of(
                                failure.name(),
                                Objects.requireNonNull(known.get(failure)).outcome()))
                        .toList(),
                LossReasons.lines(failures.stream()
                        .map(failure -> Objects.requireNonNull(known.get(failure)))
                        .distinct()
                        .map(Played::outcome)
                        .filter(outcome -> !outcome.isWhole())
                        .toList()));
    }

    private static Map<Failure, Played> played(WhatIf whatIf, List<Failure> failures) {
        List<Played> played = whatIf.play(failures);
        Map<Failure, Played> known = new HashMap<>();
        for (int i = 0; i < played.size(); i++) {
            known.put(failures.get(i), played.get(i));
        }
        return known;
    }

    private static boolean areAlike(List<Played> samples) {
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

    /** Whether all can be routed around. */
    public boolean isRouted() {
        return rows.stream().allMatch(Row::isRouted);
    }

    /** For people: a line each, and the sum. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(Locale.ROOT, "%10s%10s%6s%10s  %s", "changed", "lost", "SLs", "max load", "without"));
        rows.forEach(row -> lines.add(row.line()));
        long refused = rows.stream().filter(row -> !row.isRouted).count();
        long withSls = rows.stream().filter(row -> row.changedSls > 0).count();
        lines.add(rows.size() + " failures, each by itself: " + (rows.size() - refused) + " can be routed, " + refused
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
