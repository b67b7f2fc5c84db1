package io.torussm.routing;

import io.torussm.fabric.Fabric;
import java.util.Arrays;
import java.util.BitSet;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A spanning tree over switches, common to all multicast groups: the tree of a group is the part of it
 * between the root and the group's members. Immutable.
 *
 * <p>An edge may have several cables. A group takes the one at index {@code MLID mod cables} in the order in
 * which they were given, so the cables share the groups.
 *
 * <p>If cables or switches are lost, the tree and each group fall into parts. Each part has its own topmost
 * switch. No group changes to another cable for that, so the proof of the tree stays valid.
 */
public final class MulticastTree {
    private static final int MOST_CANDIDATES = 32;

    /** Stands for a cable that is lost. */
    private static final int LOST = 0;

    private final Fabric fabric;
    private final int root;
    private final int[] parent;
    private final int[][] cables;

    /** Switches that other parts hang from than that of the root, since their parent is gone. */
    private final BitSet tops;

    /**
     * Creates a tree; the arrays are kept, not copied.
     *
     * @param root switch index
     * @param parent by switch: its parent, {@link Fabric#NONE} for the root and for switches outside the tree
     * @param cables by switch with a parent: port numbers of the parent that lead to it, at least one, in order of use
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
     * Returns the tree of shortest paths from a root, over switches that have a multicast table. Of several
     * parents, a switch gets the one that was reached first.
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
     * Returns such trees from several roots, each computed when it is requested; some tens at most.
     *
     * @param roots switch indexes, best first
     */
    public static Stream<MulticastTree> candidates(Fabric fabric, int[] roots) {
        return IntStream.of(roots)
                .filter(fabric::hasMulticast)
                .limit(MOST_CANDIDATES)
                .mapToObj(root -> nearest(fabric, root));
    }

    /** Returns this tree on a fabric that has the same switches and cables between them, and maybe other hosts. */
    public MulticastTree on(Fabric newer) {
        return new MulticastTree(newer, root, parent, cables, tops);
    }

    /**
     * Returns the remaining part of the tree on a fabric in which switches or cables are missing or moved.
     *
     * @param currentFabric fabric with its own indexes
     * @return a tree without a root, {@link Fabric#NONE}, if it spans no switch of that fabric
     */
    public MulticastTree leftOn(Fabric currentFabric) {
        int[] parents = new int[currentFabric.switchCount()];
        int[][] left = new int[parents.length][0];
        BitSet highest = new BitSet();
        for (int sw = 0; sw < parents.length; sw++) {
            int known = fabric.nodeByGuid(currentFabric.nodeGuid(sw));
            boolean isSpanned = known != Fabric.NONE && spans(known);
            boolean hasParent = isSpanned && parent[known] != Fabric.NONE;
            parents[sw] = hasParent ? currentFabric.nodeByGuid(fabric.nodeGuid(parent[known])) : Fabric.NONE;
            if (parents[sw] != Fabric.NONE) {
                int above = parents[sw];
                left[sw] = Arrays.stream(cables[known])
                        .map(portNum -> isSame(
                                        currentFabric,
                                        currentFabric.port(above, portNum),
                                        fabric.port(parent[known], portNum))
                                ? portNum
                                : LOST)
                        .toArray();
            }
            highest.set(sw, isSpanned && parents[sw] == Fabric.NONE);
        }
        int same = currentFabric.nodeByGuid(fabric.nodeGuid(root));
        int top = same == Fabric.NONE ? highest.nextSetBit(0) : same;
        if (top != Fabric.NONE) {
            highest.clear(top);
        }
        return new MulticastTree(currentFabric, top, parents, left, highest);
    }

    /** Checks whether all switches of the tree are connected, by all the cables that it had. */
    boolean isWhole() {
        return tops.isEmpty()
                && Arrays.stream(cables).flatMapToInt(Arrays::stream).noneMatch(portNum -> portNum == LOST);
    }

    /** Checks whether the cable at a port leads to the same port as before. */
    private boolean isSame(Fabric currentFabric, int port, int before) {
        int far = currentFabric.peer(port);
        int known = fabric.peer(before);
        return far != Fabric.NONE
                && known != Fabric.NONE
                && currentFabric.portNum(far) == fabric.portNum(known)
                && currentFabric.nodeGuid(currentFabric.nodeOf(far)) == fabric.nodeGuid(fabric.nodeOf(known));
    }

    /**
     * Returns this tree without switches that have no multicast table, and without the branches below
     * them.
     */
    public MulticastTree ofSwitchesWithTable() {
        int[] kept = new int[parent.length];
        Arrays.setAll(kept, sw -> isReachable(sw) ? parent[sw] : Fabric.NONE);
        return new MulticastTree(fabric, root, kept, cables);
    }

    private boolean isReachable(int from) {
        int sw = from;
        while (sw != root && parent[sw] != Fabric.NONE && fabric.hasMulticast(sw)) {
            sw = parent[sw];
        }
        return sw == root;
    }

    /**
     * Returns the switch (index) that every group's tree hangs from, or that part of it which has not lost its
     * root.
     */
    public int root() {
        return root;
    }

    /** Returns the parent of a switch, {@link Fabric#NONE} for the root and for switches outside the tree. */
    public int parent(int sw) {
        return parent[sw];
    }

    /** Checks whether multicast packets can reach a switch. */
    public boolean spans(int sw) {
        return sw == root || parent[sw] != Fabric.NONE || tops.get(sw);
    }

    /** Returns the number of cables between a switch and its parent. */
    public int cableCount(int sw) {
        return cables[sw].length;
    }

    /**
     * Returns the port index at the parent's end of a cable to a switch that has a parent, by index of the
     * cable; {@link Fabric#NONE} if the cable is lost.
     */
    public int portAtParent(int sw, int cable) {
        int portNum = cables[sw][cable];
        return portNum == LOST ? Fabric.NONE : fabric.port(parent[sw], portNum);
    }

    /** Returns the port index at the parent's end of the cable that a group takes. */
    public int groupPortAtParent(int sw, int mlid) {
        return portAtParent(sw, mlid % cables[sw].length);
    }

    /**
     * Returns the multicast forwarding entries of a group: by switch, a bit for each output port. Only
     * switches between the root and a member have entries; a member whose switch is outside the tree is left
     * out.
     *
     * @param mlid 0xC000 or above
     * @param endports port indexes of members: ports of CAs and routers, or port 0 of switches
     * @return by switch index, ascending; four words of port bits each (bit {@code p % 64} of word
     *     {@code p / 64})
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

    /** Adds a switch to the tree of the group. Every switch with an entry is already connected to the root. */
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

    /** Checks whether a switch has no parent that the group can use. */
    private boolean isTop(int sw, int mlid) {
        return parent[sw] == Fabric.NONE || cables[sw][mlid % cables[sw].length] == LOST;
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
