package io.torussm.deadlock;

import io.torussm.routing.Plan;
import io.torussm.routing.RoutingOptions;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * The routes of a plan with holes that can stay: those that arrive, as far as they close no credit loop. A switch whose
 * route to a LID is not kept has no entry for it, so whatever has an entry arrives.
 */
final class KeptRoutes {
    private static final byte NO_PATH = (byte) 0xff;

    private final Plan partial;
    private final int tasks;

    /** By switch: egress port by LID, 0xFF where no route is kept. */
    final byte[][] lfts;

    final Channels channels;
    final DestinationGroups groups;

    /** By group: switches without a route, ascending. */
    final int[][] dead;

    /** By link: routes over it. */
    final int[] load;

    private ChannelDependencyGraph graph;
    private int[] numbering;

    KeptRoutes(Plan partial, RoutingOptions options, int tasks) {
        this.partial = partial;
        this.tasks = tasks;
        lfts = new byte[partial.subnet().fabric().switchCount()][];
        Arrays.setAll(lfts, sw -> partial.lft(sw).clone());
        Plan plan = partial.withTables(lfts)
                .sls(new RoutedSls(partial.sls(), partial.subnet(), lfts))
                .build();
        channels = new Channels(plan, options);
        deliver();
        groups = new DestinationGroups(channels, lfts, tasks);
        dead = new int[groups.count()][];
        load = new int[channels.linkTo.length];
        prune(new BitSet(), (held, wanted) -> true);
        graph = walk();
        int[] upward = graph.numbering();
        if (upward == null) {
            cut();
            graph = walk();
            upward = Objects.requireNonNull(graph.numbering());
        }
        numbering = upward;
    }

    /** The SLs that paths from a switch to a LID may have, whether a route is kept or not. */
    int slMask(int sw, int lid) {
        return partial.slMask(sw, lid);
    }

    /** Dependencies of the routes that are kept. */
    ChannelDependencyGraph graph() {
        return graph;
    }

    /** A numbering in which they lead upward; a copy. */
    int[] numbering() {
        return numbering.clone();
    }

    private void deliver() {
        for (int lid = 1; lid <= channels.subnet.topLid(); lid++) {
            int sw = channels.subnet.switchOfLid(lid);
            if (sw >= 0) {
                lfts[sw][lid] = (byte) channels.deliveryPort(lid);
            }
        }
    }

    /**
     * Takes away what does not arrive, and what makes dependencies that are not to be; counts the routes over links.
     *
     * @param suspects links that are held in some of these
     */
    private void prune(BitSet suspects, PathDependencies.Sink allowed) {
        Arrays.fill(load, 0);
        AtomicInteger next = new AtomicInteger();
        ForkJoinTask.invokeAll(IntStream.range(0, tasks)
                .mapToObj(task -> ForkJoinTask.adapt(() -> prune(next, suspects, allowed)))
                .toList());
    }

    private void prune(AtomicInteger next, BitSet suspects, PathDependencies.Sink allowed) {
        PathDependencies dependencies = new PathDependencies(channels);
        DestinationTree tree = new DestinationTree(channels);
        int[] mine = new int[load.length];
        for (int group = next.getAndIncrement(); group < groups.count(); group = next.getAndIncrement()) {
            int lid = groups.members(group)[0];
            tree.read(lfts, lid, groups.destination(group));
            if (!suspects.isEmpty() && Arrays.stream(tree.next).anyMatch(link -> link >= 0 && suspects.get(link))) {
                int[] guilty = IntStream.range(0, channels.switchCount)
                        .filter(sw -> tree.isLive(sw)
                                && !dependencies.follow(tree, sw, channels.plan.slMask(sw, lid), allowed))
                        .toArray();
                Arrays.stream(guilty).forEach(tree::cut);
                tree.findLive();
            }
            dead[group] = tree.dead();
            for (int sw : dead[group]) {
                for (int each : groups.members(group)) {
                    lfts[sw][each] = NO_PATH;
                }
            }
            tree.addLoad(mine, groups.members(group).length);
        }
        synchronized (load) {
            for (int link = 0; link < load.length; link++) {
                load[link] += mine[link];
            }
        }
    }

    private ChannelDependencyGraph walk() {
        AtomicInteger nextBlock = new AtomicInteger();
        SlUsage shape = new SlUsage(channels);
        List<InTrees> walkers = IntStream.range(0, tasks)
                .mapToObj(task -> new InTrees(channels, lfts, groups, task == 0 ? shape : new SlUsage(shape)))
                .toList();
        ForkJoinTask.invokeAll(walkers.stream()
                .map(walker -> ForkJoinTask.adapt(() -> walker.walk(nextBlock)))
                .toList());
        SlUsage traffic = walkers.get(0).traffic();
        walkers.subList(1, walkers.size()).forEach(more -> traffic.add(more.traffic()));
        return new ChannelDependencyGraph(traffic);
    }

    /** Takes away the routes that make dependencies without which there is no cycle. */
    private void cut() {
        BitSet onCycles = CycleSearch.trimmed(graph);
        ChannelDependencyGraph others = graph.only((held, wanted) -> !onCycles.get(held) || !onCycles.get(wanted));
        GrowingOrder order = new GrowingOrder(others, Objects.requireNonNull(others.numbering()));
        BitSet suspects = new BitSet();
        LongStream.Builder found = LongStream.builder();
        for (int held = onCycles.nextSetBit(0); held >= 0; held = onCycles.nextSetBit(held + 1)) {
            for (int edge = graph.first(held); edge < graph.first(held + 1); edge++) {
                if (onCycles.get(graph.successor(edge)) && !order.add(held, graph.successor(edge))) {
                    found.add(ForbiddenEdges.edge(held, graph.successor(edge)));
                    suspects.set(held / Channels.VLS);
                }
            }
        }
        long[] cuts = found.build().sorted().toArray();
        prune(suspects, (held, wanted) -> Arrays.binarySearch(cuts, ForbiddenEdges.edge(held, wanted)) < 0);
    }
}
