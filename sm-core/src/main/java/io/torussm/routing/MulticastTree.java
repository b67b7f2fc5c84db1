package io.torussm.routing;

import io.torussm.fabric.Fabric;
import java.util.Arrays;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A spanning tree over switches, the master of all multicast groups: the tree of a group is the part of it between the
 * root and the group's members. Immutable.
 *
 * <p>An edge may have several cables; a group takes the one at index {@code MLID mod cables} in the order in which they
 * were given, so groups share them out.
 */
public final class MulticastTree {
    private final Fabric fabric;
    private final int root;
    private final int[] parent;
    private final int[][] cables;

    /**
     * A tree; the arrays are kept, not copied.
     *
     * @param root switch index
     * @param parent by switch: its parent, {@link Fabric#NONE} for the root and for switches outside the tree
     * @param cables by switch with a parent: port numbers of the parent that lead to it, at least one, in order of use
     */
    public MulticastTree(Fabric fabric, int root, int[] parent, int[][] cables) {
        this.fabric = fabric;
        this.root = root;
        this.parent = parent;
        this.cables = cables;
    }

    /** The same tree on a fabric that has the same switches and cables between them, and maybe other hosts. */
    public MulticastTree on(Fabric newer) {
        return new MulticastTree(newer, root, parent, cables);
    }

    /** The same tree without switches that have no multicast table, and what hangs on them. */
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

    /** The switch (index) that every group's tree hangs from. */
    public int root() {
        return root;
    }

    /** The parent of a switch, {@link Fabric#NONE} for the root and for switches outside the tree. */
    public int parent(int sw) {
        return parent[sw];
    }

    /** Whether packets of groups can get to a switch. */
    public boolean spans(int sw) {
        return sw == root || parent[sw] != Fabric.NONE;
    }

    /** Cables between a switch and its parent. */
    public int cableCount(int sw) {
        return cables[sw].length;
    }

    /** The port index at the parent's end of a cable to a switch that has a parent, by index of the cable. */
    public int portAtParent(int sw, int cable) {
        return fabric.port(parent[sw], cables[sw][cable]);
    }

    /** The port index at the parent's end of the cable that a group takes. */
    public int groupPortAtParent(int sw, int mlid) {
        return portAtParent(sw, mlid % cables[sw].length);
    }

    /**
     * The multicast forwarding entries of a group: by switch, a bit for each port that is to send its packets. Only
     * switches between the root and a member are named; a member whose switch the tree does not span is left out.
     *
     * @param mlid 0xC000 or above
     * @param endports port indexes of members: ports of CAs and routers, or port 0 of switches
     * @return by switch index, ascending; four words of port bits each (bit {@code p % 64} of word {@code p / 64})
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

    /** Joins a switch to what is there already: whatever has an entry is joined to the root. */
    private void climb(int mlid, int from, SortedMap<Integer, long[]> masks) {
        int sw = from;
        boolean isJoined = sw == root || masks.containsKey(sw);
        while (!isJoined) {
            int down = groupPortAtParent(sw, mlid);
            int up = parent[sw];
            isJoined = up == root || masks.containsKey(up);
            set(masks, sw, fabric.portNum(fabric.peer(down)));
            set(masks, up, fabric.portNum(down));
            sw = up;
        }
    }

    private static void set(SortedMap<Integer, long[]> masks, int sw, int portNum) {
        masks.computeIfAbsent(sw, any -> new long[4])[portNum >> 6] |= 1L << portNum;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof MulticastTree tree
                && tree.root == root
                && Arrays.equals(tree.parent, parent)
                && Arrays.deepEquals(tree.cables, cables);
    }

    @Override
    public int hashCode() {
        return 31 * root + Arrays.hashCode(parent);
    }
}
