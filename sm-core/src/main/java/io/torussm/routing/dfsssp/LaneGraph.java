package io.torussm.routing.dfsssp;

import io.torussm.fabric.Fabric;
import io.torussm.routing.lanes.SwitchChannels;
import io.torussm.subnet.Subnet;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The turns of the paths in one lane, and the search for cycles among them, step by step as in OpenSM.
 * Depth-first searches begin at channels in the order of an unbalanced search tree. Turns are followed in the
 * order in which they were added. After a cycle is broken, the search continues at that cycle. So it breaks the
 * same cycles as OpenSM. Channels and turns are numbers of {@link SwitchChannels}.
 */
final class LaneGraph {
    private static final int NONE = Fabric.NONE;
    private static final int[] EMPTY = {};

    /** The colours of a depth-first search: not visited, on the current path, or finished. */
    private static final byte WHITE = 0;

    private static final byte GREY = 1;
    private static final byte BLACK = 2;

    private final Paths paths;
    private final SwitchChannels channels;

    /** By turn: the number of host LIDs whose paths use it; {@link #NONE} if the turn is not in the lane. */
    private final int[] loads;

    /** By turn: the next turn out of the same channel, in the order of addition; {@link #NONE} for the last. */
    private final int[] nextTurn;

    /** {@code [turn]}: the paths that were added over the turn; without rows if paths are not listed. */
    private final int[][] listed;

    private final int[] listedCount;

    /** By channel: its first turn. */
    private final int[] firstTurn;

    /** By channel: its last turn. */
    private final int[] lastTurn;

    /**
     * By channel: its key in the search tree, the LID (upper 32 bits) and the port number of the switch at which it
     * begins.
     */
    private final long[] keys;

    /** By channel: its child in the search tree with lower keys, or {@link #NONE}. */
    private final int[] lower;
    /** By channel: its child in the search tree with higher or equal keys, or {@link #NONE}. */
    private final int[] upper;

    private final boolean[] isThere;
    private int root = NONE;

    /** By channel: its colour. */
    private final byte[] colours;

    /** By channel on the current path: the previous channel; {@link #NONE} for the first. */
    private final int[] cameFrom;

    /** Channels in preorder of the search tree. */
    private final int[] preorder;

    /** By channel: its index in {@code preorder}. */
    private final int[] placeInWalk;
    /** The number of channels in {@code preorder}. */
    private int count;

    /** All channels in {@code preorder} before this index are visited. */
    private int visitedPrefix;

    private final int[] trace;

    /**
     * A turn that was removed.
     *
     * @param held channel before the turn
     * @param wanted channel after the turn
     * @param listed paths over the turn, empty if paths are not listed
     */
    record BrokenTurn(int held, int wanted, int[] listed) {}

    /** @param isListed true to list the paths of each turn */
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
        preorder = new int[channelCount];
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
     * @param pair number of the path in lists; ignored if paths are not listed
     */
    void add(int sw, int lid, int pair) {
        int length = paths.writePath(sw, lid, trace);
        for (int i = 0; i < length; i++) {
            if (!isThere[trace[i]]) {
                insert(trace[i]);
            }
            if (i > 0) {
                addToTurn(trace[i - 1], trace[i], paths.hostLids(sw), pair);
            }
        }
    }

    private void insert(int channel) {
        int above = NONE;
        for (int current = root;
                current != NONE;
                current = keys[channel] < keys[current] ? lower[current] : upper[current]) {
            above = current;
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

    /**
     * Adds a path to a turn.
     *
     * @param load number of host LIDs that use the path
     */
    private void addToTurn(int held, int wanted, int load, int pair) {
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

    /** Removes a path that moves to another lane from the loads. Its turns stay, even if no path uses them. */
    void remove(int sw, int lid) {
        int length = paths.writePath(sw, lid, trace);
        for (int i = 1; i < length; i++) {
            int turn = channels.turn(trace[i - 1], trace[i]);
            loads[turn] -= loads[turn] == NONE ? 0 : paths.hostLids(sw);
        }
    }

    /**
     * Begins the search, after all paths were added. Returns a channel of a cycle; {@link Fabric#NONE} without a
     * cycle.
     */
    int search() {
        int[] stack = new int[preorder.length + 1];
        int depth = 0;
        stack[depth++] = root;
        while (depth > 0) {
            int channel = stack[--depth];
            if (channel != NONE) {
                placeInWalk[channel] = count;
                preorder[count++] = channel;
                stack[depth++] = upper[channel];
                stack[depth++] = lower[channel];
            }
        }
        return search(root);
    }

    /**
     * Continues the search from a channel. Returns a channel of the next cycle; {@link Fabric#NONE} if no cycle
     * remains.
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

    /** Returns the next channel that was not visited; {@link #NONE} if all were visited. */
    private int nextWhite() {
        while (visitedPrefix < count && colours[preorder[visitedPrefix]] != WHITE) {
            visitedPrefix++;
        }
        return visitedPrefix == count ? NONE : preorder[visitedPrefix];
    }

    /** Marks a channel as not visited. */
    private void markUnvisited(int channel) {
        colours[channel] = WHITE;
        visitedPrefix = Math.min(visitedPrefix, placeInWalk[channel]);
    }

    /**
     * Removes the turn with the lowest load from the cycle through a channel. Returns null if the turns on the
     * current path close no such cycle any more.
     */
    @Nullable
    BrokenTurn breakCycle(int start) {
        int held = start;
        int weakest = turnToGrey(start);
        int channel = weakest == NONE ? start : channels.wanted(start, weakest);
        while (channel != start) {
            markUnvisited(channel);
            int turn = turnToGrey(channel);
            if (turn == NONE) {
                return null;
            }
            if (loads[turn] < loads[weakest]) {
                held = channel;
                weakest = turn;
            }
            channel = channels.wanted(channel, turn);
        }
        markUnvisited(start);
        return weakest == NONE ? null : removeTurn(held, weakest);
    }

    /** Returns the first turn to a channel on the current path; {@link #NONE} without one. */
    private int turnToGrey(int channel) {
        int turn = firstTurn[channel];
        while (turn != NONE && colours[channels.wanted(channel, turn)] != GREY) {
            turn = nextTurn[turn];
        }
        return turn;
    }

    private BrokenTurn removeTurn(int held, int turn) {
        int previous = NONE;
        for (int current = firstTurn[held]; current != turn; current = nextTurn[current]) {
            previous = current;
        }
        if (previous == NONE) {
            firstTurn[held] = nextTurn[turn];
        } else {
            nextTurn[previous] = nextTurn[turn];
        }
        lastTurn[held] = lastTurn[held] == turn ? previous : lastTurn[held];
        loads[turn] = NONE;
        int[] pairs = listed.length == 0 ? EMPTY : Arrays.copyOf(listed[turn], listedCount[turn]);
        return new BrokenTurn(held, channels.wanted(held, turn), pairs);
    }
}
