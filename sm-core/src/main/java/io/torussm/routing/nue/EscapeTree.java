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

    /** Takes all turns of packets that stay on the tree, over parallel cables, too. */
    void take(Lanes lanes, int lane) {
        for (int sw = 0; sw < parent.length; sw++) {
            for (int in = channels.first(sw); in < channels.first(sw + 1); in++) {
                for (int out = channels.first(sw); out < channels.first(sw + 1); out++) {
                    if (channels.target(in) != channels.target(out)
                            && isEdge(sw, channels.target(in))
                            && isEdge(sw, channels.target(out))) {
                        lanes.take(channels.back(in), out, 1 << lane);
                    }
                }
            }
        }
    }

    private boolean isEdge(int one, int other) {
        return parent[one] == other || parent[other] == one;
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
