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
 * The routes of an incomplete plan that can stay: those that reach their destination and close no credit loop. If the
 * route of a switch to a LID is not kept, the switch has no entry for the LID. So each remaining entry leads to the
 * LID.
 */
final class KeptRoutes {
    private final Plan partialPlan;
    private final int tasks;

    /** [switch][LID] egress port number, 0xFF where no route is kept. */
    final byte[][] lfts;

    final Channels channels;
    final DestinationGroups groups;

    /** [group] switches without a route that need one, ascending. */
    final int[][] unroutedSwitches;

    /** The traffic of {@link #graph}, which numbers the graph with less work; null if unknown or routes were cut. */
    private @Nullable PlanTraffic traffic;

    private RouteCounts counts;
    private int sls;
    private ChannelDependencyGraph graph;

    /**
     * Finds the routes that can stay.
     *
     * @param known source of the traffic of the plan, to save a walk of all trees
     * @param tasks number of parallel parts, at least 1
     */
    KeptRoutes(Plan partial, RoutingOptions options, DeadlockChecker.TrafficSource known, int tasks) {
        this.partialPlan = partial;
        this.tasks = tasks;
        lfts = new byte[partial.subnet().fabric().switchCount()][];
        Arrays.setAll(lfts, sw -> partial.lft(sw).clone());
        Plan plan = partial.withTables(lfts).sls(RoutedSls.of(partial, lfts)).build();
        channels = new Channels(plan, options);
        setDeliveryEntries();
        groups = DestinationGroups.of(channels, lfts, tasks);
        unroutedSwitches = new int[groups.count()][];
        counts = new RouteCounts(channels, false);
        traffic = known.traffic(channels, lfts);
        prune(new BitSet(), (held, wanted) -> true);
        graph = traffic == null ? walk() : unpruned(traffic);
        if (!isAcyclic(null)) {
            removeUntilAcyclic(graph, (held, wanted) -> false, new int[graph.size()]);
        }
    }

    /** Returns the SLs of paths from a switch to a LID (bit n: SL n), even if no route is kept. */
    int slMask(int sw, int lid) {
        return partialPlan.slMask(sw, lid);
    }

    /** Checks whether packets of a switch to a group need a route: a path to one of its LIDs has an SL. */
    boolean isRouteNeeded(int sw, int group) {
        for (int lid : groups.members(group)) {
            if (partialPlan.slMask(sw, lid) != 0) {
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
        return Arrays.stream(unroutedSwitches).allMatch(lost -> lost.length == 0);
    }

    /** Returns the counts of kept routes. */
    RouteCounts counts() {
        return counts;
    }

    /** Returns [link] the number of kept routes over the link. */
    int[] load() {
        return counts.load;
    }

    /** Returns the share of routes that are not kept, 0 to 1. */
    double lostShare() {
        long lost = 0;
        long destinations = 0;
        for (int group = 0; group < unroutedSwitches.length; group++) {
            destinations += groups.members(group).length;
            lost += (long) unroutedSwitches[group].length * groups.members(group).length;
        }
        return destinations == 0 ? 0 : (double) lost / (destinations * channels.switchCount);
    }

    /**
     * Checks whether kept routes close no cycle, alone or together with packets on a multicast tree.
     *
     * @param tree dependencies of packets on the tree; null to check unicast alone
     */
    boolean isAcyclic(@Nullable MulticastDependencies tree) {
        return (traffic == null ? graph.numbering(tree) : traffic.numbering(graph, tree)) != null;
    }

    /** Removes the routes that may close a cycle together with packets on a multicast tree. */
    void removeConflicting(MulticastDependencies tree) {
        if (!isAcyclic(tree)) {
            removeUntilAcyclic(graph.with(tree), tree::contains, Objects.requireNonNull(graph.numbering()));
        }
    }

    /** Sets the entry of each LID at its own switch to the delivery port. */
    private void setDeliveryEntries() {
        for (int lid = 1; lid <= channels.subnet.topLid(); lid++) {
            int sw = channels.subnet.switchOfLid(lid);
            if (sw >= 0) {
                lfts[sw][lid] = (byte) channels.subnet.deliveryPort(lid);
            }
        }
    }

    /**
     * Removes routes that do not reach their destination, and routes with dependencies that are not allowed. Counts the
     * remaining routes over links.
     *
     * @param suspects the held links of all dependencies that are not allowed; only trees over them are checked
     * @param allowed returns false for a dependency that is not allowed
     */
    private void prune(BitSet suspects, DependencySink allowed) {
        counts = new RouteCounts(channels, false);
        new DestinationTrees(channels, lfts, groups).visit(tasks, () -> new Pruning(suspects, allowed));
    }

    /** A visitor that prunes the trees of one task. */
    private final class Pruning implements DestinationTrees.Visitor {
        private final BitSet suspects;
        private final DependencySink allowed;
        /** Counts of the trees of this task. */
        private final RouteCounts taskCounts = new RouteCounts(channels, false);

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
                int[] loopSources = IntStream.range(0, channels.switchCount)
                        .filter(sw -> tree.isLive(sw)
                                && !dependencies.follow(tree, sw, channels.plan.slMask(sw, members[0]), allowed))
                        .toArray();
                Arrays.stream(loopSources).forEach(tree::cut);
                tree.findLive();
            }
            int[] deadSwitches = tree.deadSwitches();
            unroutedSwitches[group] = Arrays.stream(deadSwitches)
                    .filter(sw -> isRouteNeeded(sw, group))
                    .toArray();
            for (int sw : deadSwitches) {
                lostSls |= partialPlan.slMask(sw, members[0]);
                for (int each : members) {
                    lfts[sw][each] = LinearForwardingTable.NO_PATH_ENTRY;
                }
            }
            tree.addTo(taskCounts, members.length);
        }

        @Override
        public void end() {
            synchronized (KeptRoutes.this) {
                counts.add(taskCounts);
                sls |= lostSls;
            }
        }
    }

    /** Counts the routes of completed tables. */
    RouteCounts countRoutes(byte[][] completed) {
        return RouteCounts.of(channels, completed, groups, tasks, false);
    }

    /**
     * Returns the dependencies of traffic that loses no packets. For such traffic, pruning removed only entries that no
     * packet uses.
     */
    private ChannelDependencyGraph unpruned(PlanTraffic traffic) {
        sls |= traffic.traffic().usedSls();
        return traffic.graph();
    }

    /** Returns the dependencies of the kept routes after a walk of all trees. */
    private ChannelDependencyGraph walk() {
        SlUsage traffic = InTrees.traffic(InTrees.walk(channels, lfts, groups, tasks));
        sls |= traffic.usedSls();
        return new ChannelDependencyGraph(traffic);
    }

    /**
     * Removes routes until there is no cycle. Dependencies are kept in descending order of their number of routes, each
     * only if it closes no cycle with those kept before.
     *
     * @param all dependencies of kept routes and of packets that are not cut
     * @param stays selects edges that are not cut; they have no cycle alone
     * @param wish [channel] rank in an order in which most other edges lead upward
     */
    private void removeUntilAcyclic(ChannelDependencyGraph all, ChannelDependencyGraph.EdgeFilter stays, int[] wish) {
        BitSet onCycles = CycleSearch.trimmed(all);
        ChannelDependencyGraph base =
                all.only((held, wanted) -> !onCycles.get(held) || !onCycles.get(wanted) || stays.accepts(held, wanted));
        GrowingOrder order = new GrowingOrder(base, numbering(base, wish), LastResort.MAX_VISITED_DEPENDENCIES);
        LongStream.Builder candidates = LongStream.builder();
        for (int held = onCycles.nextSetBit(0); held >= 0; held = onCycles.nextSetBit(held + 1)) {
            for (int edge = all.first(held); edge < all.first(held + 1); edge++) {
                int wanted = all.successor(edge);
                if (onCycles.get(wanted) && !stays.accepts(held, wanted)) {
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
     * Numbers the channels that packets use so that all edges lead upward. Among the channels whose predecessors all
     * have a number, the channel with the lowest wish is next.
     *
     * @param graph a graph without a cycle
     * @param wish [channel] rank in the preferred order
     * @return [channel] number, {@link Fabric#NONE} if unused
     * @throws IllegalStateException if the graph has a cycle
     */
    static int[] numbering(ChannelDependencyGraph graph, int[] wish) {
        int[] predecessors = new int[graph.size()];
        for (int edge = 0; edge < graph.dependencyCount(); edge++) {
            predecessors[graph.successor(edge)]++;
        }
        LongHeap ready = new LongHeap();
        for (int channel = 0; channel < predecessors.length; channel++) {
            if (predecessors[channel] == 0 && graph.isUsed(channel)) {
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
                if (--predecessors[successor] == 0) {
                    ready.add((long) wish[successor] << 32 | successor);
                }
            }
        }
        if (count != graph.channelCount()) {
            throw new IllegalStateException("routes that stay have a cycle");
        }
        return number;
    }

    /** Returns the number of routes over the two links of a dependency. */
    private static int routesOver(RouteCounts turns, long edge) {
        return turns.routesOver((int) (edge >>> 32) / Channels.VLS, (int) edge / Channels.VLS);
    }
}
