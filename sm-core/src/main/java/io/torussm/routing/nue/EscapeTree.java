package io.torussm.routing.nue;

import io.torussm.fabric.Fabric;
import io.torussm.routing.MulticastTree;
import io.torussm.routing.lanes.Channels;
import io.torussm.routing.lanes.Lanes;
import java.util.Arrays;

/**
 * A spanning tree of shortest ways from a root, over switches with a multicast table first: what is left to destinations where all else would
 * close a cycle, and to groups.
 */
final class EscapeTree {
    private final Fabric fabric;
    private final Channels channels;
    private final int root;

    /** By switch: the switch that it hangs on; {@link Fabric#NONE} for the root, and for what is not connected. */
    private final int[] parent;

    private final boolean isWhole;

    EscapeTree(Fabric fabric, Channels channels, int root) {
        this.fabric = fabric;
        this.channels = channels;
        this.root = root;
        parent = new int[fabric.switchCount()];
        Arrays.fill(parent, Fabric.NONE);
        int[] queue = new int[parent.length];
        queue[0] = root;
        int tail = 1;
        for (boolean isForAll : new boolean[] {false, true}) {
            for (int head = 0; head < tail; head++) {
                int sw = queue[head];
                for (int out = channels.first(sw); out < channels.first(sw + 1); out++) {
                    int next = channels.target(out);
                    if (next != root && parent[next] == Fabric.NONE && (isForAll || fabric.hasMulticast(next))) {
                        parent[next] = sw;
                        queue[tail++] = next;
                    }
                }
            }
        }
        isWhole = tail == parent.length;
    }

    /** Whether all switches are connected. */
    boolean isWhole() {
        return isWhole;
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

    /** By switch: the next one on the tree towards a destination; {@link Fabric#NONE} there. */
    int[] towards(int destination) {
        int[] next = parent.clone();
        next[destination] = Fabric.NONE;
        for (int sw = destination; parent[sw] != Fabric.NONE; sw = parent[sw]) {
            next[parent[sw]] = sw;
        }
        return next;
    }

    /** The same for groups; switches without a multicast table are left out. */
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
