package io.torussm.deadlock.growth;

import io.torussm.deadlock.Channels;
import io.torussm.fabric.Fabric;
import java.util.Arrays;
import java.util.function.IntPredicate;

/**
 * The routes of all switches to one destination: by switch its egress link. A switch is <em>live</em> if
 * these links lead from it to the destination. The memory is reused for each destination.
 */
final class DestinationTree {
    private static final int NONE = Fabric.NONE;
    private static final byte UNKNOWN = 0;
    private static final byte LIVE = 1;
    private static final byte DEAD = 2;
    private static final byte ON_THE_WAY = 3;

    /** By switch: its egress link; NONE at the destination, and for a switch without a route. */
    final int[] next;

    private final Channels channels;
    private final byte[] state;
    private final int[] path;

    /** By switch: number of switches that forward through it, itself included. */
    private final int[] behind;

    private final int[] children;

    /** By switch: hops from the most distant of these. */
    private final int[] farthest;

    private int destination;

    DestinationTree(Channels channels) {
        this.channels = channels;
        next = new int[channels.switchCount];
        state = new byte[next.length];
        path = new int[next.length];
        behind = new int[next.length];
        children = new int[next.length];
        farthest = new int[next.length];
    }

    int destination() {
        return destination;
    }

    boolean isLive(int sw) {
        return state[sw] == LIVE;
    }

    /** Takes the links of tables, and finds the live switches. */
    void read(byte[][] lfts, int lid, int towards) {
        destination = towards;
        for (int sw = 0; sw < next.length; sw++) {
            next[sw] = sw == towards ? NONE : channels.link(sw, lfts[sw][lid] & 0xff);
        }
        findLive();
    }

    /**
     * Takes the links of copied entries, and finds which switches are live.
     *
     * @param from index of the entry of the first switch
     */
    void read(byte[] entries, int from, int towards) {
        destination = towards;
        for (int sw = 0; sw < next.length; sw++) {
            next[sw] = sw == towards ? NONE : channels.link(sw, entries[from + sw] & 0xff);
        }
        findLive();
    }

    /** Returns the switches that are not live, ascending. */
    int[] dead() {
        int count = 0;
        for (byte each : state) {
            count += each == LIVE ? 0 : 1;
        }
        int[] dead = new int[count];
        for (int sw = 0, i = 0; i < count; sw++) {
            if (state[sw] != LIVE) {
                dead[i++] = sw;
            }
        }
        return dead;
    }

    /** Finds the live switches again. */
    void findLive() {
        resolve(sw -> next[sw] == NONE);
    }

    /**
     * Returns the number of switches whose route is missing or differs from other links. {@link #isLive} is
     * undefined afterwards.
     */
    int differing(int[] others) {
        resolve(sw -> next[sw] != others[sw] || next[sw] == NONE);
        return dead().length;
    }

    /** Finds the switches whose path to the destination contains no switch that a predicate accepts. */
    private void resolve(IntPredicate ends) {
        Arrays.fill(state, UNKNOWN);
        state[destination] = LIVE;
        for (int sw = 0; sw < next.length; sw++) {
            int length = 0;
            int at = sw;
            while (state[at] == UNKNOWN) {
                state[at] = ON_THE_WAY;
                path[length++] = at;
                at = ends.test(at) ? at : channels.linkTo[next[at]];
            }
            byte found = state[at] == LIVE ? LIVE : DEAD;
            for (int i = 0; i < length; i++) {
                state[path[i]] = found;
            }
        }
    }

    /** Removes a switch from the tree. {@link #findLive} then finds the switches that forward through it. */
    void cut(int sw) {
        next[sw] = NONE;
        state[sw] = DEAD;
    }

    /** Attaches a switch to the tree by a link to a live switch. */
    void attach(int sw, int link) {
        next[sw] = link;
        state[sw] = LIVE;
    }

    /** Returns the hops from a live switch to the destination. */
    int hops(int from) {
        int hops = 0;
        for (int sw = from; sw != destination; sw = channels.linkTo[next[sw]]) {
            hops++;
        }
        return hops;
    }

    /** Counts the routes over links and turns, each several times. */
    void addTo(RouteCounts counts, int times) {
        Arrays.fill(behind, 1);
        Arrays.fill(children, 0);
        Arrays.fill(farthest, 0);
        for (int sw = 0; sw < next.length; sw++) {
            if (state[sw] == LIVE && sw != destination) {
                children[channels.linkTo[next[sw]]]++;
            }
        }
        int tail = 0;
        for (int sw = 0; sw < next.length; sw++) {
            if (state[sw] == LIVE && children[sw] == 0) {
                path[tail++] = sw;
            }
        }
        for (int head = 0; head < tail; head++) {
            int sw = path[head];
            if (sw != destination) {
                int to = channels.linkTo[next[sw]];
                counts.add(next[sw], next[to], times * behind[sw]);
                behind[to] += behind[sw];
                farthest[to] = Math.max(farthest[to], farthest[sw] + 1);
                if (--children[to] == 0) {
                    path[tail++] = to;
                }
            }
        }
        counts.end((long) times * (behind[destination] - 1), farthest[destination]);
    }
}
