package io.torussm.routing.nue;

import io.torussm.fabric.Fabric;
import io.torussm.routing.MulticastTree;
import io.torussm.routing.lanes.Lanes;
import io.torussm.routing.lanes.SwitchChannels;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A spanning tree of shortest ways from a root, over switches with a multicast table first. Destinations use
 * it if every other way would close a cycle; multicast uses it, too.
 */
final class EscapeTree {
    private final Fabric fabric;
    private final SwitchChannels channels;
    private final int root;

    /** By switch: its parent; {@link Fabric#NONE} for the root and for switches that are not connected. */
    private final int[] parent;

    /** Switches in the order in which they joined. */
    private final int[] queue;

    private int count;

    /**
     * Hangs all switches on a root.
     *
     * @param earlier the tree of an earlier plan, of which all cables stay that are there; null if there is none
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

    /** Adds switches that are connected by the earlier tree, from some place in the queue on. */
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

    private boolean join(int out, int sw, boolean isForAll) {
        int next = channels.target(out);
        boolean isNew = next != root && parent[next] == Fabric.NONE && (isForAll || fabric.hasMulticast(next));
        if (isNew) {
            parent[next] = sw;
            queue[count++] = next;
        }
        return isNew;
    }

    /** Returns, by switch of another fabric, its parent here; {@link Fabric#NONE} if either switch is unknown. */
    private int[] parentsOn(Fabric currentFabric) {
        int[] parents = new int[currentFabric.switchCount()];
        for (int sw = 0; sw < parents.length; sw++) {
            int known = fabric.nodeByGuid(currentFabric.nodeGuid(sw));
            int by = known == Fabric.NONE || !fabric.isSwitch(known) ? Fabric.NONE : parent[known];
            parents[sw] = by == Fabric.NONE ? Fabric.NONE : currentFabric.nodeByGuid(fabric.nodeGuid(by));
        }
        return parents;
    }

    /** Returns the root in another fabric; {@link Fabric#NONE} if it is not there. */
    int rootOn(Fabric currentFabric) {
        return currentFabric.nodeByGuid(fabric.nodeGuid(root));
    }

    /** Checks whether all switches are connected. */
    boolean isWhole() {
        return count == parent.length;
    }

    /** Takes the turns of packets that go along the tree to some switches, over parallel cables, too. */
    void take(Lanes lanes, int lane, int[] destinations) {
        for (int destination : destinations) {
            int[] next = towards(destination);
            for (int sw = 0; sw < parent.length; sw++) {
                for (int out = channels.first(sw); out < channels.first(sw + 1); out++) {
                    if (channels.target(out) == next[sw]) {
                        takeInto(sw, out, next, lanes, lane);
                    }
                }
            }
        }
    }

    private void takeInto(int sw, int out, int[] next, Lanes lanes, int lane) {
        for (int each = channels.first(sw); each < channels.first(sw + 1); each++) {
            if (next[channels.target(each)] == sw) {
                lanes.take(channels.back(each), out, 1 << lane);
            }
        }
    }

    /** Returns, by switch, the next one on the tree towards a destination; {@link Fabric#NONE} there. */
    int[] towards(int destination) {
        int[] next = parent.clone();
        next[destination] = Fabric.NONE;
        for (int sw = destination; parent[sw] != Fabric.NONE; sw = parent[sw]) {
            next[parent[sw]] = sw;
        }
        return next;
    }

    /** Returns the same for groups; switches without a multicast table are left out. */
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
