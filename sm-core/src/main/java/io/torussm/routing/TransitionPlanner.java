package io.torussm.routing;

import io.torussm.fabric.Fabric;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Finds the {@link Transition} from what switches hold to a plan. One use. */
final class TransitionPlanner {
    /** Edges to be ordered one by one; if more go downward in the order of the new tables, all of them are cut. */
    private static final int ONE_BY_ONE = 1 << 17;

    private final RoutingPlan plan;
    private final Certificate certificate;
    private final int tasks;
    private final Channels channels;
    private final MixedDestinations destinations;

    TransitionPlanner(
            HeldTables held,
            @Nullable RoutingPlan before,
            RoutingPlan plan,
            Certificate certificate,
            RoutingOptions options,
            int tasks) {
        this.plan = plan;
        this.certificate = certificate;
        this.tasks = tasks;
        channels = new Channels(plan, options, held);
        destinations = new MixedDestinations(channels, held, before, tasks);
    }

    /** Finds it. */
    Transition find() {
        if (!destinations.isAnyLinkUp() || !isAnythingChanged()) {
            return Transition.FREE;
        }
        ChannelDependencyGraph anyOrder = union(false);
        if (anyOrder != null && anyOrder.numbering() != null) {
            return Transition.FREE;
        }
        int[][] early = entries((sw, held, wanted) -> destinations.isEarly(sw, wanted));
        int[][] late =
                entries((sw, held, wanted) -> destinations.isLate(sw, held) && !destinations.isEarly(sw, wanted));
        ChannelDependencyGraph inSteps = Objects.requireNonNull(union(true));
        int[][] dropped = inSteps.numbering() != null ? new int[0][] : dropped(cuts(inSteps));
        return Transition.inSteps(early, late, dropped);
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

    /**
     * What packets may wait for while entries change in any order.
     *
     * @param isDeferring whether that goes for entries only that lead somewhere before and after; if not, the walk ends
     *     with null as soon as it meets a packet that goes in circles
     */
    private @Nullable ChannelDependencyGraph union(boolean isDeferring) {
        Traffic traffic = new Traffic(channels);
        List<MixedTrees> walked = walk(isDeferring, traffic, null);
        if (!isDeferring && walked.stream().anyMatch(MixedTrees::hasCircles)) {
            return null;
        }
        for (MixedTrees more : walked.subList(1, walked.size())) {
            traffic.add(more.traffic());
        }
        MulticastTree tree = certificate.multicast();
        ChannelDependencyGraph unicast = new ChannelDependencyGraph(traffic);
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

    /** Edges of a union without which it has no cycle, none of them of the new tables alone; ascending. */
    private long[] cuts(ChannelDependencyGraph union) {
        int[] numbering = certificate.numbering(channels);
        BitSet onCycles = CycleSearch.trimmed(union);
        LongStream.Builder found = LongStream.builder();
        for (int held = onCycles.nextSetBit(0); held >= 0; held = onCycles.nextSetBit(held + 1)) {
            for (int edge = union.first(held); edge < union.first(held + 1); edge++) {
                int wanted = union.successor(edge);
                if (onCycles.get(wanted) && !isUpward(numbering, held, wanted)) {
                    found.add(Cuts.edge(held, wanted));
                }
            }
        }
        long[] downward = found.build().sorted().distinct().toArray();
        if (downward.length > ONE_BY_ONE) {
            return downward;
        }
        ChannelDependencyGraph upward = union.only((held, wanted) -> isUpward(numbering, held, wanted));
        GrowingOrder order = new GrowingOrder(upward, Objects.requireNonNull(upward.numbering()));
        return Arrays.stream(downward)
                .filter(edge -> !order.add((int) (edge >>> 32), (int) edge))
                .toArray();
    }

    private static boolean isUpward(int[] numbering, int held, int wanted) {
        return numbering[held] != Fabric.NONE && numbering[held] < numbering[wanted];
    }

    /** What makes the edges: by switch, LIDs in ascending order. */
    private int[][] dropped(long[] edges) {
        List<Cuts> cuts = new ArrayList<>();
        for (int task = 0; task < tasks; task++) {
            cuts.add(new Cuts(channels.switchCount, edges));
        }
        walk(true, new Traffic(channels), cuts);
        int[][] lids = new int[channels.switchCount][];
        for (int sw = 0; sw < lids.length; sw++) {
            BitSet all = cuts.get(0).dropped(sw);
            for (Cuts more : cuts.subList(1, cuts.size())) {
                all.or(more.dropped(sw));
            }
            lids[sw] = all.stream().toArray();
        }
        return lids;
    }
}
