package io.torussm.deadlock;

import java.util.Arrays;
import java.util.BitSet;

/**
 * A search for a short cycle in a graph with at least one cycle. The search first removes channels without a
 * predecessor or successor until none is left, and follows edges until a channel repeats, which is on a cycle.
 * Breadth-first searches from that channel and then from each remaining channel find the shortest cycle.
 */
public final class CycleSearch {
    /** Number of edges to visit before the search ends with the shortest cycle so far: about a tenth of a second. */
    private static final long BUDGET = 5_000_000;

    private static final int UNREACHED = -1;

    private final ChannelDependencyGraph graph;

    /** Channels with a predecessor and a successor in this set. */
    private final BitSet candidates;

    /** [channel] predecessor in the current breadth-first search, {@link #UNREACHED} between searches. */
    private final int[] predecessor;

    private final int[] queue;

    /** Channels of the shortest cycle so far, in the order of edges; empty before the first cycle. */
    private int[] shortestCycle = new int[0];

    /** Number of edges that were visited, compared with {@link #BUDGET}. */
    private long visitedEdges;

    private CycleSearch(ChannelDependencyGraph graph) {
        this.graph = graph;
        candidates = trimmed(graph);
        predecessor = new int[graph.size()];
        queue = new int[graph.size()];
        Arrays.fill(predecessor, UNREACHED);
    }

    /**
     * Returns the channels of a cycle in the order in which each waits for the next. It is a shortest cycle,
     * unless the graph is so large that the search ends early. The result is deterministic.
     *
     * @throws IllegalStateException if there is no cycle
     */
    static int[] shortest(ChannelDependencyGraph graph) {
        return new CycleSearch(graph).search();
    }

    private int[] search() {
        if (candidates.isEmpty()) {
            throw new IllegalStateException("the graph of " + graph.channelCount() + " channels has no cycle");
        }
        searchFrom(onSomeCycle());
        for (int start = candidates.nextSetBit(0);
                start >= 0 && visitedEdges < BUDGET;
                start = candidates.nextSetBit(start + 1)) {
            searchFrom(start);
        }
        return shortestCycle;
    }

    /**
     * Returns the largest set of channels that each have a predecessor and a successor in the set. These are the
     * channels on cycles, and those on paths from one cycle to another.
     */
    public static BitSet trimmed(Dependencies graph) {
        BitSet rest = new BitSet(graph.size());
        rest.set(0, graph.size());
        boolean changed = true;
        while (changed) {
            BitSet reachable = new BitSet(graph.size());
            changed = false;
            for (int channel = rest.nextSetBit(0); channel >= 0; channel = rest.nextSetBit(channel + 1)) {
                boolean leads = false;
                for (int edge = graph.first(channel); edge < graph.first(channel + 1); edge++) {
                    int successor = graph.successor(edge);
                    leads |= rest.get(successor);
                    reachable.set(successor);
                }
                if (!leads) {
                    rest.clear(channel);
                    changed = true;
                }
            }
            int before = rest.cardinality();
            rest.and(reachable);
            changed |= rest.cardinality() != before;
        }
        return rest;
    }

    /** Returns a channel on a cycle: follows edges within {@link #candidates} until a channel repeats. */
    private int onSomeCycle() {
        BitSet passed = new BitSet(graph.size());
        int channel = candidates.nextSetBit(0);
        while (!passed.get(channel)) {
            passed.set(channel);
            int edge = graph.first(channel);
            while (!candidates.get(graph.successor(edge))) {
                edge++;
            }
            channel = graph.successor(edge);
        }
        return channel;
    }

    /**
     * Searches breadth first from one channel. If a cycle through this channel is shorter than the best cycle, the new
     * cycle replaces it.
     */
    private void searchFrom(int start) {
        int tail = 1;
        queue[0] = start;
        int levelEnd = 1;
        int length = 1;
        boolean closed = false;
        for (int head = 0; head < tail && !closed; head++) {
            if (head == levelEnd) {
                levelEnd = tail;
                length++;
            }
            if (shortestCycle.length > 0 && length >= shortestCycle.length) {
                break;
            }
            int channel = queue[head];
            visitedEdges += graph.first(channel + 1) - graph.first(channel);
            for (int edge = graph.first(channel); edge < graph.first(channel + 1) && !closed; edge++) {
                int successor = graph.successor(edge);
                if (successor == start) {
                    shortestCycle = pathTo(channel, start, length);
                    closed = true;
                } else if (candidates.get(successor) && predecessor[successor] == UNREACHED) {
                    predecessor[successor] = channel;
                    queue[tail++] = successor;
                }
            }
        }
        for (int i = 0; i < tail; i++) {
            predecessor[queue[i]] = UNREACHED;
        }
    }

    /** Returns the {@code length} channels of the path from {@code start} to {@code last}. */
    private int[] pathTo(int last, int start, int length) {
        int[] path = new int[length];
        int channel = last;
        for (int i = length - 1; i > 0; i--) {
            path[i] = channel;
            channel = predecessor[channel];
        }
        path[0] = start;
        return path;
    }
}
