package io.torussm.deadlock;

import io.torussm.routing.MulticastTree;
import io.torussm.routing.Plan;
import io.torussm.routing.RoutingOptions;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ForkJoinTask;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Judges any plan by its tables alone: LFTs, SL2VL as the SM will program it, and the SLs that paths may be given. It
 * knows nothing of how they came about. All end ports count as sources and as destinations, port 0 of switches too.
 *
 * <p>Stateless; the result does not depend on the number of tasks.
 */
public final class DeadlockChecker {
    /** Roots times switches to grow trees for multicast over, before multicast goes without; some ten seconds. */
    private static final int GROWTH_BUDGET = 1 << 16;

    private final int tasks;

    /**
     * A checker.
     *
     * @param tasks parts to work in side by side, at least 1; they run in the ForkJoinPool of the calling thread, or
     *     the common one, and each takes memory in proportion to the links of the fabric
     */
    public DeadlockChecker(int tasks) {
        if (tasks < 1) {
            throw new IllegalArgumentException("a checker needs at least one task, not " + tasks);
        }
        this.tasks = tasks;
    }

    /** Parts to work in side by side. */
    int tasks() {
        return tasks;
    }

    /**
     * What came of checking unicast and multicast.
     *
     * @param verdict of the tables; a {@link Certificate} covers multicast on the tree, if there is one
     * @param multicast a tree that closes no credit loop together with unicast, or by itself if unicast has one already; null if
     *     none was found
     * @param isPlanned whether that is the tree which the engine would have
     */
    public record Proof(Verdict verdict, @Nullable MulticastTree multicast, boolean isPlanned) {}

    /** Checks the unicast tables of a plan, as they will be programmed. */
    public Verdict check(Plan plan, RoutingOptions options) {
        return prove(plan, options, false, null).verdict();
    }

    /** Checks the tables of a plan, and finds a tree for multicast that goes with them. */
    public Proof prove(Plan plan, RoutingOptions options) {
        return prove(plan, options, true, null);
    }

    /**
     * The same from the proof of a plan that differs little: only paths that changed are walked. Verdict, channels and dependencies are
     * those of {@link #prove(Plan, RoutingOptions)}; the numbers of channels may be others. Where too much changed, SLs or SL2VL did, or
     * the tables do not stand the check, everything is walked.
     *
     * @param before what this checker gave an earlier plan, of any age; null if there is none
     */
    public Proof prove(Plan plan, RoutingOptions options, @Nullable Certificate before) {
        return prove(plan, options, true, before);
    }

    /**
     * Checks tables that lose packets, and finds a tree for multicast that goes with them. Packets of pairs without a path count up
     * to where they are lost. If that leaves no room for a tree there is none.
     *
     * @param plan that was made of such tables; see {@link Plan#standing}
     */
    public Proof proveStanding(Plan plan, RoutingOptions options) {
        Proof proof = prove(plan, options);
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

    private Proof prove(Plan plan, RoutingOptions options, boolean withMulticast, @Nullable Certificate before) {
        Channels channels = new Channels(plan, options, tasks);
        byte[][] lfts = tables(channels);
        PlannedTree tree = withMulticast ? plannedTree(channels) : null;
        ChangedTraffic.Result changed = before == null ? null : before.changedTo(channels, lfts, options, tasks);
        if (before != null && changed != null) {
            Walked walked = new Walked(changed.traffic(), changed.groups(), options, tasks, before, changed);
            return prove(walked, tree, withMulticast);
        }
        DestinationGroups groups = new DestinationGroups(channels, lfts, tasks);
        List<InTrees> walked = InTrees.walk(channels, lfts, groups, tasks);
        int firstLost = walked.stream().mapToInt(InTrees::firstLost).min().orElseThrow();
        if (firstLost < groups.count()) {
            return new Proof(lost(channels, groups.members(firstLost)), null, false);
        }
        return prove(new Walked(InTrees.traffic(walked), groups, options, tasks, null, null), tree, withMulticast);
    }

    /** The tree that an engine would have, and what packets of groups wait for on it: found while single destinations are walked. */
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

    /**
     * What came of walking.
     *
     * @param tasks parts to work in side by side
     * @param before the proof that this one rests on; null if everything was walked
     * @param changed what is not as it was for that
     */
    record Walked(
            SlUsage traffic,
            DestinationGroups groups,
            RoutingOptions options,
            int tasks,
            @Nullable Certificate before,
            ChangedTraffic.@Nullable Result changed) {
        ChannelDependencyGraph graph() {
            return before == null || changed == null
                    ? new ChannelDependencyGraph(traffic)
                    : new ChannelDependencyGraph(traffic, before.unicast(), changed.same(), changed.changed(), tasks);
        }

        /** Whether a switch discards packets; where nothing changed none did. */
        boolean isAnyDiscarded() {
            if (changed == null) {
                return traffic.discarded() != 0;
            }
            BitSet kept = (BitSet) changed.same().keptShape.clone();
            kept.andNot(changed.changed());
            for (int sw = kept.nextClearBit(0); sw < traffic.channels.switchCount; sw = kept.nextClearBit(sw + 1)) {
                if (traffic.discarded(sw) != 0) {
                    return true;
                }
            }
            return false;
        }

        /** Numbers that lead upward, near to those of before if they can be; null if there are none. */
        int @Nullable [] numbering(ChannelDependencyGraph unicast, @Nullable MulticastDependencies groupTraffic) {
            if (before != null && changed != null) {
                int[] numbers = before.numbersFor(changed.same());
                RaisedNumbers.Outcome outcome = RaisedNumbers.fit(unicast, groupTraffic, numbers, tasks);
                if (outcome != RaisedNumbers.Outcome.TOO_MUCH_WORK) {
                    return outcome == RaisedNumbers.Outcome.FITTING ? numbers : null;
                }
            }
            return unicast.numbering(groupTraffic);
        }
    }

    private Proof prove(Walked walked, @Nullable PlannedTree tree, boolean withMulticast) {
        Channels channels = walked.traffic().channels;
        Plan plan = channels.plan;
        BrokenTables discarded = discarded(channels, walked);
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
            Optional<MulticastTree> usual = plan.claimsDeadlockFree() ? Optional.empty() : plan.multicastTree();
            return new Proof(CycleReport.of(graph), usual.orElse(null), usual.isPresent());
        }
        Optional<Proof> grown = withMulticast ? withGrownTree(graph, numbering, walked) : Optional.empty();
        return grown.orElseGet(() -> new Proof(new Certificate(graph, null, numbering, walked, null), null, false));
    }

    private static Optional<Proof> withTree(
            ChannelDependencyGraph unicast,
            MulticastTree tree,
            MulticastDependencies groups,
            Walked walked,
            boolean isPlanned) {
        int[] numbering = walked.numbering(unicast, groups);
        return numbering == null
                ? Optional.empty()
                : Optional.of(new Proof(new Certificate(unicast, groups, numbering, walked, tree), tree, isPlanned));
    }

    /** With a tree like the one that the engine would have, so that few groups change where a cable or a switch is lost; or else any. */
    private static Optional<Proof> withGrownTree(ChannelDependencyGraph unicast, int[] numbering, Walked walked) {
        Plan plan = unicast.channels.plan;
        int[] roots = plan.multicastRoots();
        int switches = Math.max(1, unicast.channels.switchCount);
        Stream<Optional<MulticastTree>> likePlanned = plan.multicastTree().stream()
                .filter(tree -> IntStream.of(roots).anyMatch(root -> root == tree.root()))
                .map(tree -> TreeGrowth.like(tree, unicast, numbering, plan.multicastSls()));
        Stream<Optional<MulticastTree>> nearest = IntStream.of(roots)
                .filter(unicast.channels.fabric::hasMulticast)
                .limit(Math.max(1, GROWTH_BUDGET / switches))
                .mapToObj(root -> TreeGrowth.grow(unicast, numbering, root, plan.multicastSls()));
        return Stream.concat(likePlanned, nearest)
                .flatMap(Optional::stream)
                .findFirst()
                .flatMap(tree -> withTree(
                        unicast,
                        tree,
                        new MulticastDependencies(unicast.channels, tree, plan.multicastSls()),
                        walked,
                        false));
    }

    /**
     * Finds in which order the tables of a plan may take the place of those that switches hold.
     *
     * @param held what they hold
     * @param before the plan in force; null if none is known
     * @param certificate that this checker gave the plan
     */
    public Transition transition(
            HeldTables held, @Nullable Plan before, Plan plan, Certificate certificate, RoutingOptions options) {
        return new TransitionPlanner(held, before, plan, certificate, options, tasks).find();
    }

    /** The dependencies of a plan that loses no packets. */
    ChannelDependencyGraph graph(Plan plan, RoutingOptions options) {
        return new ChannelDependencyGraph(traffic(plan, options));
    }

    /** Which SLs travel where under a plan; packets that are lost count up to where they are. */
    SlUsage traffic(Plan plan, RoutingOptions options) {
        Channels channels = new Channels(plan, options, tasks);
        byte[][] lfts = tables(channels);
        DestinationGroups groups = new DestinationGroups(channels, lfts, tasks);
        return InTrees.traffic(InTrees.walk(channels, lfts, groups, tasks));
    }

    /** The forwarding tables by switch. */
    static byte[][] tables(Channels channels) {
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

    private static BrokenTables lost(Channels channels, int[] lids) {
        PathTracer paths = new PathTracer(channels);
        for (int lid : lids) {
            BrokenTables broken = paths.lost(lid);
            if (broken != null) {
                return broken;
            }
        }
        throw new IllegalStateException("every packet gets to LIDs " + Arrays.toString(lids));
    }

    private static @Nullable BrokenTables discarded(Channels channels, Walked walked) {
        PathTracer paths = new PathTracer(channels);
        return walked.isAnyDiscarded() ? paths.discarded() : paths.discardedAtSource();
    }
}
