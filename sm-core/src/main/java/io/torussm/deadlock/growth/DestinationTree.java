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

    /** By switch: the switch that it forwards to, as of the last search; itself if there is none. */
    private final int[] to;

    /** Live switches but the destination, as of the last search; each comes after the one that it forwards to. */
    private final int[] outward;

    private int liveCount;

    /** By live switch: number of switches that forward through it, itself included. */
    private final int[] behind;

    /** By live switch: hops to the destination. */
    private final int[] hops;

    private int destination;

    DestinationTree(Channels channels) {
        this.channels = channels;
        next = new int[channels.switchCount];
        state = new byte[next.length];
        path = new int[next.length];
        to = new int[next.length];
        outward = new int[next.length];
        behind = new int[next.length];
        hops = new int[next.length];
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
        liveCount = 0;
        for (int sw = 0; sw < next.length; sw++) {
            int length = 0;
            int at = sw;
            while (state[at] == UNKNOWN) {
                state[at] = ON_THE_WAY;
                path[length++] = at;
                to[at] = ends.test(at) ? at : channels.linkTo[next[at]];
                at = to[at];
            }
            byte found = state[at] == LIVE ? LIVE : DEAD;
            for (int i = length - 1; i >= 0; i--) {
                state[path[i]] = found;
                outward[liveCount] = path[i];
                liveCount += found == LIVE ? 1 : 0;
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

    /** Counts the routes over links and turns, each several times. The live switches must be known. */
    void addTo(RouteCounts counts, int times) {
        int max = 0;
        hops[destination] = 0;
        for (int i = 0; i < liveCount; i++) {
            int sw = outward[i];
            behind[sw] = 1;
            hops[sw] = hops[to[sw]] + 1;
            max = Math.max(max, hops[sw]);
        }
        for (int i = liveCount - 1; i >= 0; i--) {
            int sw = outward[i];
            counts.add(next[sw], next[to[sw]], times * behind[sw]);
            behind[to[sw]] += behind[sw];
        }
        counts.end((long) times * liveCount, max);
    }
}
