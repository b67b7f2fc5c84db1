package io.torussm.routing.nue;

import io.torussm.fabric.Fabric;
import io.torussm.routing.MulticastTree;
import io.torussm.routing.lanes.Lanes;
import io.torussm.routing.lanes.SwitchChannels;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A spanning tree of shortest paths from a root. Switches with a multicast table are attached first. A
 * destination uses the tree if every other path would close a cycle. Multicast uses the tree, too.
 */
final class EscapeTree {
    private final Fabric fabric;
    private final SwitchChannels channels;
    private final int root;

    /** By switch: its parent; {@link Fabric#NONE} for the root and for switches that are not connected. */
    private final int[] parent;

    /** Switches in the order in which they were attached. */
    private final int[] queue;

    private int count;

    /**
     * Attaches all connected switches to a root.
     *
     * @param earlier tree of the active plan, whose present cables stay in the tree; null without such a tree
     */
    EscapeTree(Fabric fabric, SwitchChannels channels, int root, @Nullable EscapeTree earlier) {
        this.fabric = fabric;
        this.channels = channels;
        this.root = root;
        parent = new int[fabric.switchCount()];
        Arrays.fill(parent, Fabric.NONE);
        queue = new int[parent.length];
        queue[count++] = root;
        int[] linked = earlier == null ? parent.clone() : earlier.parentsOn(fabric);
        for (boolean isForAll : new boolean[] {false, true}) {
            followEarlier(0, linked, isForAll);
            for (int head = 0; head < count; head++) {
                int sw = queue[head];
                for (int out = channels.first(sw); out < channels.first(sw + 1); out++) {
                    if (join(out, sw, isForAll)) {
                        followEarlier(count - 1, linked, isForAll);
                    }
                }
            }
        }
    }

    /**
     * Attaches switches that the earlier tree connects with switches in the queue.
     *
     * @param from index in the queue from which switches are considered
     * @param linked parent in the earlier tree by switch, {@link Fabric#NONE} for no parent
     * @param isForAll false to attach only switches with a multicast table
     */
    private void followEarlier(int from, int[] linked, boolean isForAll) {
        for (int head = from; head < count; head++) {
            int sw = queue[head];
            for (int out = channels.first(sw); out < channels.first(sw + 1); out++) {
                int next = channels.target(out);
                if (linked[sw] == next || linked[next] == sw) {
                    join(out, sw, isForAll);
                }
            }
        }
    }

    /** Attaches the switch at the end of a channel, unless it is attached already. */
    private boolean join(int out, int sw, boolean isForAll) {
        int next = channels.target(out);
        boolean isNew = next != root && parent[next] == Fabric.NONE && (isForAll || fabric.hasMulticast(next));
        if (isNew) {
            parent[next] = sw;
            queue[count++] = next;
        }
        return isNew;
    }

    /**
     * Returns the parents of this tree by switch of another fabric; {@link Fabric#NONE} for the root, and if a
     * switch is absent from one of the fabrics.
     */
    private int[] parentsOn(Fabric currentFabric) {
        int[] parents = new int[currentFabric.switchCount()];
        for (int sw = 0; sw < parents.length; sw++) {
            int ownNode = fabric.nodeByGuid(currentFabric.nodeGuid(sw));
            int ownParent = ownNode == Fabric.NONE || !fabric.isSwitch(ownNode) ? Fabric.NONE : parent[ownNode];
            parents[sw] = ownParent == Fabric.NONE ? Fabric.NONE : currentFabric.nodeByGuid(fabric.nodeGuid(ownParent));
        }
        return parents;
    }

    /** Returns the index of the root in another fabric; {@link Fabric#NONE} if the root is absent. */
    int rootOn(Fabric currentFabric) {
        return currentFabric.nodeByGuid(fabric.nodeGuid(root));
    }

    /** Checks whether all switches are connected. */
    boolean isWhole() {
        return count == parent.length;
    }

    /**
     * Adds to a lane the turns of packets that go along the tree to some switches, over all parallel cables.
     *
     * @param destinations switch indexes
     */
    void addTurns(Lanes lanes, int lane, int[] destinations) {
        for (int destination : destinations) {
            int[] next = nextSwitches(destination);
            for (int sw = 0; sw < parent.length; sw++) {
                for (int channel = channels.first(sw); channel < channels.first(sw + 1); channel++) {
                    if (channels.target(channel) == next[sw]) {
                        addTurnsInto(sw, channel, next, lanes, lane);
                    }
                }
            }
        }
    }

    private void addTurnsInto(int sw, int out, int[] next, Lanes lanes, int lane) {
        for (int backwards = channels.first(sw); backwards < channels.first(sw + 1); backwards++) {
            if (next[channels.target(backwards)] == sw) {
                lanes.addToLanes(channels.reverse(backwards), out, 1 << lane);
            }
        }
    }

    /** Returns by switch the next switch on the tree towards a destination; {@link Fabric#NONE} at the destination. */
    int[] nextSwitches(int destination) {
        int[] next = parent.clone();
        next[destination] = Fabric.NONE;
        for (int sw = destination; parent[sw] != Fabric.NONE; sw = parent[sw]) {
            next[parent[sw]] = sw;
        }
        return next;
    }

    /** Returns the tree for multicast groups, without switches that have no multicast table. */
    MulticastTree forGroups() {
        int[][] cables = new int[parent.length][0];
        for (int sw = 0; sw < parent.length; sw++) {
            for (int out = channels.first(sw); out < channels.first(sw + 1); out++) {
                int next = channels.target(out);
                if (parent[next] == sw) {
                    cables[next] = Arrays.copyOf(cables[next], cables[next].length + 1);
                    cables[next][cables[next].length - 1] = fabric.portNum(channels.port(out));
                }
            }
        }
        return new MulticastTree(fabric, root, parent, cables).ofSwitchesWithTable();
    }
}
