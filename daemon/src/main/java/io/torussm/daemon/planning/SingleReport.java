package io.torussm.daemon.planning;

import io.torussm.daemon.planning.WhatIf.Outcome;
import io.torussm.daemon.planning.WhatIf.Played;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * What each of many failures would cost by itself. Of a kind that a torus mirrors into one another ({@link TorusSymmetry#mirrored}) two are
 * played, as far apart as they can be; the others cost the same.
 *
 * <p>Routes, SLs and SL2VL are made of the places of switches, of preferred directions, and of what is connected. The plan is its own
 * image ({@link TorusMirror}), so a failure and its image leave a fabric and its image, routed alike, as long as switches get their places
 * from the same seed: what paths change, loads, and whether packets to single destinations can wait in a circle are the same.
 *
 * <p>The tree for multicast is not mirrored: its root is a switch amid the torus, and an even torus has none that is its own image. Whether
 * a tree goes with the routes is therefore asked of both that are played. If they differ in anything that is said, if one is refused (the
 * reason names places), or is routed by another engine or with other places, all of the kind are played.
 *
 * @param kinds of how many kinds the failures are; as many as there are if none is known to be like another
 * @param played how many were played
 * @param rows what they cost, in the order asked for
 */
public record SingleReport(int kinds, int played, List<Row> rows) {
    public SingleReport {
        rows = List.copyOf(rows);
    }

    /**
     * What a failure does; see {@link Outcome}.
     *
     * @param reason why it cannot be routed around; empty if it can
     * @param maxLoad paths over the most loaded cable, one way, afterwards
     */
    public record Row(
            String failure,
            boolean isRouted,
            boolean isMulticastRouted,
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
                            "%10d%10d%6d%10d  %s%s",
                            changedPairs,
                            lostPairs,
                            changedSls,
                            maxLoad,
                            failure,
                            isMulticastRouted ? "" : "; no tree for multicast")
                    : "             no routes              " + failure + ": " + reason;
        }
    }

    /**
     * Plays two of each kind, or all.
     *
     * @param kinds failures that are alike, of which the first and the last are played; each of the failures is in one
     */
    static SingleReport of(WhatIf whatIf, List<Failure> failures, List<List<Failure>> kinds) {
        Map<Failure, Played> known =
                played(whatIf, kinds.stream().flatMap(SingleReport::ends).toList());
        known.putAll(played(
                whatIf,
                kinds.stream()
                        .filter(kind -> !areAlike(ends(kind).map(known::get).toList()))
                        .flatMap(List::stream)
                        .filter(failure -> !known.containsKey(failure))
                        .toList()));
        int played = known.size();
        for (List<Failure> kind : kinds) {
            Played first = Objects.requireNonNull(known.get(kind.get(0)));
            kind.forEach(member -> known.putIfAbsent(member, first));
        }
        return new SingleReport(
                kinds.size(),
                played,
                failures.stream()
                        .map(failure -> Row.of(
                                failure.name(),
                                Objects.requireNonNull(known.get(failure)).outcome()))
                        .toList());
    }

    private static Map<Failure, Played> played(WhatIf whatIf, List<Failure> failures) {
        List<Played> played = whatIf.play(failures);
        Map<Failure, Played> known = new HashMap<>();
        for (int i = 0; i < played.size(); i++) {
            known.put(failures.get(i), played.get(i));
        }
        return known;
    }

    private static Stream<Failure> ends(List<Failure> kind) {
        return Stream.of(kind.get(0), kind.get(kind.size() - 1)).distinct();
    }

    private static boolean areAlike(List<Played> ends) {
        return ends.stream().allMatch(Played::isSameTorus)
                && ends.stream()
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
        lines.add(String.format(
                Locale.ROOT, "%10s%10s%6s%10s  %s", "changed", "lost", "SLs", "max load", "without"));
        rows.forEach(row -> lines.add(row.line()));
        long refused = rows.stream().filter(row -> !row.isRouted).count();
        long withSls = rows.stream().filter(row -> row.changedSls > 0).count();
        lines.add(rows.size() + " failures, each by itself: " + (rows.size() - refused) + " can be routed, " + refused
                + " not; SLs change in " + withSls);
        if (played < rows.size()) {
            lines.add("of these " + played + " were played, the others are mirror images of them (" + kinds
                    + " kinds; --every plays all)");
        }
        return lines;
    }
}
