package io.torussm.deadlock.transition;

import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.ChannelDependencyGraph;
import io.torussm.deadlock.MulticastDependencies;
import io.torussm.fabric.Fabric;
import java.util.Arrays;
import java.util.BitSet;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A search for the channels that can be on a cycle if some dependencies are added to those of a certificate. Every such
 * cycle contains an added dependency that leads downward in the numbers of the certificate. All other channels of the
 * cycle are reached upward from the heads of such dependencies, and have at most the highest number at which such a
 * dependency starts. So few changed paths concern few channels.
 */
final class CycleRegion {
    private final int[] numbering;
    private final ChannelDependencyGraph provedGraph;
    private final @Nullable MulticastDependencies groups;
    private final ChannelDependencyGraph addedGraph;

    /** The visited channels in the order of visits: the first {@link #count} elements. */
    private int[] visited = new int[64];

    /** [channel] 1 + its index in {@link #visited}; 0 if the channel was not visited. */
    private final int[] place;

    private int count;

    /** The highest number of a channel at which an added downward dependency starts. */
    private int maxNumber = Fabric.NONE;

    private CycleRegion(Certificate proved, ChannelDependencyGraph more) {
        this.numbering = proved.numbering();
        this.provedGraph = proved.unicast();
        this.groups = proved.groupTraffic();
        this.addedGraph = more;
        this.place = new int[more.size()];
    }

    /**
     * Returns the channels on cycles, or on paths from one cycle to another. Each has a predecessor and a successor in
     * this set.
     *
     * @param more dependencies of the same channels that are added to those of the certificate
     */
    static BitSet of(Certificate proved, ChannelDependencyGraph more) {
        CycleRegion region = new CycleRegion(proved, more);
        region.visitUpward();
        return region.trimmed();
    }

    /** Checks whether two channels have numbers, and the first has the lower one. */
    static boolean isUpward(int[] numbering, int held, int wanted) {
        return numbering[held] != Fabric.NONE && numbering[held] < numbering[wanted];
    }

    /** Visits the channels upward from the heads of added downward dependencies, up to {@link #maxNumber}. */
    private void visitUpward() {
        BitSet starts = new BitSet();
        for (int held = 0; held < addedGraph.size(); held++) {
            for (int edge = addedGraph.first(held); edge < addedGraph.first(held + 1); edge++) {
                if (!isUpward(numbering, held, addedGraph.successor(edge))) {
                    maxNumber = Math.max(maxNumber, numbering[held]);
                    starts.set(addedGraph.successor(edge));
                }
            }
        }
        starts.stream().forEach(this::visit);
        for (int head = 0; head < count; head++) {
            forEachNext(visited[head], this::visit);
        }
    }

    /** Visits a channel, unless it was visited or its number is above {@link #maxNumber}. */
    private void visit(int channel) {
        if (place[channel] == 0 && numbering[channel] <= maxNumber) {
            if (count == visited.length) {
                visited = Arrays.copyOf(visited, 2 * count);
            }
            visited[count++] = channel;
            place[channel] = count;
        }
    }

    /** Enumerates the channels that packets in a channel wait for, which may repeat. */
    private void forEachNext(int channel, IntConsumer next) {
        for (int edge = provedGraph.first(channel); edge < provedGraph.first(channel + 1); edge++) {
            next.accept(provedGraph.successor(edge));
        }
        for (int edge = addedGraph.first(channel); edge < addedGraph.first(channel + 1); edge++) {
            next.accept(addedGraph.successor(edge));
        }
        if (groups != null) {
            for (int edge = groups.first(channel); edge < groups.first(channel + 1); edge++) {
                next.accept(groups.wanted(edge));
            }
        }
    }

    /** Returns the visited channels, after the removal of channels without a predecessor or successor among them. */
    private BitSet trimmed() {
        Edges edges = new Edges();
        for (int at = 0; at < count; at++) {
            int held = at;
            forEachNext(visited[at], channel -> edges.add(held, place[channel] - 1));
        }
        int[] stack = new int[count];
        int height = 0;
        for (int at = 0; at < count; at++) {
            if (edges.isOffCycles(at)) {
                stack[height++] = at;
            }
        }
        BitSet rest = new BitSet(addedGraph.size());
        for (int at = 0; at < count; at++) {
            rest.set(visited[at]);
        }
        while (height > 0) {
            int at = stack[--height];
            rest.clear(visited[at]);
            for (int edge = edges.lastOut[at]; edge != Fabric.NONE; edge = edges.previousOut[edge]) {
                if (--edges.predecessorCount[edges.to[edge]] == 0 && edges.successorCount[edges.to[edge]] != 0) {
                    stack[height++] = edges.to[edge];
                }
            }
            for (int edge = edges.lastIn[at]; edge != Fabric.NONE; edge = edges.previousIn[edge]) {
                if (--edges.successorCount[edges.from[edge]] == 0 && edges.predecessorCount[edges.from[edge]] != 0) {
                    stack[height++] = edges.from[edge];
                }
            }
        }
        return rest;
    }

    /**
     * The dependencies between visited channels, as linked lists: for each channel the last edge, for each edge the
     * previous one. A channel is given by its index in {@link #visited}.
     */
    private final class Edges {
        private final int[] lastOut = new int[count];
        private final int[] lastIn = new int[count];

        /** [channel] number of remaining predecessors. */
        private final int[] predecessorCount = new int[count];

        /** [channel] number of remaining successors. */
        private final int[] successorCount = new int[count];

        private int[] from = new int[4 * count];
        private int[] to = new int[4 * count];
        private int[] previousOut = new int[4 * count];
        private int[] previousIn = new int[4 * count];
        private int size;

        Edges() {
            Arrays.fill(lastOut, Fabric.NONE);
            Arrays.fill(lastIn, Fabric.NONE);
        }

        /** Adds an edge, unless {@code wanted} is negative because that channel was not visited. */
        void add(int held, int wanted) {
            if (wanted < 0) {
                return;
            }
            if (size == from.length) {
                from = Arrays.copyOf(from, 2 * size);
                to = Arrays.copyOf(to, 2 * size);
                previousOut = Arrays.copyOf(previousOut, 2 * size);
                previousIn = Arrays.copyOf(previousIn, 2 * size);
            }
            from[size] = held;
            to[size] = wanted;
            previousOut[size] = lastOut[held];
            previousIn[size] = lastIn[wanted];
            lastOut[held] = size;
            lastIn[wanted] = size++;
            successorCount[held]++;
            predecessorCount[wanted]++;
        }

        /** Checks whether a channel has no predecessor or no successor, so that it is on no cycle. */
        boolean isOffCycles(int channel) {
            return predecessorCount[channel] == 0 || successorCount[channel] == 0;
        }
    }
}
