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

/**
 * The simulation of failures: it routes a fabric without some switches and cables, and compares the new routes with the
 * plan. Thread-safe.
 */
public final class WhatIf {
    private final Plan originalPlan;
    private final RoutingChain chain;
    private final RoutingOptions options;
    private final @Nullable Certificate proof;
    private final PathStatistics paths;
    private final PathLosses losses;
    private final Progress progress;

    /**
     * The effects of a failure. Pairs are ordered pairs of host ports, or of switches if there are no hosts.
     *
     * @param failure name of the failure
     * @param isRouted true if an engine routed the rest, with a proof if the engine claims one
     * @param isMulticastRouted true if the rest has a tree for multicast, too
     * @param reason reason why the rest is not routed; empty if routed
     * @param degraded cost of a last resort if no engine accepts the rest; empty if an engine accepts it
     * @param engine engine of the routes; empty if not routed
     * @param refused reason why the first engine refuses the rest; empty if it accepts the rest, or if not routed
     * @param proof verdict of the deadlock check, in words; empty if not routed
     * @param pairs number of pairs with a path before the failure
     * @param lostPairs number of pairs that lose their path, since an end is attached to a failed device
     * @param changedPairs number of pairs with another route
     * @param changedSls number of paths with another SL
     * @param maxLoadBefore number of paths over the most loaded cable before the failure, one way
     * @param maxLoadAfter number of paths over the most loaded cable after the failure, one way
     * @param mostLoaded port from which the latter cable is loaded; empty if no cable is loaded
     * @param sls verdicts for hosts that choose other SLs than the plan expects; null if not routed, or not requested
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

    /** A receiver of the number of simulated failures, called on any thread. */
    @FunctionalInterface
    public interface Progress {
        /**
         * Receives the progress.
         *
         * @param finished number of simulated failures, from 1
         * @param all number of all failures
         */
        void simulated(int finished, int all);
    }

    /**
     * An outcome with a comparison of positions.
     *
     * @param isSameTorus true if the rest is routed by the same engine, with every switch at its position
     */
    record SimulatedOutcome(Outcome outcome, boolean isSameTorus) {}

    /**
     * A pair of end ports whose path changes.
     *
     * @param source name of the source
     * @param destination name of the destination
     * @param hopsBefore number of cables between switches on the path before the failure
     * @param hopsAfter number of cables between switches on the path after the failure
     */
    public record ChangedPath(String source, String destination, int hopsBefore, int hopsAfter) {}

    /**
     * Creates a simulation of failures of a routed fabric.
     *
     * @param previousPlan plan before the failures
     * @param chain chain that made the plan; called on several threads simultaneously
     * @param options options of the chain
     */
    public WhatIf(Plan previousPlan, RoutingChain chain, RoutingOptions options) {
        this(previousPlan, null, chain, options);
    }

    /**
     * Creates a simulation that reuses the proof of the plan.
     *
     * @param verdict verdict of the chain on the plan; null if unknown
     */
    public WhatIf(Plan previousPlan, @Nullable Verdict verdict, RoutingChain chain, RoutingOptions options) {
        this(previousPlan, verdict, chain, options, (finished, all) -> {});
    }

    /** Creates a simulation that reuses the proof of the plan and reports its progress. */
    public WhatIf(
            Plan previousPlan,
            @Nullable Verdict verdict,
            RoutingChain chain,
            RoutingOptions options,
            Progress progress) {
        this.progress = progress;
        this.originalPlan = previousPlan;
        this.chain = chain;
        this.options = options;
        proof = verdict instanceof Certificate certificate ? certificate : null;
        PathEnds ends = new PathEnds(previousPlan.subnet());
        paths = PathStatistics.of(previousPlan, ends);
        losses = new PathLosses(previousPlan, ends, paths.loads());
    }

    /** Returns the effects of a failure on routes, without the verdicts on SLs. */
    public Outcome of(Failure failure) {
        return of(failure, null, false).outcome;
    }

    /**
     * Returns the effects of a failure, with the verdicts on SLs.
     *
     * @param changed receiver of every pair whose path changes; null if not needed
     */
    public Outcome of(Failure failure, @Nullable Consumer<ChangedPath> changed) {
        return of(failure, changed, true).outcome;
    }

    private SimulatedOutcome of(Failure failure, @Nullable Consumer<ChangedPath> changed, boolean isWithSls) {
        Optional<Subnet> rest = failure.applyTo(originalPlan.subnet());
        if (rest.isEmpty()) {
            return refusedOutcome(failure, "no switch is left");
        }
        ChainResult result = chain.route(rest.get(), options, originalPlan, EarlierFacts.of(originalPlan), proof);
        Plan after = result.plan();
        if (after == null) {
            return refusedOutcome(failure, firstError(result.findings()));
        }
        SlVerdicts sls = isWithSls ? FabricReport.sls(after, result.multicast(), options) : null;
        return new SimulatedOutcome(compare(failure, result, after, changed, sls), isSameTorus(after));
    }

    private boolean isSameTorus(Plan after) {
        Fabric oldFabric = originalPlan.subnet().fabric();
        Fabric newFabric = after.subnet().fabric();
        return after.engine().equals(originalPlan.engine())
                && IntStream.range(0, newFabric.switchCount()).allMatch(sw -> after.coordinates(sw)
                        .equals(originalPlan.coordinates(oldFabric.nodeByGuid(newFabric.nodeGuid(sw)))));
    }

    /** Returns the text of the first error, which is the reason. Further errors list a credit loop. */
    private static String firstError(List<Finding> findings) {
        return findings.stream()
                .filter(finding -> finding.severity() == Finding.Severity.ERROR)
                .map(Finding::text)
                .findFirst()
                .orElse("");
    }

    private static String fallbackText(ChainResult result) {
        return result.findings().stream()
                .filter(finding -> finding.event() == SmEvent.FALLBACK_ENGINE)
                .map(Finding::text)
                .findFirst()
                .orElse("");
    }

    private SimulatedOutcome refusedOutcome(Failure failure, String reason) {
        int load = paths.loads()[paths.mostLoaded()];
        return new SimulatedOutcome(
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

    private Outcome compare(
            Failure failure,
            ChainResult result,
            Plan after,
            @Nullable Consumer<ChangedPath> changed,
            @Nullable SlVerdicts sls) {
        PathLosses.PairCounts current = losses.new Comparison().countAfter(after);
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
                after.degradation().map(Degradation::reason).orElseGet(() -> fallbackText(result)),
                verdict == null ? "" : verdict.text(),
                paths.pairs(),
                paths.pairs() - current.pairs(),
                current.changedPairs(),
                SlStability.compare(originalPlan, after).changedPaths(),
                paths.loads()[paths.mostLoaded()],
                current.loads()[busiest],
                current.loads()[busiest] == 0 ? "" : Failure.portName(originalPlan, busiest),
                sls);
    }

    /**
     * Reports the pairs whose path changes. A path is unchanged if it leaves the same switches by the same ports.
     * Switches are visited in the order of their distance from the destination, so the next switch is known already.
     */
    private void report(Plan after, Consumer<ChangedPath> changed) {
        Fabric oldFabric = originalPlan.subnet().fabric();
        Fabric newFabric = after.subnet().fabric();
        int[] oldSwitch = new int[newFabric.switchCount()];
        Arrays.setAll(oldSwitch, sw -> oldFabric.nodeByGuid(newFabric.nodeGuid(sw)));
        PathTree oldTree = new PathTree(originalPlan);
        PathTree newTree = new PathTree(after);
        PathEnds rest = new PathEnds(after.subnet());
        boolean[] isOther = new boolean[newFabric.switchCount()];
        for (int end : rest.ports()) {
            int lid = rest.lid(end);
            oldTree.followTo(lid);
            newTree.followTo(lid);
            int to = newFabric.switchOf(end);
            for (int rank = 0; rank < newTree.reachedCount(); rank++) {
                int sw = newTree.switchAt(rank);
                isOther[sw] = sw != to && (newTree.out(sw) != oldTree.out(oldSwitch[sw]) || isOther[newTree.next(sw)]);
            }
            report(rest, end, newTree, oldTree, oldSwitch, isOther, changed);
        }
    }

    private static void report(
            PathEnds rest,
            int end,
            PathTree newTree,
            PathTree oldTree,
            int[] oldSwitch,
            boolean[] isOther,
            Consumer<ChangedPath> changed) {
        for (int source : rest.ports()) {
            int sw = rest.switchOf(source);
            if (isOther[sw] && newTree.hops(sw) != PathTree.NO_PATH) {
                changed.accept(new ChangedPath(
                        rest.name(source), rest.name(end), oldTree.hops(oldSwitch[sw]), newTree.hops(sw)));
            }
        }
    }

    /** Returns the effects of each single failure, in the given order. Runs on all processors. */
    public List<Outcome> outcomes(List<Failure> failures) {
        return simulate(failures).stream().map(SimulatedOutcome::outcome).toList();
    }

    List<SimulatedOutcome> simulate(List<Failure> failures) {
        ForkJoinPool pool = new ForkJoinPool(Runtime.getRuntime().availableProcessors());
        try {
            List<ForkJoinTask<SimulatedOutcome>> tasks = new ArrayList<>();
            AtomicInteger finished = new AtomicInteger();
            for (Failure failure : failures) {
                tasks.add(pool.submit(() -> {
                    SimulatedOutcome played = of(failure, null, false);
                    progress.simulated(finished.incrementAndGet(), failures.size());
                    return played;
                }));
            }
            return tasks.stream().map(ForkJoinTask::join).toList();
        } finally {
            pool.shutdown();
        }
    }

    /** Returns the effects of each single failure. Of mirror images in a torus, only some are simulated. */
    public SingleReport singles(List<Failure> failures) {
        return TorusSymmetry.of(originalPlan)
                .map(symmetry -> SingleReport.of(this, failures, symmetry.mirrored(failures, options)))
                .orElseGet(() -> simulateAll(failures));
    }

    /** Returns the effects of each single failure, all of which are simulated. */
    public SingleReport simulateAll(List<Failure> failures) {
        return SingleReport.of(this, failures, failures.stream().map(Images::of).toList());
    }

    /**
     * Returns the effects of any two simultaneous failures, by kinds. Empty unless the fabric is a complete torus with
     * equally many hosts at all switches.
     */
    public Optional<PairReport> pairs() {
        return TorusSymmetry.of(originalPlan).map(symmetry -> PairReport.of(symmetry, this));
    }

    /**
     * Returns the effects of some single failures of each kind, for a torus with {@link TorusSymmetry}. Empty for
     * another fabric, or if the first engine refuses the rest after a simulated failure.
     */
    public List<Outcome> spareBySymmetry() {
        List<Outcome> played = TorusSymmetry.of(originalPlan)
                .map(symmetry -> outcomes(symmetry.singles().stream()
                        .flatMap(kind -> kind.samples().stream())
                        .toList()))
                .orElse(List.of());
        return played.stream().allMatch(Outcome::isWhole) ? played : List.of();
    }
}
