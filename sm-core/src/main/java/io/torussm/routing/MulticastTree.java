package io.torussm.routing;

import io.torussm.fabric.Fabric;
import java.util.Arrays;
import java.util.BitSet;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A spanning tree over switches, common to all multicast groups. The tree of a group is the part between the
 * root and the switches of the group's members. Immutable.
 *
 * <p>An edge may have several cables. A group takes the cable at index {@code MLID mod (number of cables)}, so
 * groups are distributed over the cables.
 *
 * <p>If cables or switches are lost, the tree and each group fall into parts. Each part has its own topmost
 * switch. No group changes to another cable, so the proof of the tree stays valid.
 */
public final class MulticastTree {
    /** Maximum number of trees that {@link #candidates} offers. */
    private static final int MAX_CANDIDATES = 32;

    /** The port number in {@code cables} of a lost cable. */
    private static final int LOST_CABLE = 0;

    private final Fabric fabric;
    private final int root;
    /** By switch: its parent, {@link Fabric#NONE} for the root, for {@code tops}, and outside the tree. */
    private final int[] parent;
    /** {@code [switch][cable]}: port number of the parent that leads to the switch, or {@link #LOST_CABLE}. */
    private final int[][] cables;

    /** The topmost switches, by index, of parts without the root. Their parent was lost. */
    private final BitSet tops;

    /**
     * Creates a tree; the arrays are kept, not copied.
     *
     * @param root switch index
     * @param parent parent by switch, {@link Fabric#NONE} for the root and for switches outside the tree
     * @param cables port numbers {@code [switch][cable]} of the parent that lead to the switch, at least one for a
     *     switch with a parent, in order of use
     */
    public MulticastTree(Fabric fabric, int root, int[] parent, int[][] cables) {
        this(fabric, root, parent, cables, new BitSet());
    }

    private MulticastTree(Fabric fabric, int root, int[] parent, int[][] cables, BitSet tops) {
        this.fabric = fabric;
        this.root = root;
        this.parent = parent;
        this.cables = cables;
        this.tops = tops;
    }

    /**
     * Returns the tree of shortest paths from a root, over switches that have a multicast table. If several switches
     * could be the parent of a switch, the parent is the one that the search reached first.
     *
     * @param root switch index
     */
    public static MulticastTree nearest(Fabric fabric, int root) {
        int[] parent = new int[fabric.switchCount()];
        int[][] cables = new int[parent.length][0];
        int[] queue = new int[parent.length];
        Arrays.fill(parent, Fabric.NONE);
        queue[0] = root;
        int tail = 1;
        for (int head = 0; head < tail; head++) {
            int sw = queue[head];
            for (int portNum = 1; portNum <= fabric.numPorts(sw); portNum++) {
                int far = fabric.peer(fabric.port(sw, portNum));
                int next = far == Fabric.NONE ? Fabric.NONE : fabric.nodeOf(far);
                boolean isCandidate = next != Fabric.NONE && fabric.isSwitch(next) && next != root;
                if (isCandidate && parent[next] == Fabric.NONE && fabric.hasMulticast(next)) {
                    parent[next] = sw;
                    queue[tail++] = next;
                }
                if (isCandidate && parent[next] == sw) {
                    cables[next] = Arrays.copyOf(cables[next], cables[next].length + 1);
                    cables[next][cables[next].length - 1] = portNum;
                }
            }
        }
        return new MulticastTree(fabric, root, parent, cables);
    }

    /**
     * Returns trees of shortest paths from several roots, at most {@value #MAX_CANDIDATES}. Each tree is computed
     * when the stream reaches it.
     *
     * @param roots switch indexes, best first
     */
    public static Stream<MulticastTree> candidates(Fabric fabric, int[] roots) {
        return IntStream.of(roots)
                .filter(fabric::hasMulticast)
                .limit(MAX_CANDIDATES)
                .mapToObj(root -> nearest(fabric, root));
    }

    /** Returns this tree on a fabric with the same switches and the same cables between switches; hosts may differ. */
    public MulticastTree onFabric(Fabric newer) {
        return new MulticastTree(newer, root, parent, cables, tops);
    }

    /**
     * Returns the remaining part of the tree on a fabric in which switches or cables are missing or moved.
     *
     * @param currentFabric fabric with its own indexes
     * @return remaining tree; its root is {@link Fabric#NONE} if it spans no switch of that fabric
     */
    public MulticastTree remainingOn(Fabric currentFabric) {
        int[] parents = new int[currentFabric.switchCount()];
        int[][] remainingCables = new int[parents.length][0];
        BitSet highest = new BitSet();
        for (int sw = 0; sw < parents.length; sw++) {
            int oldSwitch = fabric.nodeByGuid(currentFabric.nodeGuid(sw));
            boolean isSpanned = oldSwitch != Fabric.NONE && spans(oldSwitch);
            boolean hasParent = isSpanned && parent[oldSwitch] != Fabric.NONE;
            parents[sw] = hasParent ? currentFabric.nodeByGuid(fabric.nodeGuid(parent[oldSwitch])) : Fabric.NONE;
            if (parents[sw] != Fabric.NONE) {
                int currentParent = parents[sw];
                remainingCables[sw] = Arrays.stream(cables[oldSwitch])
                        .map(portNum -> isSame(
                                        currentFabric,
                                        currentFabric.port(currentParent, portNum),
                                        fabric.port(parent[oldSwitch], portNum))
                                ? portNum
                                : LOST_CABLE)
                        .toArray();
            }
            highest.set(sw, isSpanned && parents[sw] == Fabric.NONE);
        }
        int currentRoot = currentFabric.nodeByGuid(fabric.nodeGuid(root));
        int top = currentRoot == Fabric.NONE ? highest.nextSetBit(0) : currentRoot;
        if (top != Fabric.NONE) {
            highest.clear(top);
        }
        return new MulticastTree(currentFabric, top, parents, remainingCables, highest);
    }

    /**
     * Checks whether all remaining switches of the tree are connected with the root, by all cables that the tree had
     * between them.
     */
    boolean isWhole() {
        return tops.isEmpty()
                && Arrays.stream(cables).flatMapToInt(Arrays::stream).noneMatch(portNum -> portNum == LOST_CABLE);
    }

    /**
     * Checks whether the cable at a port of another fabric leads to the same port as the cable at a port of this
     * fabric.
     */
    private boolean isSame(Fabric currentFabric, int port, int oldPort) {
        int peer = currentFabric.peer(port);
        int oldPeer = fabric.peer(oldPort);
        return peer != Fabric.NONE
                && oldPeer != Fabric.NONE
                && currentFabric.portNum(peer) == fabric.portNum(oldPeer)
                && currentFabric.nodeGuid(currentFabric.nodeOf(peer)) == fabric.nodeGuid(fabric.nodeOf(oldPeer));
    }

    /**
     * Returns this tree without switches that have no multicast table, and without the branches below these
     * switches.
     */
    public MulticastTree ofSwitchesWithTable() {
        int[] keptParents = new int[parent.length];
        Arrays.setAll(keptParents, sw -> isReachable(sw) ? parent[sw] : Fabric.NONE);
        return new MulticastTree(fabric, root, keptParents, cables);
    }

    private boolean isReachable(int from) {
        int sw = from;
        while (sw != root && parent[sw] != Fabric.NONE && fabric.hasMulticast(sw)) {
            sw = parent[sw];
        }
        return sw == root;
    }

    /**
     * Returns the switch index of the root of every group's tree. If the tree fell into parts, it is the root of one
     * part. {@link Fabric#NONE} if the tree spans no switch.
     */
    public int root() {
        return root;
    }

    /**
     * Returns the parent of a switch; {@link Fabric#NONE} for the topmost switch of each part and for switches
     * outside the tree.
     */
    public int parent(int sw) {
        return parent[sw];
    }

    /** Checks whether a switch is part of the tree. */
    public boolean spans(int sw) {
        return sw == root || parent[sw] != Fabric.NONE || tops.get(sw);
    }

    /** Returns the number of cables between a switch and its parent. */
    public int cableCount(int sw) {
        return cables[sw].length;
    }

    /**
     * Returns the index of the port of the parent for a cable to a switch that has a parent; {@link Fabric#NONE} if
     * the cable is lost.
     *
     * @param cable index of the cable, from 0 to {@link #cableCount} - 1
     */
    public int portAtParent(int sw, int cable) {
        int portNum = cables[sw][cable];
        return portNum == LOST_CABLE ? Fabric.NONE : fabric.port(parent[sw], portNum);
    }

    /** Returns the index of the port of the parent for the cable that a group takes. */
    public int groupPortAtParent(int sw, int mlid) {
        return portAtParent(sw, mlid % cables[sw].length);
    }

    /**
     * Returns the multicast forwarding entries of a group: a bit for each output port, by switch. Only switches
     * between the root and a member have entries. A member whose switch is outside the tree is ignored.
     *
     * @param mlid 0xC000 or above
     * @param endports port indexes of members: ports of CAs and routers, or port 0 of switches
     * @return four words of port bits by switch index, ascending; port p is bit {@code p % 64} of word {@code p /
     *     64}
     */
    public SortedMap<Integer, long[]> route(int mlid, int[] endports) {
        SortedMap<Integer, long[]> masks = new TreeMap<>();
        for (int endport : endports) {
            int sw = fabric.switchOf(endport);
            if (sw != Fabric.NONE && spans(sw)) {
                climb(mlid, sw, masks);
                int local = fabric.isSwitch(fabric.nodeOf(endport)) ? 0 : fabric.portNum(fabric.peer(endport));
                set(masks, sw, local);
            }
        }
        return masks;
    }

    /**
     * Adds the path from a switch up to the tree of the group. It ends at a switch with an entry, because such a
     * switch is already connected to the top.
     */
    private void climb(int mlid, int from, SortedMap<Integer, long[]> masks) {
        int sw = from;
        boolean isJoined = isTop(sw, mlid) || masks.containsKey(sw);
        while (!isJoined) {
            int down = groupPortAtParent(sw, mlid);
            int up = parent[sw];
            isJoined = isTop(up, mlid) || masks.containsKey(up);
            set(masks, sw, fabric.portNum(fabric.peer(down)));
            set(masks, up, fabric.portNum(down));
            sw = up;
        }
    }

    /**
     * Checks whether a switch is topmost for a group: it has no parent, or the cable of the group to the parent is
     * lost.
     */
    private boolean isTop(int sw, int mlid) {
        return parent[sw] == Fabric.NONE || cables[sw][mlid % cables[sw].length] == LOST_CABLE;
    }

    private static void set(SortedMap<Integer, long[]> masks, int sw, int portNum) {
        masks.computeIfAbsent(sw, any -> new long[4])[portNum >> 6] |= 1L << portNum;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof MulticastTree tree
                && tree.root == root
                && tree.tops.equals(tops)
                && Arrays.equals(tree.parent, parent)
                && Arrays.deepEquals(tree.cables, cables);
    }

    @Override
    public int hashCode() {
        return 31 * root + Arrays.hashCode(parent);
    }
}
