package io.torussm.proof;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Queue;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The channel dependency graph of Dally and Seitz (1987): channels, by number, and pairs of channels such that a packet
 * may occupy the first while it waits for the second. The graph is independent of the meaning of channels. Not
 * thread-safe.
 */
final class WaitGraph {
    /** Max number of edges that the search for a short cycle visits after it has found one: some seconds. */
    private static final long BUDGET = 400_000_000L;

    private static final int NONE = FabricTables.NONE;

    private final BitSet usedChannels = new BitSet();

    /** Dependencies: held channel in the upper 32 bits, wanted channel in the lower ones. */
    private long[] edges = new long[1024];

    private int count;
    private boolean isSorted = true;

    /** Marks a channel as used. */
    void markUsed(int channel) {
        usedChannels.set(channel);
    }

    /** Adds a dependency: a packet may occupy a channel while it waits for another. Marks both channels as used. */
    void addWait(int held, int wanted) {
        usedChannels.set(held);
        usedChannels.set(wanted);
        if (count == edges.length) {
            sort();
            if (count > edges.length / 2) {
                edges = Arrays.copyOf(edges, Math.addExact(count, count));
            }
        }
        edges[count++] = (long) held << 32 | wanted;
        isSorted = false;
    }

    /** Adds the channels and dependencies of another graph. */
    void addAll(WaitGraph other) {
        other.sort();
        usedChannels.or(other.usedChannels);
        for (int edge = 0; edge < other.count; edge++) {
            addWait(other.held(edge), other.wanted(edge));
        }
    }

    /** Sorts edges and removes duplicates. */
    private void sort() {
        if (isSorted) {
            return;
        }
        Arrays.sort(edges, 0, count);
        int kept = 0;
        for (int edge = 0; edge < count; edge++) {
            if (kept == 0 || edges[kept - 1] != edges[edge]) {
                edges[kept++] = edges[edge];
            }
        }
        count = kept;
        isSorted = true;
    }

    private int held(int edge) {
        return (int) (edges[edge] >>> 32);
    }

    private int wanted(int edge) {
        return (int) edges[edge];
    }

    /** Returns the used channels, ascending. */
    BitSet usedChannels() {
        return usedChannels;
    }

    /** Returns the number of dependencies. */
    int dependencyCount() {
        sort();
        return count;
    }

    /** Checks whether a packet may occupy a channel while it waits for another. */
    boolean hasWait(int held, int wanted) {
        sort();
        return Arrays.binarySearch(edges, 0, count, (long) held << 32 | wanted) >= 0;
    }

    /**
     * Lists the faults of ranks: channels without a rank, and dependencies whose rank does not increase.
     *
     * @param ranks [channel] rank, -1 without a rank
     * @param names function that returns the name of a channel
     * @param faults receives a sentence for each fault
     */
    void violations(int[] ranks, IntFunction<String> names, List<String> faults) {
        sort();
        for (int channel = usedChannels.nextSetBit(0); channel >= 0; channel = usedChannels.nextSetBit(channel + 1)) {
            if (channel >= ranks.length || ranks[channel] == NONE) {
                faults.add(names.apply(channel) + " is used and has no rank");
            }
        }
        for (int edge = 0; edge < count; edge++) {
            int held = held(edge);
            int wanted = wanted(edge);
            if (Math.max(held, wanted) < ranks.length && ranks[held] != NONE && ranks[held] >= ranks[wanted]) {
                faults.add(names.apply(held) + " is held while " + names.apply(wanted) + " is waited for, but rank "
                        + ranks[held] + " is not below " + ranks[wanted]);
            }
        }
    }

    /** Returns [channel] its first edge, one element more than channels; sorts the edges. */
    private int[] firstEdges() {
        sort();
        int[] first = new int[usedChannels.length() + 1];
        for (int edge = 0; edge < count; edge++) {
            first[held(edge) + 1]++;
        }
        for (int channel = 0; channel < usedChannels.length(); channel++) {
            first[channel + 1] += first[channel];
        }
        return first;
    }

    /**
     * Returns a rank for each used channel: the length of the longest chain of dependencies that leads to it. So the
     * rank of a channel is above the ranks of all channels whose packets wait for it.
     *
     * @return [channel] rank, -1 if unused; null if there is a cycle
     */
    int @Nullable [] ranks() {
        int[] ranks = new int[usedChannels.length()];
        Arrays.fill(ranks, NONE);
        return peel(ranks).isEmpty() ? ranks : null;
    }

    /**
     * Ranks and removes channels without a predecessor until none is left. Returns the remaining channels, which are on
     * cycles or reached from a cycle.
     */
    private BitSet peel(int[] ranks) {
        int[] first = firstEdges();
        int[] predecessors = new int[usedChannels.length()];
        for (int edge = 0; edge < count; edge++) {
            predecessors[wanted(edge)]++;
        }
        BitSet remaining = (BitSet) usedChannels.clone();
        Queue<Integer> free = new ArrayDeque<>();
        for (int channel = usedChannels.nextSetBit(0); channel >= 0; channel = usedChannels.nextSetBit(channel + 1)) {
            if (predecessors[channel] == 0) {
                ranks[channel] = 0;
                free.add(channel);
            }
        }
        for (Integer channel = free.poll(); channel != null; channel = free.poll()) {
            remaining.clear(channel);
            for (int edge = first[channel]; edge < first[channel + 1]; edge++) {
                int next = wanted(edge);
                ranks[next] = Math.max(ranks[next], ranks[channel] + 1);
                if (--predecessors[next] == 0) {
                    free.add(next);
                }
            }
        }
        return remaining;
    }

    /**
     * Returns a shortest cycle of the graph, found by a breadth-first search from each channel. If the search exceeds
     * {@link #BUDGET}, returns the shortest cycle so far.
     *
     * @return channels, each of which waits for the next, the last for the first
     * @throws IllegalStateException if there is no cycle
     */
    int[] shortestCreditLoop() {
        BitSet remaining = peel(new int[usedChannels.length()]);
        int[] first = firstEdges();
        int[] cameFrom = new int[usedChannels.length()];
        int[] best = new int[0];
        long spent = 0;
        for (int start = remaining.nextSetBit(0); start >= 0; start = remaining.nextSetBit(start + 1)) {
            if (best.length == 1 || (best.length > 0 && spent > BUDGET)) {
                break;
            }
            Arrays.fill(cameFrom, NONE);
            int[] queue = new int[remaining.cardinality() + 1];
            int[] depth = new int[queue.length];
            int tail = 1;
            queue[0] = start;
            depth[0] = 1;
            boolean isClosed = false;
            for (int head = 0; head < tail && !isClosed; head++) {
                if (best.length > 0 && depth[head] >= best.length) {
                    break;
                }
                int channel = queue[head];
                spent += first[channel + 1] - first[channel];
                for (int edge = first[channel]; edge < first[channel + 1] && !isClosed; edge++) {
                    int next = wanted(edge);
                    if (next == start) {
                        best = path(cameFrom, start, channel, depth[head]);
                        isClosed = true;
                    } else if (remaining.get(next) && cameFrom[next] == NONE) {
                        cameFrom[next] = channel;
                        queue[tail] = next;
                        depth[tail++] = depth[head] + 1;
                    }
                }
            }
        }
        if (best.length == 0) {
            throw new IllegalStateException("there is no circle");
        }
        return best;
    }

    /** Returns the {@code length} channels of the path from {@code start} to {@code last}. */
    private static int[] path(int[] from, int start, int last, int length) {
        int[] way = new int[length];
        int channel = last;
        for (int at = length - 1; at > 0; at--) {
            way[at] = channel;
            channel = from[channel];
        }
        way[0] = start;
        return way;
    }
}
