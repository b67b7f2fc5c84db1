package io.torussm.daemon.planning;

import io.torussm.daemon.planning.TorusSymmetry.Images;
import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.Verdict;
import io.torussm.deadlock.chain.RoutingChain;
import io.torussm.deadlock.chain.RoutingChain.ChainResult;
import io.torussm.deadlock.sl.SlStability;
import io.torussm.deadlock.sl.SlVerdicts;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.routing.Degradation;
import io.torussm.routing.EarlierFacts;
import io.torussm.routing.PathEnds;
import io.torussm.routing.Plan;
import io.torussm.routing.RoutingOptions;
import io.torussm.routing.statistics.PathLosses;
import io.torussm.routing.statistics.PathStatistics;
import io.torussm.routing.statistics.PathTree;
import io.torussm.subnet.Subnet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Routes a fabric without some of its switches and cables, and compares with how it was routed. Thread-safe. */
public final class WhatIf {
    private final Plan before;
    private final RoutingChain chain;
    private final RoutingOptions options;
    private final @Nullable Certificate proof;
    private final PathStatistics paths;
    private final PathLosses losses;
    private final Progress progress;

    /**
     * The effects of a failure. Pairs are ordered pairs of host ports, or of switches if there are no hosts.
     *
     * @param failure the failed devices
     * @param isRouted true if there are routes, with a proof if the engine claims one
     * @param isMulticastRouted true if there is a tree for multicast as well
     * @param reason why there are no routes; empty if routed
     * @param degraded the cost of a last resort if no engine accepts the rest; empty if one does
     * @param engine engine that routes; empty if not routed
     * @param refused why the first engine refuses the rest; empty if it does not, or if not routed
     * @param proof the verdict of the check; empty if not routed
     * @param pairs pairs with a path before the failure
     * @param lostPairs pairs that lose their path, since an end is attached to a failed device
     * @param changedPairs pairs with another route
     * @param changedSls paths with another SL
     * @param maxLoadBefore paths over the most loaded cable, one way
     * @param maxLoadAfter paths over the busiest cable after it
     * @param mostLoaded that cable, afterwards
     * @param sls verdicts for hosts that choose SLs in other ways than the plan expects; null if not routed,
     *     or not requested
     */
    public record Outcome(
            String failure,
            boolean isRouted,
            boolean isMulticastRouted,
            String reason,
            String degraded,
            String engine,
            String refused,
            String proof,
            long pairs,
            long lostPairs,
            long changedPairs,
            long changedSls,
            int maxLoadBefore,
            int maxLoadAfter,
            String mostLoaded,
            @Nullable SlVerdicts sls) {
        /** Checks whether the first engine would route the rest, without a last resort. */
        public boolean isWhole() {
            return isRouted && refused.isEmpty();
        }
    }

    /** A listener to the number of simulated failures, on any thread. */
    @FunctionalInterface
    public interface Progress {
        /** Takes a count, from 1, and how many there are. */
        void played(int done, int all);
    }

    /**
     * An outcome.
     *
     * @param isSameTorus true if the rest is routed by the same engine, with every switch at its position
     */
    record Played(Outcome outcome, boolean isSameTorus) {}

    /**
     * A pair of end ports whose path changes.
     *
     * @param source name of the source
     * @param destination name of the destination
     * @param hopsBefore cables between switches on the path before
     * @param hopsAfter cables between switches on the path afterwards
     */
    public record ChangedPath(String source, String destination, int hopsBefore, int hopsAfter) {}

    /**
     * Prepares failures of a fabric as it is routed now.
     *
     * @param chain chain that routed it; called on several threads simultaneously
     */
    public WhatIf(Plan previousPlan, RoutingChain chain, RoutingOptions options) {
        this(previousPlan, null, chain, options);
    }

    /**
     * Prepares the same with the verdict that the chain gave the plan, so that the proof of the rest can
     * reuse it.
     *
     * @param verdict null if it is not known
     */
    public WhatIf(Plan previousPlan, @Nullable Verdict verdict, RoutingChain chain, RoutingOptions options) {
        this(previousPlan, verdict, chain, options, (done, all) -> {});
    }

    /** Creates the same with reports of its progress. */
    public WhatIf(
            Plan previousPlan,
            @Nullable Verdict verdict,
            RoutingChain chain,
            RoutingOptions options,
            Progress progress) {
        this.progress = progress;
        this.before = previousPlan;
        this.chain = chain;
        this.options = options;
        proof = verdict instanceof Certificate certificate ? certificate : null;
        PathEnds ends = new PathEnds(previousPlan.subnet());
        paths = PathStatistics.of(previousPlan, ends);
        losses = new PathLosses(previousPlan, ends, paths.loads());
    }

    /** Returns the effects of one failure, or of several simultaneous ones, on routes; SLs are not evaluated. */
    public Outcome of(Failure failure) {
        return of(failure, null, false).outcome;
    }

    /**
     * Returns the effects of one failure, or of several simultaneous ones.
     *
     * @param changed receives every pair whose path changes; null if not needed
     */
    public Outcome of(Failure failure, @Nullable Consumer<ChangedPath> changed) {
        return of(failure, changed, true).outcome;
    }

    private Played of(Failure failure, @Nullable Consumer<ChangedPath> changed, boolean isWithSls) {
        Optional<Subnet> left = failure.applyTo(before.subnet());
        if (left.isEmpty()) {
            return refused(failure, "no switch is left");
        }
        ChainResult result = chain.route(left.get(), options, before, EarlierFacts.of(before), proof);
        Plan after = result.plan();
        if (after == null) {
            return refused(failure, firstError(result.findings()));
        }
        SlVerdicts sls = isWithSls ? FabricReport.sls(after, result.multicast(), options) : null;
        return new Played(compared(failure, result, after, changed, sls), isSameTorus(after));
    }

    private boolean isSameTorus(Plan after) {
        Fabric oldFabric = before.subnet().fabric();
        Fabric newFabric = after.subnet().fabric();
        return after.engine().equals(before.engine())
                && IntStream.range(0, newFabric.switchCount()).allMatch(sw -> after.coordinates(sw)
                        .equals(before.coordinates(oldFabric.nodeByGuid(newFabric.nodeGuid(sw)))));
    }

    /** Returns the first error, which gives the reason; a credit loop in full would follow it. */
    private static String firstError(List<Finding> findings) {
        return findings.stream()
                .filter(finding -> finding.severity() == Finding.Severity.ERROR)
                .map(Finding::text)
                .findFirst()
                .orElse("");
    }

    private static String fallback(ChainResult result) {
        return result.findings().stream()
                .filter(finding -> finding.event() == SmEvent.FALLBACK_ENGINE)
                .map(Finding::text)
                .findFirst()
                .orElse("");
    }

    private Played refused(Failure failure, String reason) {
        int load = paths.loads()[paths.mostLoaded()];
        return new Played(
                new Outcome(
                        failure.name(),
                        false,
                        false,
                        reason,
                        "",
                        "",
                        "",
                        "",
                        paths.pairs(),
                        0,
                        0,
                        0,
                        load,
                        0,
                        "",
                        null),
                false);
    }

    private Outcome compared(
            Failure failure,
            ChainResult result,
            Plan after,
            @Nullable Consumer<ChangedPath> changed,
            @Nullable SlVerdicts sls) {
        PathLosses.PairCounts current = losses.new Comparison().with(after);
        if (changed != null) {
            report(after, changed);
        }
        int busiest = current.mostLoaded();
        Verdict verdict = result.verdict();
        return new Outcome(
                failure.name(),
                true,
                result.multicast() != null,
                "",
                after.degradation().map(Degradation::summary).orElse(""),
                after.engine(),
                after.degradation().map(Degradation::reason).orElseGet(() -> fallback(result)),
                verdict == null ? "" : verdict.text(),
                paths.pairs(),
                paths.pairs() - current.pairs(),
                current.changedPairs(),
                SlStability.compare(before, after).changedPaths(),
                paths.loads()[paths.mostLoaded()],
                current.loads()[busiest],
                current.loads()[busiest] == 0 ? "" : Failure.end(before, busiest),
                sls);
    }

    /** Names paths that change; two are the same if they leave the same switches by the same ports. */
    private void report(Plan after, Consumer<ChangedPath> changed) {
        Fabric oldFabric = before.subnet().fabric();
        Fabric newFabric = after.subnet().fabric();
        int[] oldSwitch = new int[newFabric.switchCount()];
        Arrays.setAll(oldSwitch, sw -> oldFabric.nodeByGuid(newFabric.nodeGuid(sw)));
        PathTree old = new PathTree(before);
        PathTree tree = new PathTree(after);
        PathEnds left = new PathEnds(after.subnet());
        boolean[] isOther = new boolean[newFabric.switchCount()];
        for (int end : left.ports()) {
            int lid = left.lid(end);
            old.towards(lid);
            tree.towards(lid);
            int to = newFabric.switchOf(end);
            for (int rank = 0; rank < tree.reached(); rank++) {
                int sw = tree.at(rank);
                isOther[sw] = sw != to && (tree.out(sw) != old.out(oldSwitch[sw]) || isOther[tree.next(sw)]);
            }
            report(left, end, tree, old, oldSwitch, isOther, changed);
        }
    }

    private static void report(
            PathEnds left,
            int end,
            PathTree tree,
            PathTree old,
            int[] oldSwitch,
            boolean[] isOther,
            Consumer<ChangedPath> changed) {
        for (int source : left.ports()) {
            int sw = left.switchOf(source);
            if (isOther[sw] && tree.hops(sw) != PathTree.NO_WAY) {
                changed.accept(
                        new ChangedPath(left.name(source), left.name(end), old.hops(oldSwitch[sw]), tree.hops(sw)));
            }
        }
    }

    /** Returns the effects of every failure alone, in the given order, on all processors. */
    public List<Outcome> each(List<Failure> failures) {
        return play(failures).stream().map(Played::outcome).toList();
    }

    List<Played> play(List<Failure> failures) {
        ForkJoinPool pool = new ForkJoinPool(Runtime.getRuntime().availableProcessors());
        try {
            List<ForkJoinTask<Played>> tasks = new ArrayList<>();
            AtomicInteger done = new AtomicInteger();
            for (Failure failure : failures) {
                tasks.add(pool.submit(() -> {
                    Played played = of(failure, null, false);
                    progress.played(done.incrementAndGet(), failures.size());
                    return played;
                }));
            }
            return tasks.stream().map(ForkJoinTask::join).toList();
        } finally {
            pool.shutdown();
        }
    }

    /** Returns the effects of every failure alone; of mirror images in a torus only some are simulated. */
    public SingleReport singles(List<Failure> failures) {
        return TorusSymmetry.of(before)
                .map(symmetry -> SingleReport.of(this, failures, symmetry.mirrored(failures, options)))
                .orElseGet(() -> every(failures));
    }

    /** Returns the same, all of them played. */
    public SingleReport every(List<Failure> failures) {
        return SingleReport.of(this, failures, failures.stream().map(Images::of).toList());
    }

    /**
     * Returns every two failures at the same time, by kinds; empty if the fabric is no torus that is whole and
     * even.
     */
    public Optional<PairReport> pairs() {
        return TorusSymmetry.of(before).map(symmetry -> PairReport.of(symmetry, this));
    }

    /**
     * Returns the effects of single failures of each kind, for a fabric whose failures are alike by symmetry.
     * Empty if they are not, or if the engine refuses the rest after a simulated one.
     */
    public List<Outcome> spareBySymmetry() {
        List<Outcome> played = TorusSymmetry.of(before)
                .map(symmetry -> each(symmetry.singles().stream()
                        .flatMap(kind -> kind.drawn().stream())
                        .toList()))
                .orElse(List.of());
        return played.stream().allMatch(Outcome::isWhole) ? played : List.of();
    }
}
