package io.torussm.deadlock.growth;

import io.torussm.deadlock.Channels;
import io.torussm.fabric.Fabric;
import io.torussm.routing.MulticastTree;
import io.torussm.routing.lanes.LongHeap;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A completion of {@link KeptRoutes}. For each destination, switches without a route are attached to the tree
 * of those with one, nearest first and by the link with the least load. An attachment is rejected if a
 * dependency of its packets closes a cycle with all routes so far. This follows Nue (Domke et al., 2016), but
 * the virtual lane is not free: the SL of the packets determines it.
 *
 * <p>As with Nue's escape paths, there always is a route: a spanning tree is reserved first, with all
 * dependencies of packets of any SL on it. If no detour is left, packets use this tree.
 */
final class DetourGrowth {
    private static final int NONE = Fabric.NONE;

    // keys that compare routes: hops, then load, then the number of the first link
    private static final int LINK_BITS = 23;
    private static final int LOAD_BITS = 27;
    private static final long LINKS = (1L << LINK_BITS) - 1;
    private static final long LOADS = (1L << LOAD_BITS) - 1;
    private static final int FAR = (1 << 63 - LINK_BITS - LOAD_BITS) - 1;

    private final KeptRoutes keptRoutes;
    private final boolean isForAllSls;
    private final Channels channels;
    private final GrowingOrder order;
    private final PathDependencies dependencies;
    private final DestinationTree tree;
    private final int[] load;
    private final byte[][] lfts;

    /** By link: the same cable in the other direction. */
    private final int[] reverse;

    /** By switch: links of the escape tree, to its parent and to its children. */
    private final int[][] escapes;

    /** By switch: the link of the escape tree towards the destination. */
    private final int[] upTree;

    private final boolean[] isOnTree;
    private final int[] hops;
    private final int[] queue;
    private final int[] original;
    private final LongHeap heap = new LongHeap();
    private final LongSet forbidden = new LongSet();
    private long rejected;

    private long bent;

    /**
     * Creates a completion.
     *
     * @param order the order of the dependencies of kept routes and of packets on a tree
     * @param escape the escape tree
     * @param isForAllSls whether it was reserved for packets of all SLs, so that unicast may use it
     */
    DetourGrowth(KeptRoutes keptRoutes, GrowingOrder order, MulticastTree escape, boolean isForAllSls) {
        this.isForAllSls = isForAllSls;
        this.keptRoutes = keptRoutes;
        this.order = order;
        channels = keptRoutes.channels;
        dependencies = new PathDependencies(channels);
        tree = new DestinationTree(channels);
        load = keptRoutes.load().clone();
        lfts = new byte[channels.switchCount][];
        Arrays.setAll(lfts, sw -> keptRoutes.lfts[sw].clone());
        hops = new int[channels.switchCount];
        queue = new int[channels.switchCount];
        original = new int[channels.switchCount];
        reverse = new int[channels.linkTo.length];
        for (int sw = 0; sw < channels.switchCount; sw++) {
            for (int link = channels.firstLink[sw]; link < channels.firstLink[sw + 1]; link++) {
                int port = channels.outPort[channels.firstOut[sw] + link - channels.firstLink[sw]];
                reverse[link] =
                        channels.link(channels.linkTo[link], channels.fabric.portNum(channels.fabric.peer(port)));
            }
        }
        escapes = escapes(escape);
        upTree = new int[channels.switchCount];
        isOnTree = new boolean[channels.switchCount];
    }

    private int[][] escapes(MulticastTree escape) {
        int[][] links = new int[channels.switchCount][0];
        for (int sw = 0; sw < links.length; sw++) {
            if (escape.parent(sw) != NONE) {
                int parent = escape.parent(sw);
                int down = channels.link(parent, channels.fabric.portNum(escape.portAtParent(sw, 0)));
                links[parent] = with(links[parent], down);
                links[sw] = with(links[sw], reverse[down]);
            }
        }
        return links;
    }

    private static int[] with(int[] links, int link) {
        int[] more = Arrays.copyOf(links, links.length + 1);
        more[links.length] = link;
        return more;
    }

    /** Returns the number of routes that are not kept ones. */
    long bent() {
        return bent;
    }

    /**
     * Completes the tables.
     *
     * @param urgent groups that are completed before all others
     * @return the first group to which some switch has no safe route; {@link Fabric#NONE} if there is none,
     *     which is always so with a tree for all SLs
     */
    int complete(List<Integer> urgent) {
        for (int group : urgent) {
            if (!complete(group)) {
                return group;
            }
        }
        for (int group = 0; group < keptRoutes.groups.count(); group++) {
            if (keptRoutes.dead[group].length > 0 && !urgent.contains(group) && !complete(group)) {
                return group;
            }
        }
        return NONE;
    }

    /**
     * Returns by switch the egress ports by LID; 0xFF only if there is no path. Those of {@link KeptRoutes}
     * stay the same.
     */
    byte[][] tables() {
        return lfts;
    }

    private boolean complete(int group) {
        int[] members = keptRoutes.groups.members(group);
        tree.read(lfts, members[0], keptRoutes.groups.destination(group));
        System.arraycopy(tree.next, 0, original, 0, original.length);
        grow(group, keptRoutes.dead[group]);
        int[] stuck = stuck(group);
        if (stuck.length > 0 && isForAllSls) {
            escape(group, stuck);
        } else if (stuck.length > 0) {
            growAnew(group);
            if (stuck(group).length > 0) {
                return false;
            }
        }
        write(group);
        bent += (long) members.length * tree.differing(original);
        return true;
    }

    /**
     * Returns the switches that need a route to the destination and have none, although the escape tree
     * connects them.
     */
    private int[] stuck(int group) {
        int[] dead = Arrays.stream(tree.dead())
                .filter(sw -> keptRoutes.isWanted(sw, group))
                .toArray();
        if (dead.length == 0) {
            return dead;
        }
        climb();
        return Arrays.stream(dead).filter(sw -> upTree[sw] != NONE).toArray();
    }

    /**
     * Gives up the kept routes to a destination and grows the tree again. The given-up routes win among
     * routes of equal length.
     */
    private void growAnew(int group) {
        int[] others = IntStream.range(0, channels.switchCount)
                .filter(sw -> sw != tree.destination())
                .toArray();
        Arrays.stream(others).forEach(tree::cut);
        grow(group, others);
    }

    /** Attaches as many switches to the tree as possible. */
    private void grow(int group, int[] dead) {
        Arrays.fill(hops, NONE);
        heap.clear();
        for (int sw : dead) {
            for (int link = channels.firstLink[sw]; link < channels.firstLink[sw + 1]; link++) {
                if (tree.isLive(channels.linkTo[link])) {
                    offer(link);
                }
            }
        }
        while (!heap.isEmpty()) {
            int link = (int) (heap.poll() & LINKS);
            int sw = channels.linkTo[reverse[link]];
            if (!tree.isLive(sw) && attach(sw, link, group)) {
                for (int next = channels.firstLink[sw]; next < channels.firstLink[sw + 1]; next++) {
                    if (!tree.isLive(channels.linkTo[next])) {
                        offer(reverse[next]);
                    }
                }
            }
        }
    }

    private void offer(int link) {
        int to = channels.linkTo[link];
        if (hops[to] == NONE) {
            hops[to] = tree.hops(to);
        }
        boolean isKept = original[channels.linkTo[reverse[link]]] == link;
        long cost = (long) Math.min(hops[to], FAR) << LOAD_BITS | (isKept ? 0 : Math.min(load[link], LOADS));
        heap.add(cost << LINK_BITS | link);
    }

    private boolean attach(int sw, int link, int group) {
        tree.attach(sw, link);
        if (!isSafe(sw, keptRoutes.groups.members(group)[0])) {
            tree.cut(sw);
            return false;
        }
        for (int at = sw; at != tree.destination(); at = channels.linkTo[tree.next[at]]) {
            load[tree.next[at]] += keptRoutes.groups.members(group).length;
        }
        return true;
    }

    /**
     * Routes switches along the escape tree. Packets of other switches that join it are checked again. If
     * they could close a cycle, these switches use the escape tree as well.
     */
    private void escape(int group, int[] first) {
        int lid = keptRoutes.groups.members(group)[0];
        Arrays.fill(isOnTree, false);
        int[] stuck = first;
        while (stuck.length > 0) {
            for (int from : stuck) {
                for (int sw = from; upTree[sw] != NONE && !isOnTree[sw]; sw = channels.linkTo[upTree[sw]]) {
                    isOnTree[sw] = true;
                    tree.next[sw] = upTree[sw];
                }
            }
            tree.findLive();
            stuck = IntStream.range(0, channels.switchCount)
                    .filter(sw -> tree.isLive(sw) && !isOnTree[sw] && meetsTree(sw) && !isSafe(sw, lid))
                    .toArray();
        }
    }

    /** Finds the links of the escape tree towards the destination. */
    private void climb() {
        Arrays.fill(upTree, NONE);
        int tail = 1;
        queue[0] = tree.destination();
        for (int head = 0; head < tail; head++) {
            for (int link : escapes[queue[head]]) {
                int to = channels.linkTo[link];
                if (upTree[to] == NONE && to != tree.destination()) {
                    upTree[to] = reverse[link];
                    queue[tail++] = to;
                }
            }
        }
    }

    private boolean meetsTree(int from) {
        int sw = from;
        while (sw != tree.destination() && !isOnTree[sw]) {
            sw = channels.linkTo[tree.next[sw]];
        }
        return sw != tree.destination();
    }

    /** Adds the dependencies of a switch's packets, if they close no cycle. */
    private boolean isSafe(int sw, int lid) {
        int mark = order.mark();
        boolean isSafe = dependencies.follow(tree, sw, keptRoutes.slMask(sw, lid), this::add);
        if (!isSafe) {
            order.undo(mark);
            if (rejected >= 0 && !order.add((int) (rejected >>> 32), (int) rejected)) {
                forbidden.add(rejected);
            }
            order.undo(mark);
        }
        return isSafe;
    }

    /** Adds an edge. An edge that closed a cycle alone is rejected for good. */
    private boolean add(int held, int wanted) {
        rejected = ForbiddenEdges.edge(held, wanted);
        if (forbidden.contains(rejected)) {
            rejected = NONE;
            return false;
        }
        return order.add(held, wanted);
    }

    private void write(int group) {
        Fabric fabric = channels.fabric;
        for (int sw = 0; sw < original.length; sw++) {
            if (tree.next[sw] != original[sw] && tree.next[sw] != NONE) {
                byte port = (byte) fabric.portNum(
                        channels.outPort[channels.firstOut[sw] + tree.next[sw] - channels.firstLink[sw]]);
                for (int lid : keptRoutes.groups.members(group)) {
                    lfts[sw][lid] = port;
                }
            }
        }
    }
}
