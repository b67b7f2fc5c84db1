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
    private final ChannelDependencyGraph known;
    private final @Nullable MulticastDependencies groups;
    private final ChannelDependencyGraph more;

    /** The visited channels in the order of visits: the first {@link #count} elements. */
    private int[] met = new int[1024];

    /** [channel] 1 + its index in {@link #met}; 0 if the channel was not visited. */
    private final int[] place;

    private int count;

    /** The highest number of a channel at which an added downward dependency starts. */
    private int top = Fabric.NONE;

    private CycleRegion(Certificate proved, ChannelDependencyGraph more) {
        this.numbering = proved.numbering();
        this.known = proved.unicast();
        this.groups = proved.groupTraffic();
        this.more = more;
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
        region.climb();
        return region.trimmed();
    }

    /** Checks whether two channels have numbers, and the first has the lower one. */
    static boolean isUpward(int[] numbering, int held, int wanted) {
        return numbering[held] != Fabric.NONE && numbering[held] < numbering[wanted];
    }

    /** Visits the channels upward from the heads of added downward dependencies, up to {@link #top}. */
    private void climb() {
        BitSet starts = new BitSet();
        for (int held = 0; held < more.size(); held++) {
            for (int edge = more.first(held); edge < more.first(held + 1); edge++) {
                if (!isUpward(numbering, held, more.successor(edge))) {
                    top = Math.max(top, numbering[held]);
                    starts.set(more.successor(edge));
                }
            }
        }
        starts.stream().forEach(this::meet);
        for (int head = 0; head < count; head++) {
            forEachNext(met[head], this::meet);
        }
    }

    /** Visits a channel, unless it was visited or its number is above {@link #top}. */
    private void meet(int channel) {
        if (place[channel] == 0 && numbering[channel] <= top) {
            if (count == met.length) {
                met = Arrays.copyOf(met, 2 * count);
            }
            met[count++] = channel;
            place[channel] = count;
        }
    }

    /** Enumerates the channels that packets in a channel wait for, which may repeat. */
    private void forEachNext(int channel, IntConsumer next) {
        for (int edge = known.first(channel); edge < known.first(channel + 1); edge++) {
            next.accept(known.successor(edge));
        }
        for (int edge = more.first(channel); edge < more.first(channel + 1); edge++) {
            next.accept(more.successor(edge));
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
            forEachNext(met[at], channel -> edges.add(held, place[channel] - 1));
        }
        int[] stack = new int[count];
        int height = 0;
        for (int at = 0; at < count; at++) {
            if (edges.isOpen(at)) {
                stack[height++] = at;
            }
        }
        BitSet rest = new BitSet(more.size());
        for (int at = 0; at < count; at++) {
            rest.set(met[at]);
        }
        while (height > 0) {
            int at = stack[--height];
            rest.clear(met[at]);
            for (int edge = edges.lastOut[at]; edge != Fabric.NONE; edge = edges.previousOut[edge]) {
                if (--edges.before[edges.to[edge]] == 0 && edges.behind[edges.to[edge]] != 0) {
                    stack[height++] = edges.to[edge];
                }
            }
            for (int edge = edges.lastIn[at]; edge != Fabric.NONE; edge = edges.previousIn[edge]) {
                if (--edges.behind[edges.from[edge]] == 0 && edges.before[edges.from[edge]] != 0) {
                    stack[height++] = edges.from[edge];
                }
            }
        }
        return rest;
    }

    /**
     * The dependencies between visited channels, as linked lists: for each channel the last edge, for each edge the
     * previous one. A channel is given by its index in {@link #met}.
     */
    private final class Edges {
        private final int[] lastOut = new int[count];
        private final int[] lastIn = new int[count];

        /** [channel] number of remaining predecessors. */
        private final int[] before = new int[count];

        /** [channel] number of remaining successors. */
        private final int[] behind = new int[count];

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
            behind[held]++;
            before[wanted]++;
        }

        /** Checks whether a channel has no predecessor or no successor, so that it is on no cycle. */
        boolean isOpen(int channel) {
            return before[channel] == 0 || behind[channel] == 0;
        }
    }
}
