package io.torussm.deadlock.growth;

import io.torussm.deadlock.Dependencies;
import io.torussm.fabric.Fabric;
import java.util.Arrays;

/**
 * An order of channels in which all dependencies lead upward, while dependencies are added one by one. It rejects a
 * dependency that would close a cycle. If a new dependency leads downward, two searches advance in turn, from the
 * wanted channel ahead and from the held channel backward. If they meet, there is a cycle. Otherwise the channels of
 * the search that ends first are moved past the other end. This follows Bender, Fineman, Gilbert and Tarjan, "A new
 * approach to incremental cycle detection and related problems" (2015). Most changes of routes concern few channels at
 * one of the ends, even if the ends are far apart in the order. Not thread-safe.
 */
public final class GrowingOrder {
    private final Dependencies graph;
    private final ChannelList order;

    /** [channel] index of its first predecessor in {@link #predecessors}; one element more than channels. */
    private final int[] firstPredecessor;

    /** Predecessors in {@link #graph}, channel by channel. */
    private final int[] predecessors;

    /** [channel] last added dependency that the channel holds, the start of a linked list; NONE without one. */
    private final int[] lastOut;

    /** [channel] last added dependency that waits for the channel, the start of a linked list; NONE without one. */
    private final int[] lastIn;

    /** [added dependency] the held channel. */
    private int[] from = new int[256];

    /** [added dependency] the wanted channel. */
    private int[] to = new int[256];

    /** [added dependency] the previous added dependency with the same held channel; NONE without one. */
    private int[] previousOut = new int[256];

    /** [added dependency] the previous added dependency with the same wanted channel; NONE without one. */
    private int[] previousIn = new int[256];

    /** Number of added dependencies. */
    private int added;

    private final Search ahead;
    private final Search behind;

    /** Remaining visits of dependencies in searches for channels to move. */
    private long effort;

    /** A breadth-first search from one end of a dependency, among the channels between its ends in the order. */
    private final class Search {
        /** True for a search of successors from the wanted channel, false for predecessors of the held channel. */
        private final boolean isAhead;

        /** The found channels: the first {@link #count} elements. Those before {@link #head} were visited. */
        private final int[] found;

        /** [channel] whether it is in {@link #found}. */
        private final boolean[] isFound;

        private int count;
        private int head;

        /** Number of visited dependencies. */
        private int visitedCount;

        Search(boolean isAhead) {
            this.isAhead = isAhead;
            found = new int[graph.size()];
            isFound = new boolean[graph.size()];
        }

        void begin(int start) {
            count = 0;
            head = 0;
            visitedCount = 0;
            addFound(start);
        }

        private void addFound(int channel) {
            isFound[channel] = true;
            found[count++] = channel;
        }

        boolean isOver() {
            return head == count;
        }

        /**
         * Visits one more channel. Returns false if the other search has found one of its neighbours, so that the
         * dependency closes a cycle.
         *
         * @param limit the other end of the dependency; channels beyond it in the order are not found
         */
        boolean advance(Search other, int limit) {
            int channel = found[head++];
            int first = isAhead ? graph.first(channel) : firstPredecessor[channel];
            int end = isAhead ? graph.first(channel + 1) : firstPredecessor[channel + 1];
            for (int edge = first; edge < end; edge++) {
                if (!visit(isAhead ? graph.successor(edge) : predecessors[edge], other, limit)) {
                    return false;
                }
            }
            for (int edge = isAhead ? lastOut[channel] : lastIn[channel];
                    edge != Fabric.NONE;
                    edge = isAhead ? previousOut[edge] : previousIn[edge]) {
                if (!visit(isAhead ? to[edge] : from[edge], other, limit)) {
                    return false;
                }
            }
            return true;
        }

        private boolean visit(int channel, Search other, int limit) {
            visitedCount++;
            if (!isFound[channel] && (isAhead ? order.isBefore(channel, limit) : order.isBefore(limit, channel))) {
                addFound(channel);
            }
            return !other.isFound[channel];
        }

        void clear() {
            for (int i = 0; i < count; i++) {
                isFound[found[i]] = false;
            }
        }
    }

    /**
     * Creates an order from a numbering.
     *
     * @param graph dependencies that the order contains from the start
     * @param numbering [channel] number, with which all dependencies of {@code graph} lead upward; {@link Fabric#NONE}
     *     for an unused channel
     */
    public GrowingOrder(Dependencies graph, int[] numbering) {
        this(graph, numbering, Long.MAX_VALUE);
    }

    /**
     * Creates an order with limited effort.
     *
     * @param graph dependencies that the order contains from the start
     * @param numbering [channel] number, with which all dependencies of {@code graph} lead upward; {@link Fabric#NONE}
     *     for an unused channel
     * @param effort number of visits of dependencies. After these, all downward dependencies are rejected, even if they
     *     close no cycle
     */
    public GrowingOrder(Dependencies graph, int[] numbering, long effort) {
        this.graph = graph;
        this.effort = effort;
        order = new ChannelList(numbering);
        firstPredecessor = new int[graph.size() + 1];
        predecessors = new int[graph.dependencyCount()];
        lastOut = new int[graph.size()];
        lastIn = new int[graph.size()];
        Arrays.fill(lastOut, Fabric.NONE);
        Arrays.fill(lastIn, Fabric.NONE);
        ahead = new Search(true);
        behind = new Search(false);
        reverse();
    }

    /** Fills the lists of predecessors. */
    private void reverse() {
        for (int edge = 0; edge < predecessors.length; edge++) {
            firstPredecessor[graph.successor(edge) + 1]++;
        }
        Arrays.parallelPrefix(firstPredecessor, Integer::sum);
        int[] next = Arrays.copyOf(firstPredecessor, graph.size());
        for (int channel = 0; channel < graph.size(); channel++) {
            for (int edge = graph.first(channel); edge < graph.first(channel + 1); edge++) {
                predecessors[next[graph.successor(edge)]++] = channel;
            }
        }
    }

    /** Returns a mark for {@link #undo}. */
    int mark() {
        return added;
    }

    /** Removes the dependencies that were added after a mark. The order of channels stays, since it remains valid. */
    void undo(int mark) {
        while (added > mark) {
            added--;
            lastOut[from[added]] = previousOut[added];
            lastIn[to[added]] = previousIn[added];
        }
    }

    /**
     * Adds a dependency. Returns false, and adds nothing, if the dependency would close a cycle, or if it leads
     * downward and the effort is used up.
     */
    public boolean add(int held, int wanted) {
        if (held == wanted) {
            return false;
        }
        order.append(held);
        order.append(wanted);
        if (isAdded(held, wanted)) {
            return true;
        }
        if (order.isBefore(wanted, held) && !reorder(held, wanted)) {
            return false;
        }
        if (added == from.length) {
            from = Arrays.copyOf(from, 2 * added);
            to = Arrays.copyOf(to, 2 * added);
            previousOut = Arrays.copyOf(previousOut, 2 * added);
            previousIn = Arrays.copyOf(previousIn, 2 * added);
        }
        from[added] = held;
        to[added] = wanted;
        previousOut[added] = lastOut[held];
        previousIn[added] = lastIn[wanted];
        lastOut[held] = added;
        lastIn[wanted] = added;
        added++;
        return true;
    }

    private boolean isAdded(int held, int wanted) {
        for (int edge = lastOut[held]; edge != Fabric.NONE; edge = previousOut[edge]) {
            if (to[edge] == wanted) {
                return true;
            }
        }
        return false;
    }

    /**
     * Moves channels so that {@code held} precedes {@code wanted}. Returns false if a path leads from {@code wanted} to
     * {@code held}, or if the effort is used up.
     */
    private boolean reorder(int held, int wanted) {
        if (effort <= 0) {
            return false;
        }
        ahead.begin(wanted);
        behind.begin(held);
        boolean isFree = true;
        while (isFree && !ahead.isOver() && !behind.isOver()) {
            isFree = ahead.visitedCount <= behind.visitedCount
                    ? ahead.advance(behind, held)
                    : behind.advance(ahead, wanted);
        }
        effort -= ahead.visitedCount + behind.visitedCount;
        if (isFree && ahead.isOver()) {
            order.moveAfter(held, ahead.found, ahead.count);
        } else if (isFree) {
            order.moveBefore(wanted, behind.found, behind.count);
        }
        ahead.clear();
        behind.clear();
        return isFree;
    }
}
