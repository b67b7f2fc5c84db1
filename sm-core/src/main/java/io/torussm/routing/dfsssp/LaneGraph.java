package io.torussm.routing.dfsssp;

import io.torussm.fabric.Fabric;
import io.torussm.routing.lanes.SwitchChannels;
import io.torussm.subnet.Subnet;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The turns of the paths in one lane, and the search for cycles among them, step by step as in OpenSM.
 * Searches begin at channels in the order of an unbalanced search tree. Turns are followed in the order in
 * which they were added. After a cycle is broken, the search continues from there. So it breaks the same
 * cycles.
 */
final class LaneGraph {
    private static final int NONE = Fabric.NONE;
    private static final int[] EMPTY = {};

    private static final byte WHITE = 0;
    private static final byte GREY = 1;
    private static final byte BLACK = 2;

    private final Paths paths;
    private final SwitchChannels channels;

    /** By turn: how much takes it; {@link #NONE} if it is not there. And the next out of the same channel. */
    private final int[] loads;

    private final int[] nextTurn;

    /** By turn: the paths that took it when they came; none if they are not listed. */
    private final int[][] listed;

    private final int[] listedCount;

    /** By channel: its first and last turn. */
    private final int[] firstTurn;

    private final int[] lastTurn;

    /** The search tree, by channel, in the order of LID and port of the switch that it leaves. */
    private final long[] keys;

    private final int[] lower;
    private final int[] upper;
    private final boolean[] isThere;
    private int root = NONE;

    /** By channel: how far the search is, and where it came from. */
    private final byte[] colours;

    private final int[] cameFrom;

    /** Channels in preorder of the search tree, and the index of each in that order. */
    private final int[] walk;

    private final int[] placeInWalk;
    private int count;

    /** All before this place were started from. */
    private int walked;

    private final int[] trace;

    /** A turn that was taken out. */
    record Broken(int held, int wanted, int[] listed) {}

    /** @param isListed true if paths of each turn are listed */
    LaneGraph(Paths paths, boolean isListed) {
        this.paths = paths;
        channels = paths.channels();
        Subnet subnet = paths.subnet();
        int channelCount = channels.count();
        int turns = channels.turnCount();
        loads = new int[turns];
        Arrays.fill(loads, NONE);
        nextTurn = new int[turns];
        listed = new int[isListed ? turns : 0][];
        listedCount = new int[listed.length];
        firstTurn = new int[channelCount];
        Arrays.fill(firstTurn, NONE);
        lastTurn = new int[channelCount];
        keys = new long[channelCount];
        lower = new int[channelCount];
        upper = new int[channelCount];
        Arrays.fill(lower, NONE);
        Arrays.fill(upper, NONE);
        isThere = new boolean[channelCount];
        walk = new int[channelCount];
        placeInWalk = new int[channelCount];
        colours = new byte[channelCount];
        cameFrom = new int[channelCount];
        Arrays.fill(cameFrom, NONE);
        for (int channel = 0; channel < channelCount; channel++) {
            Fabric fabric = subnet.fabric();
            int port = channels.port(channel);
            keys[channel] =
                    (long) subnet.lid(fabric.port(fabric.nodeOf(port), 0)) << Integer.SIZE | fabric.portNum(port);
        }
        trace = new int[subnet.fabric().switchCount()];
    }

    boolean isEmpty() {
        return root == NONE;
    }

    /**
     * Adds a path.
     *
     * @param pair number that it is listed as
     */
    void add(int sw, int lid, int pair) {
        int length = paths.trace(sw, lid, trace);
        for (int i = 0; i < length; i++) {
            if (!isThere[trace[i]]) {
                insert(trace[i]);
            }
            if (i > 0) {
                follow(trace[i - 1], trace[i], paths.hostLids(sw), pair);
            }
        }
    }

    private void insert(int channel) {
        int above = NONE;
        for (int at = root; at != NONE; at = keys[channel] < keys[at] ? lower[at] : upper[at]) {
            above = at;
        }
        if (above == NONE) {
            root = channel;
        } else if (keys[channel] < keys[above]) {
            lower[above] = channel;
        } else {
            upper[above] = channel;
        }
        isThere[channel] = true;
    }

    private void follow(int held, int wanted, int load, int pair) {
        int turn = channels.turn(held, wanted);
        if (loads[turn] == NONE) {
            loads[turn] = 0;
            nextTurn[turn] = NONE;
            if (firstTurn[held] == NONE) {
                firstTurn[held] = turn;
            } else {
                nextTurn[lastTurn[held]] = turn;
            }
            lastTurn[held] = turn;
        }
        loads[turn] += load;
        if (listed.length > 0) {
            int[] list = listed[turn] == null ? new int[4] : listed[turn];
            listed[turn] = listedCount[turn] == list.length ? Arrays.copyOf(list, 2 * list.length) : list;
            listed[turn][listedCount[turn]++] = pair;
        }
    }

    /** Removes a path that goes to another lane; its turns stay, even if no path uses them. */
    void remove(int sw, int lid) {
        int length = paths.trace(sw, lid, trace);
        for (int i = 1; i < length; i++) {
            int turn = channels.turn(trace[i - 1], trace[i]);
            loads[turn] -= loads[turn] == NONE ? 0 : paths.hostLids(sw);
        }
    }

    /** Begins to search, when all paths are there: a channel of a cycle, or {@link Fabric#NONE} if there is none. */
    int search() {
        int[] stack = new int[walk.length + 1];
        int depth = 0;
        stack[depth++] = root;
        while (depth > 0) {
            int channel = stack[--depth];
            if (channel != NONE) {
                placeInWalk[channel] = count;
                walk[count++] = channel;
                stack[depth++] = upper[channel];
                stack[depth++] = lower[channel];
            }
        }
        return search(root);
    }

    /**
     * Continues from a channel until a cycle is found. Returns a channel of it, or {@link Fabric#NONE} if
     * there is none.
     */
    int search(int start) {
        int channel = start;
        while (channel != NONE) {
            colours[channel] = GREY;
            int turn = firstTurn[channel];
            while (turn != NONE && colours[channels.wanted(channel, turn)] == BLACK) {
                turn = nextTurn[turn];
            }
            if (turn == NONE) {
                colours[channel] = BLACK;
                int back = cameFrom[channel];
                cameFrom[channel] = NONE;
                channel = back == NONE ? nextWhite() : back;
            } else if (colours[channels.wanted(channel, turn)] == GREY) {
                return channels.wanted(channel, turn);
            } else {
                cameFrom[channels.wanted(channel, turn)] = channel;
                channel = channels.wanted(channel, turn);
            }
        }
        return NONE;
    }

    private int nextWhite() {
        while (walked < count && colours[walk[walked]] != WHITE) {
            walked++;
        }
        return walked == count ? NONE : walk[walked];
    }

    private void whiten(int channel) {
        colours[channel] = WHITE;
        walked = Math.min(walked, placeInWalk[channel]);
    }

    /** Removes the turn of a cycle with the fewest paths; null if there is no such cycle. */
    @Nullable
    Broken breakCycle(int start) {
        int held = start;
        int least = turnToGrey(start);
        int channel = least == NONE ? start : channels.wanted(start, least);
        while (channel != start) {
            whiten(channel);
            int turn = turnToGrey(channel);
            if (turn == NONE) {
                return null;
            }
            if (loads[turn] < loads[least]) {
                held = channel;
                least = turn;
            }
            channel = channels.wanted(channel, turn);
        }
        whiten(start);
        return least == NONE ? null : takeOut(held, least);
    }

    private int turnToGrey(int channel) {
        int turn = firstTurn[channel];
        while (turn != NONE && colours[channels.wanted(channel, turn)] != GREY) {
            turn = nextTurn[turn];
        }
        return turn;
    }

    private Broken takeOut(int held, int turn) {
        int before = NONE;
        for (int at = firstTurn[held]; at != turn; at = nextTurn[at]) {
            before = at;
        }
        if (before == NONE) {
            firstTurn[held] = nextTurn[turn];
        } else {
            nextTurn[before] = nextTurn[turn];
        }
        lastTurn[held] = lastTurn[held] == turn ? before : lastTurn[held];
        loads[turn] = NONE;
        int[] pairs = listed.length == 0 ? EMPTY : Arrays.copyOf(listed[turn], listedCount[turn]);
        return new Broken(held, channels.wanted(held, turn), pairs);
    }
}
