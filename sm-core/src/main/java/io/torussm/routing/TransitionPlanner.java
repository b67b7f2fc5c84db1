package io.torussm.routing;

import io.torussm.fabric.Fabric;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Finds the {@link Transition} from what switches hold to a plan. One use. */
final class TransitionPlanner {
    /** Edges to be ordered one by one; with more of them only those that go upward in the order of the new tables stay. */
    private static final int ONE_BY_ONE = 1 << 17;

    private final RoutingPlan plan;
    private final @Nullable MulticastTree tree;
    private final int tasks;
    private final Channels channels;
    private final MixedDestinations destinations;

    TransitionPlanner(
            HeldTables held,
            @Nullable RoutingPlan before,
            RoutingPlan plan,
            @Nullable MulticastTree tree,
            RoutingOptions options,
            int tasks) {
        this.plan = plan;
        this.tree = tree;
        this.tasks = tasks;
        channels = new Channels(plan, options, held);
        destinations = new MixedDestinations(channels, held, before, tasks);
    }

    /**
     * Finds it.
     *
     * @param wantedGraph the dependencies of the plan alone, asked for only if the union has a cycle
     */
    Transition find(Supplier<ChannelDependencyGraph> wantedGraph) {
        if (!destinations.isAnyLinkUp() || !isAnythingChanged() || union(false).numbering() != null) {
            return Transition.FREE;
        }
        int[][] early = entries((sw, held, wanted) -> destinations.isEarly(sw, wanted));
        int[][] late =
                entries((sw, held, wanted) -> destinations.isLate(sw, held) && !destinations.isEarly(sw, wanted));
        ChannelDependencyGraph union = union(true);
        if (union.numbering() != null) {
            return Transition.inSteps(early, late, new int[0][]);
        }
        ChannelDependencyGraph after = withMulticast(wantedGraph.get());
        int[] numbering = after.numbering();
        if (numbering == null) {
            return Transition.FREE;
        }
        return Transition.inSteps(early, late, dropped(cuts(union, after, numbering)));
    }

    /** Picks among entries that change. */
    private interface Choice {
        boolean takes(int sw, byte held, byte wanted);
    }

    private int[][] entries(Choice choice) {
        int[][] lids = new int[channels.switchCount][];
        for (int sw = 0; sw < lids.length; sw++) {
            byte[] held = destinations.held[sw];
            byte[] wanted = destinations.wanted[sw];
            int at = sw;
            lids[sw] = IntStream.range(0, held.length)
                    .filter(lid -> held[lid] != wanted[lid] && choice.takes(at, held[lid], wanted[lid]))
                    .toArray();
        }
        return lids;
    }

    private boolean isAnythingChanged() {
        if (destinations.isAnyEntryChanged()) {
            return true;
        }
        for (int sw = 0; sw < channels.switchCount; sw++) {
            for (int out = 0; out < channels.degree(sw); out++) {
                if (channels.isRowChanged(sw, out)) {
                    return true;
                }
            }
        }
        return false;
    }

    private ChannelDependencyGraph union(boolean isDeferring) {
        Traffic traffic = new Traffic(channels);
        List<MixedTrees> walked = walk(isDeferring, traffic, null);
        for (MixedTrees more : walked.subList(1, walked.size())) {
            traffic.add(more.traffic());
        }
        return withMulticast(new ChannelDependencyGraph(traffic));
    }

    private ChannelDependencyGraph withMulticast(ChannelDependencyGraph unicast) {
        return tree == null ? unicast : unicast.with(new MulticastDependencies(channels, tree, plan.multicastSls()));
    }

    private List<MixedTrees> walk(boolean isDeferring, Traffic shape, @Nullable List<Cuts> cuts) {
        AtomicInteger nextBlock = new AtomicInteger();
        List<MixedTrees> walkers = new ArrayList<>();
        List<ForkJoinTask<?>> work = new ArrayList<>();
        for (int task = 0; task < tasks; task++) {
            Traffic traffic = task == 0 || cuts != null ? shape : new Traffic(shape);
            Cuts mine = cuts == null ? null : cuts.get(task);
            MixedTrees walker = new MixedTrees(channels, destinations, isDeferring, traffic, mine);
            walkers.add(walker);
            work.add(ForkJoinTask.adapt(() -> walker.walk(nextBlock)));
        }
        ForkJoinTask.invokeAll(work);
        return walkers;
    }

    /** Edges of the union without which it has no cycle, none of them of the new tables; ascending. */
    private long[] cuts(ChannelDependencyGraph union, ChannelDependencyGraph after, int[] numbering) {
        long[] candidates = candidates(union, after);
        if (candidates.length > ONE_BY_ONE) {
            return Arrays.stream(candidates)
                    .filter(edge -> !leadsUpward(edge, numbering))
                    .toArray();
        }
        GrowingOrder order = new GrowingOrder(after, numbering);
        return Arrays.stream(candidates)
                .filter(edge -> !order.add((int) (edge >>> 32), (int) edge))
                .toArray();
    }

    private static boolean leadsUpward(long edge, int[] numbering) {
        int held = numbering[(int) (edge >>> 32)];
        int wanted = numbering[(int) edge];
        return held != Fabric.NONE && wanted != Fabric.NONE && held < wanted;
    }

    /** Edges of the union that may be on a cycle and are not of the new tables. */
    private static long[] candidates(ChannelDependencyGraph union, ChannelDependencyGraph after) {
        BitSet onCycles = CycleSearch.trimmed(union);
        LongStream.Builder found = LongStream.builder();
        for (int held = onCycles.nextSetBit(0); held >= 0; held = onCycles.nextSetBit(held + 1)) {
            for (int edge = union.first(held); edge < union.first(held + 1); edge++) {
                int wanted = union.successor(edge);
                if (onCycles.get(wanted) && !after.hasEdge(held, wanted)) {
                    found.add(Cuts.edge(held, wanted));
                }
            }
        }
        return found.build().sorted().distinct().toArray();
    }

    /** What makes the edges: by switch, LIDs in ascending order. */
    private int[][] dropped(long[] edges) {
        List<Cuts> cuts = new ArrayList<>();
        for (int task = 0; task < tasks; task++) {
            cuts.add(new Cuts(edges));
        }
        walk(true, new Traffic(channels), cuts);
        long[] entries = cuts.stream()
                .flatMapToLong(each -> Arrays.stream(each.entries()))
                .sorted()
                .distinct()
                .toArray();
        int[][] lids = new int[channels.switchCount][];
        for (int from = 0, sw = 0; sw < lids.length; sw++) {
            int to = from;
            while (to < entries.length && entries[to] >>> 32 == sw) {
                to++;
            }
            lids[sw] = Arrays.stream(entries, from, to)
                    .mapToInt(entry -> (int) entry)
                    .toArray();
            from = to;
        }
        return lids;
    }
}
