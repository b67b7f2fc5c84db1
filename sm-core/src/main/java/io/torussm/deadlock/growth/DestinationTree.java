package io.torussm.deadlock.growth;

import io.torussm.deadlock.Channels;
import io.torussm.fabric.Fabric;
import java.util.Arrays;
import java.util.function.IntPredicate;

/**
 * The routes of all switches to one destination: an egress link for each switch. A switch is <em>live</em> if these
 * links lead from the switch to the destination. The memory is reused for each destination. Not thread-safe.
 */
final class DestinationTree {
    private static final int NONE = Fabric.NONE;
    private static final byte UNKNOWN = 0;
    private static final byte LIVE = 1;
    private static final byte DEAD = 2;

    /** The state of a switch on the path that is followed. If the path returns to such a switch, it is a loop. */
    private static final byte ON_THE_WAY = 3;

    /** [switch] egress link; NONE at the destination, and for a switch without a route. */
    final int[] next;

    private final Channels channels;

    /** [switch] one of the four states above. */
    private final byte[] state;

    private final int[] path;

    /** [switch] the switch that it forwards to, as of the last search; the switch itself without a route. */
    private final int[] nextSwitch;

    /**
     * The live switches without the destination, as of the last search: the first {@link #liveCount} elements. Each
     * switch comes after the switch that it forwards to.
     */
    private final int[] liveSwitches;

    private int liveCount;

    /** [live switch] number of switches that forward through it, the switch itself included. */
    private final int[] subtreeSize;

    /** [live switch] number of links to the destination. */
    private final int[] hops;

    private int destination;

    DestinationTree(Channels channels) {
        this.channels = channels;
        next = new int[channels.switchCount];
        state = new byte[next.length];
        path = new int[next.length];
        nextSwitch = new int[next.length];
        liveSwitches = new int[next.length];
        subtreeSize = new int[next.length];
        hops = new int[next.length];
    }

    int destination() {
        return destination;
    }

    boolean isLive(int sw) {
        return state[sw] == LIVE;
    }

    /**
     * Reads the links from tables, and finds the live switches.
     *
     * @param lfts [switch][LID] egress port number
     * @param towards the destination switch, which has the LID
     */
    void read(byte[][] lfts, int lid, int towards) {
        destination = towards;
        for (int sw = 0; sw < next.length; sw++) {
            next[sw] = sw == towards ? NONE : channels.link(sw, lfts[sw][lid] & 0xff);
        }
        findLive();
    }

    /**
     * Reads the links from copied entries, and finds the live switches.
     *
     * @param entries egress port numbers, one for each switch, from index {@code from} on
     * @param towards the destination switch
     */
    void read(byte[] entries, int from, int towards) {
        destination = towards;
        for (int sw = 0; sw < next.length; sw++) {
            next[sw] = sw == towards ? NONE : channels.link(sw, entries[from + sw] & 0xff);
        }
        findLive();
    }

    /** Returns the switches that are not live, ascending. */
    int[] deadSwitches() {
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

    /** Finds the live switches again, after links were changed. */
    void findLive() {
        resolve(sw -> next[sw] == NONE);
    }

    /**
     * Returns the number of switches whose route is missing, or contains a link that differs from another tree. {@link
     * #isLive} is undefined afterwards.
     *
     * @param others [switch] egress link in the other tree
     */
    int differing(int[] others) {
        resolve(sw -> next[sw] != others[sw] || next[sw] == NONE);
        return deadSwitches().length;
    }

    /** Marks a switch as live if its path reaches the destination without a switch that a predicate accepts. */
    private void resolve(IntPredicate ends) {
        Arrays.fill(state, UNKNOWN);
        state[destination] = LIVE;
        liveCount = 0;
        for (int sw = 0; sw < next.length; sw++) {
            int length = 0;
            int current = sw;
            while (state[current] == UNKNOWN) {
                state[current] = ON_THE_WAY;
                path[length++] = current;
                nextSwitch[current] = ends.test(current) ? current : channels.linkTo[next[current]];
                current = nextSwitch[current];
            }
            byte result = state[current] == LIVE ? LIVE : DEAD;
            for (int i = length - 1; i >= 0; i--) {
                state[path[i]] = result;
                liveSwitches[liveCount] = path[i];
                liveCount += result == LIVE ? 1 : 0;
            }
        }
    }

    /** Removes a switch from the tree. Switches that forward through it remain live until {@link #findLive}. */
    void cut(int sw) {
        next[sw] = NONE;
        state[sw] = DEAD;
    }

    /** Attaches a switch to the tree by a link to a live switch. */
    void attach(int sw, int link) {
        next[sw] = link;
        state[sw] = LIVE;
    }

    /** Returns the number of links from a live switch to the destination. */
    int hops(int from) {
        int hops = 0;
        for (int sw = from; sw != destination; sw = channels.linkTo[next[sw]]) {
            hops++;
        }
        return hops;
    }

    /**
     * Adds the routes of all live switches to the counts of links and turns. {@link #findLive} precedes the call.
     *
     * @param times number of LIDs that use this tree
     */
    void addTo(RouteCounts counts, int times) {
        int max = 0;
        hops[destination] = 0;
        for (int i = 0; i < liveCount; i++) {
            int sw = liveSwitches[i];
            subtreeSize[sw] = 1;
            hops[sw] = hops[nextSwitch[sw]] + 1;
            max = Math.max(max, hops[sw]);
        }
        for (int i = liveCount - 1; i >= 0; i--) {
            int sw = liveSwitches[i];
            counts.add(next[sw], next[nextSwitch[sw]], times * subtreeSize[sw]);
            subtreeSize[nextSwitch[sw]] += subtreeSize[sw];
        }
        counts.addDestination((long) times * liveCount, max);
    }
}
