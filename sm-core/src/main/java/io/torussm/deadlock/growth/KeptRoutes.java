package io.torussm.deadlock.growth;

import io.torussm.deadlock.ChannelDependencyGraph;
import io.torussm.deadlock.Channels;
import io.torussm.deadlock.CycleSearch;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.deadlock.DependencySink;
import io.torussm.deadlock.DestinationGroups;
import io.torussm.deadlock.InTrees;
import io.torussm.deadlock.MulticastDependencies;
import io.torussm.deadlock.PlanTraffic;
import io.torussm.deadlock.SlUsage;
import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.routing.Plan;
import io.torussm.routing.RoutingOptions;
import io.torussm.routing.balance.RoutedSls;
import io.torussm.routing.lanes.LongHeap;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The routes of an incomplete plan that can stay: those that arrive and close no credit loop. A switch whose
 * route to a LID is not kept has no entry for it, so packets of any entry arrive.
 */
final class KeptRoutes {
    private final Plan partial;
    private final int tasks;

    /** By switch: egress port by LID, 0xFF where no route is kept. */
    final byte[][] lfts;

    final Channels channels;
    final DestinationGroups groups;

    /** By group: switches without a route that need one, ascending. */
    final int[][] dead;

    /** The source of {@link #graph}, which numbers it with less work; null if there is none, or routes were cut. */
    private @Nullable PlanTraffic traffic;

    private RouteCounts counts;
    private int sls;
    private ChannelDependencyGraph graph;

    /**
     * Finds the routes that can stay.
     *
     * @param known source of traffic that needs no walk
     * @param tasks number of parallel parts
     */
    KeptRoutes(Plan partial, RoutingOptions options, DeadlockChecker.TrafficSource known, int tasks) {
        this.partial = partial;
        this.tasks = tasks;
        lfts = new byte[partial.subnet().fabric().switchCount()][];
        Arrays.setAll(lfts, sw -> partial.lft(sw).clone());
        Plan plan = partial.withTables(lfts).sls(RoutedSls.of(partial, lfts)).build();
        channels = new Channels(plan, options);
        deliver();
        groups = new DestinationGroups(channels, lfts, tasks);
        dead = new int[groups.count()][];
        counts = new RouteCounts(channels, false);
        traffic = known.traffic(channels, lfts);
        prune(new BitSet(), (held, wanted) -> true);
        graph = traffic == null ? walk() : unpruned(traffic);
        if (!isAcyclic(null)) {
            cut(graph, (held, wanted) -> false, new int[graph.size()]);
        }
    }

    /** Returns the SLs of paths from a switch to a LID, for kept and other routes. */
    int slMask(int sw, int lid) {
        return partial.slMask(sw, lid);
    }

    /** Checks whether packets of a switch to a group need a route: some path between them has an SL. */
    boolean isWanted(int sw, int group) {
        for (int lid : groups.members(group)) {
            if (partial.slMask(sw, lid) != 0) {
                return true;
            }
        }
        return false;
    }

    /** Returns the SLs of all paths (bit n: SL n). */
    int sls() {
        return sls;
    }

    /** Returns the dependencies of kept routes. */
    ChannelDependencyGraph graph() {
        return graph;
    }

    /** Checks whether all switches have the routes that they need. */
    boolean isComplete() {
        return Arrays.stream(dead).allMatch(lost -> lost.length == 0);
    }

    /** Returns the counts of kept routes. */
    RouteCounts counts() {
        return counts;
    }

    /** Returns the number of routes by link. */
    int[] load() {
        return counts.load;
    }

    /** Returns the share of routes that are not kept, 0 to 1. */
    double lostShare() {
        long lost = 0;
        long destinations = 0;
        for (int group = 0; group < dead.length; group++) {
            destinations += groups.members(group).length;
            lost += (long) dead[group].length * groups.members(group).length;
        }
        return destinations == 0 ? 0 : (double) lost / (destinations * channels.switchCount);
    }

    /**
     * Checks whether kept routes close no cycle, alone or together with packets on a tree.
     *
     * @param tree null if there are no such packets
     */
    boolean isAcyclic(@Nullable MulticastDependencies tree) {
        return (traffic == null ? graph.numbering(tree) : traffic.numbering(graph, tree)) != null;
    }

    /** Gives up the routes that may close a cycle together with packets on a tree. */
    void yieldTo(MulticastDependencies tree) {
        if (!isAcyclic(tree)) {
            cut(graph.with(tree), tree::contains, Objects.requireNonNull(graph.numbering()));
        }
    }

    private void deliver() {
        for (int lid = 1; lid <= channels.subnet.topLid(); lid++) {
            int sw = channels.subnet.switchOfLid(lid);
            if (sw >= 0) {
                lfts[sw][lid] = (byte) channels.subnet.deliveryPort(lid);
            }
        }
    }

    /**
     * Removes routes that do not arrive, and routes with dependencies that are not allowed. Counts the routes
     * over links.
     *
     * @param suspects links that packets occupy in some of these dependencies
     */
    private void prune(BitSet suspects, DependencySink allowed) {
        counts = new RouteCounts(channels, false);
        new DestinationTrees(channels, lfts, groups).visit(tasks, () -> new Pruning(suspects, allowed));
    }

    /** A visitor that prunes the trees of one task. */
    private final class Pruning implements DestinationTrees.Visitor {
        private final BitSet suspects;
        private final DependencySink allowed;
        private final RouteCounts mine = new RouteCounts(channels, false);
        private final PathDependencies dependencies = new PathDependencies(channels);

        /** SLs of packets without a route. */
        private int lostSls;

        Pruning(BitSet suspects, DependencySink allowed) {
            this.suspects = suspects;
            this.allowed = allowed;
        }

        @Override
        public void visit(int group, DestinationTree tree) {
            int[] members = groups.members(group);
            if (!suspects.isEmpty() && Arrays.stream(tree.next).anyMatch(link -> link >= 0 && suspects.get(link))) {
                int[] guilty = IntStream.range(0, channels.switchCount)
                        .filter(sw -> tree.isLive(sw)
                                && !dependencies.follow(tree, sw, channels.plan.slMask(sw, members[0]), allowed))
                        .toArray();
                Arrays.stream(guilty).forEach(tree::cut);
                tree.findLive();
            }
            int[] lost = tree.dead();
            dead[group] = Arrays.stream(lost).filter(sw -> isWanted(sw, group)).toArray();
            for (int sw : lost) {
                lostSls |= partial.slMask(sw, members[0]);
                for (int each : members) {
                    lfts[sw][each] = LinearForwardingTable.NO_PATH_ENTRY;
                }
            }
            tree.addTo(mine, members.length);
        }

        @Override
        public void end() {
            synchronized (KeptRoutes.this) {
                counts.add(mine);
                sls |= lostSls;
            }
        }
    }

    /** Counts the routes of tables that complete these. */
    RouteCounts count(byte[][] completed) {
        return RouteCounts.of(channels, completed, groups, tasks, false);
    }

    /**
     * Returns the dependencies of traffic that loses no packets. Only entries that no packet uses are pruned
     * then.
     */
    private ChannelDependencyGraph unpruned(PlanTraffic traffic) {
        sls |= traffic.traffic().all();
        return traffic.graph();
    }

    private ChannelDependencyGraph walk() {
        SlUsage traffic = InTrees.traffic(InTrees.walk(channels, lfts, groups, tasks));
        sls |= traffic.all();
        return new ChannelDependencyGraph(traffic);
    }

    /**
     * Removes routes until there is no cycle. Dependencies with many routes are preferred to those with few.
     *
     * @param stays edges that are not cut; they have no cycle alone
     * @param wish by channel, an order in which most others lead upward
     */
    private void cut(ChannelDependencyGraph all, ChannelDependencyGraph.EdgeFilter stays, int[] wish) {
        BitSet onCycles = CycleSearch.trimmed(all);
        ChannelDependencyGraph base =
                all.only((held, wanted) -> !onCycles.get(held) || !onCycles.get(wanted) || stays.takes(held, wanted));
        GrowingOrder order = new GrowingOrder(base, numbering(base, wish), LastResort.EFFORT);
        LongStream.Builder candidates = LongStream.builder();
        for (int held = onCycles.nextSetBit(0); held >= 0; held = onCycles.nextSetBit(held + 1)) {
            for (int edge = all.first(held); edge < all.first(held + 1); edge++) {
                int wanted = all.successor(edge);
                if (onCycles.get(wanted) && !stays.takes(held, wanted)) {
                    candidates.add(ForbiddenEdges.edge(held, wanted));
                }
            }
        }
        RouteCounts turns = RouteCounts.of(channels, lfts, groups, tasks, true);
        long[] cuts = candidates
                .build()
                .boxed()
                .sorted(Comparator.comparingInt((Long edge) -> -routesOver(turns, edge))
                        .thenComparingLong(edge -> edge))
                .mapToLong(edge -> edge)
                .filter(edge -> !order.add((int) (edge >>> 32), (int) edge))
                .sorted()
                .toArray();
        BitSet suspects = new BitSet();
        Arrays.stream(cuts).forEach(edge -> suspects.set((int) (edge >>> 32) / Channels.VLS));
        prune(suspects, (held, wanted) -> Arrays.binarySearch(cuts, ForbiddenEdges.edge(held, wanted)) < 0);
        graph = walk();
        traffic = null;
    }

    /**
     * Numbers the channels that packets use so that all edges lead upward. A channel is postponed only while
     * a predecessor has no number.
     *
     * @param graph a graph without a cycle
     * @param wish by channel; a channel with a lower value comes first if possible
     * @return by channel, {@link Fabric#NONE} if unused
     */
    private static int[] numbering(ChannelDependencyGraph graph, int[] wish) {
        int[] waiting = new int[graph.size()];
        for (int edge = 0; edge < graph.dependencyCount(); edge++) {
            waiting[graph.successor(edge)]++;
        }
        LongHeap ready = new LongHeap();
        for (int channel = 0; channel < waiting.length; channel++) {
            if (waiting[channel] == 0 && graph.isUsed(channel)) {
                ready.add((long) wish[channel] << 32 | channel);
            }
        }
        int[] number = new int[graph.size()];
        Arrays.fill(number, Fabric.NONE);
        int count = 0;
        while (!ready.isEmpty()) {
            int channel = (int) ready.poll();
            number[channel] = count++;
            for (int edge = graph.first(channel); edge < graph.first(channel + 1); edge++) {
                int successor = graph.successor(edge);
                if (--waiting[successor] == 0) {
                    ready.add((long) wish[successor] << 32 | successor);
                }
            }
        }
        if (count != graph.channelCount()) {
            throw new IllegalStateException("routes that stay have a cycle");
        }
        return number;
    }

    private static int routesOver(RouteCounts turns, long edge) {
        return turns.over((int) (edge >>> 32) / Channels.VLS, (int) edge / Channels.VLS);
    }
}
