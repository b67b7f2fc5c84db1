package io.torussm.deadlock.growth;

import io.torussm.deadlock.Channels;
import io.torussm.fabric.Fabric;
import io.torussm.routing.MulticastTree;
import io.torussm.routing.lanes.LongHeap;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A completion of {@link KeptRoutes}. For each destination, switches without a route are attached to the tree of
 * switches with a route, nearest first and by the link with the lowest load. An attachment is rejected if a dependency
 * of its packets closes a cycle with all previous routes. This follows Nue (Domke et al., 2016). But the VL cannot be
 * selected: the SL of the packets determines it.
 *
 * <p>The escape tree corresponds to Nue's escape paths: a spanning tree whose dependencies are in the order from the
 * start. If the tree is reserved for packets of any SL, a switch without a detour uses it, so a route always exists. An
 * instance is used once.
 */
final class DetourGrowth {
    private static final int NONE = Fabric.NONE;

    // a key of the heap compares routes by hops (upper 13 bits), then load (27 bits), then first link (23 bits)
    private static final int LINK_BITS = 23;
    private static final int LOAD_BITS = 27;
    private static final long LINK_MASK = (1L << LINK_BITS) - 1;
    private static final long LOAD_MASK = (1L << LOAD_BITS) - 1;
    private static final int MAX_HOPS = (1 << 63 - LINK_BITS - LOAD_BITS) - 1;

    private final KeptRoutes keptRoutes;
    private final boolean isForAllSls;
    private final Channels channels;
    private final GrowingOrder order;
    private final PathDependencies dependencies;

    /** The routes to the current group. */
    private final DestinationTree tree;

    /** [link] number of routes over the link, detours included. */
    private final int[] load;

    /** [switch][LID] egress port number, 0xFF without a route. */
    private final byte[][] lfts;

    /** [link] the link of the same cable in the other direction. */
    private final int[] reverse;

    /** [switch] links of the escape tree that leave the switch, to its parent and to its children. */
    private final int[][] escapes;

    /** [switch] link of the escape tree towards the destination; NONE at the destination or without a path. */
    private final int[] upTree;

    /** [switch] whether its route to the current group uses the escape tree. */
    private final boolean[] isOnTree;

    /** [switch] number of links to the destination; NONE if not yet computed. */
    private final int[] hops;

    private final int[] queue;

    /** [switch] egress link of the kept route to the current group; NONE without one. */
    private final int[] original;

    private final LongHeap heap = new LongHeap();

    /** Dependencies that close a cycle alone, so that no route may cause them. */
    private final LongSet forbidden = new LongSet();

    /** The dependency that {@link #add} tried last; NONE if it is in {@link #forbidden}. */
    private long rejected;

    /** Number of routes that are not kept routes. */
    private long bentRoutes;

    /**
     * Creates a completion.
     *
     * @param order the order of channels, with the dependencies of kept routes and of packets on the escape tree
     * @param escape the escape tree
     * @param isForAllSls whether the tree is reserved for packets of all SLs, so that unicast may use it
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

    /** Returns [switch] links of the escape tree; of parallel cables only the first. */
    private int[][] escapes(MulticastTree escape) {
        int[][] links = new int[channels.switchCount][0];
        for (int sw = 0; sw < links.length; sw++) {
            if (escape.parent(sw) != NONE) {
                int parent = escape.parent(sw);
                int down = channels.link(parent, channels.fabric.portNum(escape.portAtParent(sw, 0)));
                links[parent] = append(links[parent], down);
                links[sw] = append(links[sw], reverse[down]);
            }
        }
        return links;
    }

    private static int[] append(int[] links, int link) {
        int[] more = Arrays.copyOf(links, links.length + 1);
        more[links.length] = link;
        return more;
    }

    /** Returns the number of routes that are not kept routes. */
    long bentRoutes() {
        return bentRoutes;
    }

    /**
     * Completes the tables.
     *
     * @param urgent groups that are completed before all others
     * @return the first group to which some switch has no safe route; {@link Fabric#NONE} if all groups are complete,
     *     which is certain with a tree for all SLs
     */
    int complete(List<Integer> urgent) {
        for (int group : urgent) {
            if (!complete(group)) {
                return group;
            }
        }
        for (int group = 0; group < keptRoutes.groups.count(); group++) {
            if (keptRoutes.unroutedSwitches[group].length > 0 && !urgent.contains(group) && !complete(group)) {
                return group;
            }
        }
        return NONE;
    }

    /**
     * Returns [switch][LID] the egress port number, 0xFF only if there is no path. Entries of kept routes are
     * unchanged, unless all routes to the LID had to grow again, or use the escape tree.
     */
    byte[][] tables() {
        return lfts;
    }

    /** Completes the routes to a group. Returns false if some switch has no safe route. */
    private boolean complete(int group) {
        int[] members = keptRoutes.groups.members(group);
        tree.read(lfts, members[0], keptRoutes.groups.destination(group));
        System.arraycopy(tree.next, 0, original, 0, original.length);
        grow(group, keptRoutes.unroutedSwitches[group]);
        int[] stuck = stuckSwitches(group);
        if (stuck.length > 0 && isForAllSls) {
            routeAlongEscapeTree(group, stuck);
        } else if (stuck.length > 0) {
            regrow(group);
            if (stuckSwitches(group).length > 0) {
                return false;
            }
        }
        write(group);
        bentRoutes += (long) members.length * tree.differing(original);
        return true;
    }

    /**
     * Returns the switches that need a route to the destination and have none, although the escape tree connects them
     * to the destination.
     */
    private int[] stuckSwitches(int group) {
        int[] dead = Arrays.stream(tree.deadSwitches())
                .filter(sw -> keptRoutes.isRouteNeeded(sw, group))
                .toArray();
        if (dead.length == 0) {
            return dead;
        }
        findUpTree();
        return Arrays.stream(dead).filter(sw -> upTree[sw] != NONE).toArray();
    }

    /**
     * Removes all routes to a destination and grows the tree again. Among routes of equal length, the removed route is
     * preferred.
     */
    private void regrow(int group) {
        int[] others = IntStream.range(0, channels.switchCount)
                .filter(sw -> sw != tree.destination())
                .toArray();
        Arrays.stream(others).forEach(tree::cut);
        grow(group, others);
    }

    /** Attaches as many of the dead switches to the tree as possible, in the order of the heap (Dijkstra). */
    private void grow(int group, int[] dead) {
        Arrays.fill(hops, NONE);
        heap.clear();
        for (int sw : dead) {
            for (int link = channels.firstLink[sw]; link < channels.firstLink[sw + 1]; link++) {
                if (tree.isLive(channels.linkTo[link])) {
                    addCandidate(link);
                }
            }
        }
        while (!heap.isEmpty()) {
            int link = (int) (heap.poll() & LINK_MASK);
            int sw = channels.linkTo[reverse[link]];
            if (!tree.isLive(sw) && attach(sw, link, group)) {
                for (int next = channels.firstLink[sw]; next < channels.firstLink[sw + 1]; next++) {
                    if (!tree.isLive(channels.linkTo[next])) {
                        addCandidate(reverse[next]);
                    }
                }
            }
        }
    }

    /** Adds to the heap a link from a dead switch to a live one. */
    private void addCandidate(int link) {
        int to = channels.linkTo[link];
        if (hops[to] == NONE) {
            hops[to] = tree.hops(to);
        }
        boolean isKept = original[channels.linkTo[reverse[link]]] == link;
        long cost = (long) Math.min(hops[to], MAX_HOPS) << LOAD_BITS | (isKept ? 0 : Math.min(load[link], LOAD_MASK));
        heap.add(cost << LINK_BITS | link);
    }

    /** Attaches a switch by a link to a live switch. Returns false if its packets would close a cycle. */
    private boolean attach(int sw, int link, int group) {
        tree.attach(sw, link);
        if (!addIfSafe(sw, keptRoutes.groups.members(group)[0])) {
            tree.cut(sw);
            return false;
        }
        for (int at = sw; at != tree.destination(); at = channels.linkTo[tree.next[at]]) {
            load[tree.next[at]] += keptRoutes.groups.members(group).length;
        }
        return true;
    }

    /**
     * Routes switches along the escape tree. Packets of other switches whose routes join the tree are checked again. If
     * these packets could close a cycle, their switches use the escape tree as well.
     *
     * @param first the switches without another route
     */
    private void routeAlongEscapeTree(int group, int[] first) {
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
                    .filter(sw -> tree.isLive(sw) && !isOnTree[sw] && meetsTree(sw) && !addIfSafe(sw, lid))
                    .toArray();
        }
    }

    /** Finds the links of the escape tree towards the destination. */
    private void findUpTree() {
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

    /** Checks whether the route of a live switch joins the escape tree before the destination. */
    private boolean meetsTree(int from) {
        int sw = from;
        while (sw != tree.destination() && !isOnTree[sw]) {
            sw = channels.linkTo[tree.next[sw]];
        }
        return sw != tree.destination();
    }

    /** Adds the dependencies of a switch's packets. Returns false, and adds none, if they close a cycle. */
    private boolean addIfSafe(int sw, int lid) {
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

    /** Adds a dependency. A dependency that once closed a cycle alone is rejected without a search. */
    private boolean add(int held, int wanted) {
        rejected = ForbiddenEdges.edge(held, wanted);
        if (forbidden.contains(rejected)) {
            rejected = NONE;
            return false;
        }
        return order.add(held, wanted);
    }

    /** Writes the changed routes to a group into the tables. */
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
