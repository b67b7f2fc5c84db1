package io.torussm.deadlock;

import io.torussm.routing.MulticastTree;
import io.torussm.routing.Plan;
import io.torussm.routing.RoutingOptions;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ForkJoinTask;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A checker that decides from the tables of a plan alone whether it is free of credit loops. The input is the LFTs, the
 * SL2VL tables as the SM programs them, and the SLs of paths. The engine does not matter. All end ports, port 0 of
 * switches included, count as sources and as destinations. The essay of the package describes the algorithm.
 *
 * <p>Stateless: any thread may use it. The result does not depend on the number of tasks.
 */
public final class DeadlockChecker {
    private final int tasks;

    /**
     * Creates a checker.
     *
     * @param tasks number of parallel parts, at least 1; they run in the ForkJoinPool of the calling thread, else in
     *     the common pool, and each uses memory in proportion to the links of the fabric
     */
    public DeadlockChecker(int tasks) {
        if (tasks < 1) {
            throw new IllegalArgumentException("a checker needs at least one task, not " + tasks);
        }
        this.tasks = tasks;
    }

    /** Returns the number of parallel parts. */
    public int tasks() {
        return tasks;
    }

    /**
     * The result of a check of unicast and multicast.
     *
     * @param verdict verdict of the tables; a {@link Certificate} covers multicast on the tree, if there is one
     * @param multicast a tree that closes no credit loop together with unicast, or alone if unicast already
     *     has one; null if no such tree was found
     * @param isPlanned whether {@code multicast} is the tree of the engine
     */
    public record Proof(Verdict verdict, @Nullable MulticastTree multicast, boolean isPlanned) {}

    /** A source of trees for multicast. The checker proves each of them. */
    public interface TreeSource {
        /** A source without trees. */
        TreeSource NONE = (unicast, numbering) -> Stream.empty();

        /**
         * Returns trees for a plan whose own tree is absent or closes a credit loop with its unicast tables. The
         * checker tries only the first tree.
         *
         * @param unicast dependencies of unicast, without a cycle
         * @param numbering [channel] number of the channel in {@code unicast}, NONE if no packet uses it
         */
        Stream<MulticastTree> trees(ChannelDependencyGraph unicast, int[] numbering);
    }

    /** A source of the traffic of a plan without a walk of all trees, because an earlier proof covers most of it. */
    public interface TrafficSource {
        /** A source without traffic: all of it is walked. */
        TrafficSource NONE = (channels, lfts) -> null;

        /**
         * Returns the traffic of a plan.
         *
         * @param lfts [switch][LID] egress port number
         * @return null if the checker must walk all trees
         */
        @Nullable
        public PlanTraffic traffic(Channels channels, byte[][] lfts);
    }

    /** Checks the unicast tables of a plan, as they will be programmed. */
    public Verdict check(Plan plan, RoutingOptions options) {
        return prove(plan, options, false, TrafficSource.NONE, TreeSource.NONE).verdict();
    }

    /** Checks the tables of a plan, together with the tree for multicast of its engine. */
    public Proof prove(Plan plan, RoutingOptions options) {
        return prove(plan, options, TreeSource.NONE);
    }

    /** Checks the tables of a plan, and finds a tree for multicast that closes no credit loop with them. */
    public Proof prove(Plan plan, RoutingOptions options, TreeSource trees) {
        return prove(plan, options, TrafficSource.NONE, trees);
    }

    /**
     * Checks the tables of a plan. If a source has the traffic of the plan, the checker does not walk the trees.
     *
     * @param known source of traffic; if it has the traffic, the certificate is only as good as this source
     */
    public Proof prove(Plan plan, RoutingOptions options, TrafficSource known, TreeSource trees) {
        return prove(plan, options, true, known, trees);
    }

    /**
     * Checks tables that lose packets, and finds a tree for multicast that closes no credit loop with them; the tree of
     * the proof is null if there is no such tree. Packets of pairs without a path count up to the hop where they are
     * lost.
     *
     * @param plan a plan of such tables; see {@link Plan#retention}
     */
    public Proof proveRetained(Plan plan, RoutingOptions options, TreeSource trees) {
        Proof proof = prove(plan, options, trees);
        ChannelDependencyGraph all = graph(plan.withLostPairs(), options);
        if (!(proof.verdict() instanceof Certificate)) {
            return proof;
        } else if (all.numbering() == null) {
            return new Proof(CycleReport.of(all), null, false);
        }
        MulticastTree tree = proof.multicast();
        boolean isFree = tree == null
                || all.with(new MulticastDependencies(all.channels, tree, plan.multicastSls()))
                                .numbering()
                        != null;
        return isFree ? proof : new Proof(check(plan, options), null, false);
    }

    private Proof prove(
            Plan plan, RoutingOptions options, boolean withMulticast, TrafficSource known, TreeSource trees) {
        Channels channels = new Channels(plan, options, tasks);
        byte[][] lfts = tables(channels);
        PlannedTree tree = withMulticast ? plannedTree(channels) : null;
        PlanTraffic traffic = known.traffic(channels, lfts);
        if (traffic == null) {
            DestinationGroups groups = DestinationGroups.of(channels, lfts, tasks);
            List<InTrees> walked = InTrees.walk(channels, lfts, groups, tasks);
            int firstLost =
                    walked.stream().mapToInt(InTrees::firstLostGroup).min().orElseThrow();
            if (firstLost < groups.count()) {
                return new Proof(lossExample(channels, groups.members(firstLost)), null, false);
            }
            traffic = new WalkedTraffic(InTrees.traffic(walked), groups, options);
        }
        return prove(traffic, tree, trees);
    }

    /** The tree of an engine, and its dependencies, which are found in parallel with the walk of unicast. */
    private record PlannedTree(MulticastTree tree, ForkJoinTask<MulticastDependencies> traffic) {}

    private @Nullable PlannedTree plannedTree(Channels channels) {
        MulticastTree tree = channels.plan.multicastTree().orElse(null);
        if (tree == null) {
            return null;
        }
        ForkJoinTask<MulticastDependencies> traffic =
                ForkJoinTask.adapt(() -> new MulticastDependencies(channels, tree, channels.plan.multicastSls()));
        return new PlannedTree(tree, tasks == 1 ? traffic : traffic.fork());
    }

    /** The traffic of a plan after a walk of all its trees. */
    private record WalkedTraffic(SlUsage traffic, DestinationGroups groups, RoutingOptions options)
            implements PlanTraffic {
        @Override
        public boolean isIncremental() {
            return false;
        }

        @Override
        public ChannelDependencyGraph graph() {
            return new ChannelDependencyGraph(traffic);
        }

        @Override
        public boolean isAnyDiscarded() {
            return traffic.discardedSls() != 0;
        }

        @Override
        public int @Nullable [] numbering(
                ChannelDependencyGraph unicast, @Nullable MulticastDependencies groupTraffic) {
            return unicast.numbering(groupTraffic);
        }
    }

    /** Tries the tree of the engine first, then unicast alone, then unicast with another tree. */
    private Proof prove(PlanTraffic walked, @Nullable PlannedTree tree, TreeSource trees) {
        Channels channels = walked.traffic().channels;
        Plan plan = channels.plan;
        BrokenTables discarded = discardExample(channels, walked);
        if (discarded != null) {
            return new Proof(discarded, null, false);
        }
        ChannelDependencyGraph graph = walked.graph();
        Optional<Proof> planned = tree == null
                ? Optional.empty()
                : withTree(
                        graph,
                        tree.tree(),
                        tasks == 1 ? tree.traffic().invoke() : tree.traffic().join(),
                        walked,
                        true);
        if (planned.isPresent()) {
            return planned.get();
        }
        int[] numbering = walked.numbering(graph, null);
        if (numbering == null) {
            Optional<MulticastTree> planTree = plan.claimsDeadlockFree() ? Optional.empty() : plan.multicastTree();
            return new Proof(CycleReport.of(graph), planTree.orElse(null), planTree.isPresent());
        }
        return trees.trees(graph, numbering)
                .findFirst()
                .flatMap(other -> withTree(
                        graph, other, new MulticastDependencies(channels, other, plan.multicastSls()), walked, false))
                .orElseGet(() -> new Proof(new Certificate(graph, null, numbering, walked, null), null, false));
    }

    /** Returns the proof of unicast together with a tree; empty if they have a cycle. */
    private static Optional<Proof> withTree(
            ChannelDependencyGraph unicast,
            MulticastTree tree,
            MulticastDependencies groups,
            PlanTraffic walked,
            boolean isPlanned) {
        int[] numbering = walked.numbering(unicast, groups);
        return numbering == null
                ? Optional.empty()
                : Optional.of(new Proof(new Certificate(unicast, groups, numbering, walked, tree), tree, isPlanned));
    }

    /** Returns the dependencies of the unicast packets of a plan. Lost packets count up to the hop of their loss. */
    public ChannelDependencyGraph graph(Plan plan, RoutingOptions options) {
        return new ChannelDependencyGraph(traffic(plan, options));
    }

    /**
     * Returns the SLs of packets by switch, ingress class, out and next hop under a plan. Packets that are lost count
     * up to the hop where they are lost.
     */
    public SlUsage traffic(Plan plan, RoutingOptions options) {
        Channels channels = new Channels(plan, options, tasks);
        byte[][] lfts = tables(channels);
        DestinationGroups groups = DestinationGroups.of(channels, lfts, tasks);
        return InTrees.traffic(InTrees.walk(channels, lfts, groups, tasks));
    }

    /**
     * Returns the forwarding tables of the plan, [switch][LID] egress port number.
     *
     * @throws IllegalStateException if a table does not end at the highest LID
     */
    public static byte[][] tables(Channels channels) {
        byte[][] lfts = new byte[channels.switchCount][];
        int length = channels.subnet.topLid() + 1;
        for (int sw = 0; sw < lfts.length; sw++) {
            lfts[sw] = channels.plan.lft(sw);
            if (lfts[sw].length != length) {
                throw new IllegalStateException("the table of " + channels.fabric.name(sw) + " has " + lfts[sw].length
                        + " entries, not " + length);
            }
        }
        return lfts;
    }

    /** Returns an example of a packet that does not reach one of some LIDs, for which the walk lost packets. */
    private static BrokenTables lossExample(Channels channels, int[] lids) {
        PathTracer paths = new PathTracer(channels);
        for (int lid : lids) {
            BrokenTables broken = paths.firstLoss(lid);
            if (broken != null) {
                return broken;
            }
        }
        throw new IllegalStateException("every packet gets to LIDs " + Arrays.toString(lids));
    }

    /** Returns an example of a packet that a switch or its source maps to VL15; null if there is none. */
    private static @Nullable BrokenTables discardExample(Channels channels, PlanTraffic walked) {
        PathTracer paths = new PathTracer(channels);
        return walked.isAnyDiscarded() ? paths.firstDiscard() : paths.firstDiscardAtSource();
    }
}
