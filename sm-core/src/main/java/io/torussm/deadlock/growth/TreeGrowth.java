package io.torussm.deadlock.growth;

import io.torussm.deadlock.ChannelDependencyGraph;
import io.torussm.deadlock.Channels;
import io.torussm.deadlock.TreeSlUsage;
import io.torussm.fabric.Fabric;
import io.torussm.routing.MulticastTree;
import io.torussm.routing.Plan;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The growth of a spanning tree for multicast that closes no credit loop together with unicast, switch by switch from
 * the root, nearest first. A switch is attached by an edge only if no dependency of the edge closes a cycle. A rejected
 * edge stays rejected, because more edges only add dependencies. Switches without a multicast table, and switches that
 * only they connect, are not part of the tree. The exception is {@link #spanning}: unicast can use its tree, which
 * spans all switches. An edge is all cables between two switches.
 */
public final class TreeGrowth {
    private static final int[] NO_PORTS = {};

    /**
     * Upper limit of (roots x switches) for which trees are grown before the search for a tree ends: some ten seconds.
     */
    private static final int BUDGET = 1 << 16;

    private final ChannelDependencyGraph unicast;
    private final Channels channels;
    private final TreeSlUsage traffic;
    private final GrowingOrder order;
    private final int root;

    /** The root, and after {@link #attachRest} the roots of parts without a connection to it. */
    private final BitSet roots = new BitSet();

    /** [switch] parent switch; NONE for roots and switches outside the tree. */
    private final int[] parent;

    /** [switch] port numbers of the cables to the switch, at its parent. */
    private final int[][] cables;

    /** True if links that unicast does not use may be part of the tree. */
    private final boolean takesAnyLink;

    /** Number of switches in the tree before {@link #attachRest}. */
    private int reachedSwitches;

    private TreeGrowth(ChannelDependencyGraph unicast, int[] numbering, int root, int slMask, boolean takesAnyLink) {
        this.unicast = unicast;
        this.root = root;
        roots.set(root);
        this.takesAnyLink = takesAnyLink;
        channels = unicast.channels;
        traffic = new TreeSlUsage(channels, slMask);
        order = new GrowingOrder(
                unicast, numbering, takesAnyLink ? LastResort.MAX_VISITED_DEPENDENCIES : Long.MAX_VALUE);
        parent = new int[channels.switchCount];
        cables = new int[channels.switchCount][0];
        Arrays.fill(parent, Fabric.NONE);
    }

    /**
     * Returns trees that close no credit loop with the unicast tables of a plan, each grown on demand. The first tree
     * is similar to the tree of the engine, so that few groups change after the loss of a cable or switch.
     *
     * @param numbering [channel] number in {@code unicast}, NONE if unused
     */
    public static Stream<MulticastTree> candidates(ChannelDependencyGraph unicast, int[] numbering) {
        Plan plan = unicast.channels.plan;
        int[] roots = plan.multicastRoots();
        int switches = Math.max(1, unicast.channels.switchCount);
        Stream<Optional<MulticastTree>> likePlanned = plan.multicastTree().stream()
                .filter(tree -> IntStream.of(roots).anyMatch(root -> root == tree.root()))
                .map(tree -> growLike(tree, unicast, numbering, plan.multicastSls()));
        Stream<Optional<MulticastTree>> nearest = IntStream.of(roots)
                .filter(unicast.channels.fabric::hasMulticast)
                .limit(Math.max(1, BUDGET / switches))
                .mapToObj(root -> grow(unicast, numbering, root, plan.multicastSls()));
        return Stream.concat(likePlanned, nearest).flatMap(Optional::stream);
    }

    /**
     * Grows a tree over the links that unicast uses.
     *
     * @param numbering [channel] number in {@code unicast}, NONE if unused
     * @param slMask SLs that groups may have (bit n: SL n)
     * @return empty if the tree lacks a switch to which the root has unicast paths, and to which switches with a
     *     multicast table connect the root
     */
    static Optional<MulticastTree> grow(ChannelDependencyGraph unicast, int[] numbering, int root, int slMask) {
        return new TreeGrowth(unicast, numbering, root, slMask, false).spanned();
    }

    /**
     * Grows a tree with the root of another tree and as many of its edges as possible. Only edges that would
     * close a credit loop are replaced.
     *
     * @param wish a tree over switches with a multicast table
     * @return empty if the tree lacks a switch, under the condition of {@link #grow}; another tree may still exist
     */
    static Optional<MulticastTree> growLike(
            MulticastTree wish, ChannelDependencyGraph unicast, int[] numbering, int slMask) {
        TreeGrowth growth = new TreeGrowth(unicast, numbering, wish.root(), slMask, false);
        growth.reach((from, to) -> wish.parent(to) == from);
        return growth.spanned();
    }

    private Optional<MulticastTree> spanned() {
        reach((from, to) -> channels.fabric.hasMulticast(to));
        return lacksDestinations() ? Optional.empty() : Optional.of(tree());
    }

    /**
     * Creates a tree that may use all links, as far as it closes no cycle with unicast. {@link #attachRest} attaches
     * the rest. Switches with a multicast table are attached to each other if possible.
     *
     * @param wish a tree, complete or not, whose root and as many edges as possible are used
     */
    static TreeGrowth spanning(ChannelDependencyGraph unicast, int[] numbering, int slMask, MulticastTree wish) {
        TreeGrowth growth = new TreeGrowth(unicast, numbering, wish.root(), slMask, true);
        growth.reach((from, to) -> wish.parent(to) == from);
        return growth.span();
    }

    /** Creates a tree from a root that may use all links, as far as it closes no cycle with unicast. */
    static TreeGrowth spanning(ChannelDependencyGraph unicast, int[] numbering, int slMask, int root) {
        return new TreeGrowth(unicast, numbering, root, slMask, true).span();
    }

    private TreeGrowth span() {
        reach((from, to) -> channels.fabric.hasMulticast(to));
        reachedSwitches = reach((from, to) -> true);
        return this;
    }

    /** Returns the number of switches that the tree reached without a cycle. */
    int reachedSwitches() {
        return reachedSwitches;
    }

    /**
     * Attaches all other switches, by links that may close a cycle with unicast. Each part of the fabric without a
     * connection to the root gets a tree of its own.
     */
    void attachRest() {
        attachRest(to -> channels.fabric.hasMulticast(to));
        attachRest(to -> true);
        for (int sw = 0; sw < channels.switchCount; sw++) {
            if (!isInside(sw)) {
                roots.set(sw);
                attachRest(to -> true);
            }
        }
    }

    private void attachRest(IntPredicate wanted) {
        int[] queue = new int[channels.switchCount];
        int tail = 0;
        for (int sw = 0; sw < queue.length; sw++) {
            if (isInside(sw)) {
                queue[tail++] = sw;
            }
        }
        for (int head = 0; head < tail; head++) {
            int sw = queue[head];
            for (int link = channels.firstLink[sw]; link < channels.firstLink[sw + 1]; link++) {
                int to = channels.linkTo[link];
                if (!isInside(to) && wanted.test(to)) {
                    parent[to] = sw;
                    cables[to] = ports(portIndexes(sw, to));
                    queue[tail++] = to;
                }
            }
        }
    }

    private boolean isInside(int sw) {
        return roots.get(sw) || parent[sw] != Fabric.NONE;
    }

    /** Returns the tree. */
    MulticastTree tree() {
        return new MulticastTree(channels.fabric, root, parent, cables);
    }

    /** Attaches as many switches as possible by accepted edges. Returns the number of switches in the tree. */
    private int reach(ChannelDependencyGraph.EdgeFilter edges) {
        return visit((sw, to) -> parent[to] == sw || (!isInside(to) && edges.accepts(sw, to) && attach(sw, to)));
    }

    /** Visits switches from the root by accepted edges, nearest first. Returns the number of visited switches. */
    private int visit(ChannelDependencyGraph.EdgeFilter edges) {
        int[] queue = new int[channels.switchCount];
        boolean[] isQueued = new boolean[queue.length];
        int tail = 1;
        queue[0] = root;
        isQueued[root] = true;
        for (int head = 0; head < tail; head++) {
            int sw = queue[head];
            for (int link = channels.firstLink[sw]; link < channels.firstLink[sw + 1]; link++) {
                int to = channels.linkTo[link];
                if (!isQueued[to] && edges.accepts(sw, to)) {
                    isQueued[to] = true;
                    queue[tail++] = to;
                }
            }
        }
        return tail;
    }

    /**
     * Checks whether the tree lacks a switch to which the root has unicast paths, and to which switches with a
     * multicast table connect the root.
     */
    private boolean lacksDestinations() {
        BitSet reachable = new BitSet();
        visit((sw, to) -> {
            boolean hasTable = channels.fabric.hasMulticast(to);
            reachable.set(to, hasTable);
            return hasTable;
        });
        for (int lid = 1; lid <= channels.subnet.topLid(); lid++) {
            int sw = channels.subnet.switchOfLid(lid);
            if (sw != Fabric.NONE && !isInside(sw) && reachable.get(sw) && channels.plan.slMask(root, lid) != 0) {
                return true;
            }
        }
        return false;
    }

    /**
     * Attaches a switch to the tree by an edge from {@code sw}. Returns false if no cable may be used or it is unsafe.
     */
    private boolean attach(int sw, int to) {
        int[] ports = portIndexes(sw, to);
        traffic.add(sw, to, ports);
        int mark = order.mark();
        if (ports.length == 0 || !isSafe(sw)) {
            order.undo(mark);
            traffic.remove(sw, to);
            return false;
        }
        parent[to] = sw;
        cables[to] = ports(ports);
        return true;
    }

    /** Returns port indexes at {@code sw} of the cables to a neighbour that the tree may use. */
    private int[] portIndexes(int sw, int to) {
        int[] indexes = NO_PORTS;
        for (int link = channels.firstLink[sw]; link < channels.firstLink[sw + 1]; link++) {
            if (channels.linkTo[link] == to && (takesAnyLink || carriesBothWays(link))) {
                indexes = Arrays.copyOf(indexes, indexes.length + 1);
                indexes[indexes.length - 1] = channels.outPort[channels.firstOut[sw] + link - channels.firstLink[sw]];
            }
        }
        return indexes;
    }

    private int[] ports(int[] indexes) {
        int[] numbers = new int[indexes.length];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = channels.fabric.portNum(indexes[i]);
        }
        return numbers;
    }

    private boolean carriesBothWays(int link) {
        return unicast.carries(link)
                && unicast.carries(channels.link(channels.linkTo[link], channels.farPort[link] & 0xff));
    }

    /**
     * Adds the dependencies of a new edge from {@code sw} to a child. Packets from the child use the other links that
     * leave {@code sw}, and packets that arrive at {@code sw} also leave to the child. The child has no other edge yet.
     * Returns false if a dependency is rejected.
     */
    private boolean isSafe(int sw) {
        for (int link : traffic.links(sw)) {
            int neighbour = channels.linkTo[link];
            if (!traffic.dependencies(sw, link, order::add)) {
                return false;
            }
            for (int back : traffic.links(neighbour)) {
                if (channels.linkTo[back] == sw && !traffic.dependencies(neighbour, back, order::add)) {
                    return false;
                }
            }
        }
        return true;
    }
}
