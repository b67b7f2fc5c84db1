package io.torussm.deadlock.transition;

import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.ChannelDependencyGraph;
import io.torussm.deadlock.Channels;
import io.torussm.deadlock.CycleSearch;
import io.torussm.deadlock.HeldTables;
import io.torussm.deadlock.MulticastDependencies;
import io.torussm.deadlock.SlUsage;
import io.torussm.deadlock.growth.ForbiddenEdges;
import io.torussm.routing.MulticastTree;
import io.torussm.routing.Plan;
import io.torussm.routing.RoutingOptions;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A planner of the {@link Transition} from the current tables of switches to those of a plan with a certificate. It
 * walks all paths on which a packet may meet old and new entries. If their dependencies have no cycle, the order is
 * free. Otherwise it selects edges that break all cycles, and drops the changing entries that cause these edges. An
 * instance is used once.
 */
public final class TransitionPlanner {
    /**
     * Upper limit of edges that are selected one by one. If more edges lead downward in the numbering of the new
     * tables, all of them are cut.
     */
    private static final int MAX_SELECTED_EDGES = 1 << 17;

    private static final int[][] NO_LIDS = {};
    private static final long[] NO_EDGES = {};

    private final Plan plan;
    private final Certificate certificate;
    private final int tasks;
    private final Channels channels;
    private final boolean isAnyRowChanged;
    private final MixedDestinations destinations;

    /**
     * Creates a planner.
     *
     * @param held the current tables of the switches
     * @param previousPlan the active plan, for packets to LIDs that the new plan lacks; null if none is active
     * @param tasks number of parallel parts, at least 1
     */
    public TransitionPlanner(
            HeldTables held,
            @Nullable Plan previousPlan,
            Plan plan,
            Certificate certificate,
            RoutingOptions options,
            int tasks) {
        this(held, previousPlan, plan, certificate, options, tasks, false);
    }

    /**
     * Creates a planner.
     *
     * @param held the current tables of the switches
     * @param previousPlan the active plan, for packets to LIDs that the new plan lacks; null if none is active
     * @param tasks number of parallel parts, at least 1
     * @param isThorough whether every destination is walked from every switch, even if few entries change
     */
    public TransitionPlanner(
            HeldTables held,
            @Nullable Plan previousPlan,
            Plan plan,
            Certificate certificate,
            RoutingOptions options,
            int tasks,
            boolean isThorough) {
        this.plan = plan;
        this.certificate = certificate;
        this.tasks = tasks;
        Channels proved = held.areRowsPlanned() ? certificate.channelsOf(plan, options) : null;
        channels = proved == null ? new Channels(plan, options, held) : proved;
        isAnyRowChanged = isAnyRowChanged();
        destinations = new MixedDestinations(
                channels, held, previousPlan, certificate.groups(), isThorough || isAnyRowChanged, tasks);
    }

    private boolean isAnyRowChanged() {
        for (int sw = 0; sw < channels.switchCount; sw++) {
            for (int out = 0; out < channels.degree(sw); out++) {
                if (channels.isRowChanged(sw, out)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Returns the transition. */
    public Transition find() {
        if (!destinations.isAnyLinkUp() || (!isAnyRowChanged && !destinations.isAnyEntryChanged())) {
            return Transition.FREE;
        }
        SlUsage shape = new SlUsage(channels);
        if (isFree(shape)) {
            return Transition.FREE;
        }
        int[][] early = entries((sw, held, wanted) -> destinations.isEarly(sw, wanted));
        int[][] late =
                entries((sw, held, wanted) -> destinations.isLate(sw, held) && !destinations.isEarly(sw, wanted));
        return Transition.inSteps(early, late, dropped(shape), isVanishedLast(shape));
    }

    /**
     * Checks whether the new tables have no cycle together with packets on old paths to LIDs that no port has any more,
     * so that the entries of these LIDs can be removed last.
     */
    private boolean isVanishedLast(SlUsage shape) {
        if (!destinations.isSparse() || destinations.vanishedCount() == 0) {
            return destinations.isSparse();
        }
        MixedTrees walker = MixedTrees.mixed(channels, destinations, true, new SlUsage(shape));
        walker.walkVanished();
        return !walker.hasLoops()
                && CycleRegion.of(certificate, recordedDependencies(walker.traffic(), List.of(walker)))
                        .isEmpty();
    }

    /** A predicate that selects changing entries. */
    private interface Choice {
        boolean selects(int sw, byte held, byte wanted);
    }

    /** Returns [switch] LIDs of the changing entries that a predicate selects, ascending. */
    private int[][] entries(Choice choice) {
        int[][] lids = new int[channels.switchCount][];
        for (int sw = 0; sw < lids.length; sw++) {
            byte[] held = destinations.oldLfts[sw];
            byte[] wanted = destinations.newLfts[sw];
            int current = sw;
            IntStream.Builder chosen = IntStream.builder();
            destinations.forEachChange(sw, lid -> {
                if (choice.selects(current, held[lid], wanted[lid])) {
                    chosen.add(lid);
                }
            });
            lids[sw] = chosen.build().toArray();
        }
        return lids;
    }

    /** Checks whether changing entries may be written in any order: there is no cycle, and no packet may loop. */
    private boolean isFree(SlUsage shape) {
        List<MixedTrees> walked =
                walk(task -> MixedTrees.mixed(channels, destinations, false, task == 0 ? shape : new SlUsage(shape)));
        if (walked.stream().anyMatch(MixedTrees::hasLoops)) {
            return false;
        }
        SlUsage traffic = union(walked);
        return destinations.isSparse()
                ? CycleRegion.of(certificate, recordedDependencies(traffic, walked))
                        .isEmpty()
                : withMulticast(new ChannelDependencyGraph(traffic)).numbering() != null;
    }

    /**
     * Returns [switch] LIDs of the entries to drop, ascending, so that the changing entries whose old and new ports
     * have links may be written in any order; an empty array if no entry is dropped.
     */
    private int[][] dropped(SlUsage shape) {
        List<MixedTrees> walked = walk(task -> MixedTrees.mixed(channels, destinations, true, new SlUsage(shape)));
        SlUsage traffic = union(walked);
        RegionGraph mixed = destinations.isSparse() ? ofRegion(recordedDependencies(traffic, walked)) : ofAll(traffic);
        RegionGraph onCycles = mixed.trimmed();
        return onCycles.isEmpty() ? NO_LIDS : dropped(onCycles.cuts(certificate.numbering(), MAX_SELECTED_EDGES));
    }

    /** Returns the dependencies of all packets and multicast that can be on cycles. */
    private RegionGraph ofAll(SlUsage traffic) {
        ChannelDependencyGraph mixed = withMulticast(new ChannelDependencyGraph(traffic));
        BitSet region = mixed.numbering() != null ? new BitSet() : CycleSearch.trimmed(mixed);
        return RegionGraph.of(region, mixed, NO_EDGES, null);
    }

    /**
     * Returns the dependencies in the region that can contain cycles. A dependency of the new tables counts only if it
     * is in {@code changing}, or if packets that pass no changing entry cause it. The rest exist only after deferred
     * entries are written, and would close cycles that cannot occur in this step.
     *
     * @param changing dependencies of packets that pass a changing entry
     */
    private RegionGraph ofRegion(ChannelDependencyGraph changing) {
        BitSet region = CycleRegion.of(certificate, changing);
        long[] steady = SteadyDependencies.among(destinations, certificate.unicast(), changing, region, tasks);
        return RegionGraph.of(region, changing, steady, certificate.groupTraffic());
    }

    /** Returns the dependencies of packets that were walked, from channels of the links with recorded traffic. */
    private static ChannelDependencyGraph recordedDependencies(SlUsage traffic, List<MixedTrees> walked) {
        BitSet links = new BitSet();
        walked.forEach(walker -> links.or(walker.recordedLinks()));
        return new ChannelDependencyGraph(traffic, links);
    }

    private ChannelDependencyGraph withMulticast(ChannelDependencyGraph unicast) {
        MulticastTree tree = certificate.multicast();
        return tree == null ? unicast : unicast.with(new MulticastDependencies(channels, tree, plan.multicastSls()));
    }

    /** Returns the union of the traffic of all tasks, which replaces the traffic of the first task. */
    private static SlUsage union(List<MixedTrees> walked) {
        SlUsage traffic = walked.get(0).traffic();
        walked.subList(1, walked.size()).forEach(more -> traffic.add(more.traffic()));
        return traffic;
    }

    /** Walks all destinations in parallel. Returns the walk of each task. */
    private List<MixedTrees> walk(IntFunction<MixedTrees> walkers) {
        AtomicInteger nextBlock = new AtomicInteger();
        List<MixedTrees> all = IntStream.range(0, tasks).mapToObj(walkers).toList();
        ForkJoinTask.invokeAll(all.stream()
                .map(walker -> ForkJoinTask.adapt(() -> walker.walk(nextBlock)))
                .toList());
        return all;
    }

    /** Returns [switch] LIDs of the entries that cause some edges, ascending. */
    private int[][] dropped(long[] edges) {
        List<ForbiddenEdges> cuts = IntStream.range(0, tasks)
                .mapToObj(task -> new ForbiddenEdges(channels.switchCount, edges))
                .toList();
        walk(task -> MixedTrees.cutting(channels, destinations, cuts.get(task)));
        int[][] lids = new int[channels.switchCount][];
        for (int sw = 0; sw < lids.length; sw++) {
            BitSet all = new BitSet();
            for (ForbiddenEdges each : cuts) {
                each.addDropped(sw, all);
            }
            lids[sw] = all.stream().toArray();
        }
        return lids;
    }
}
