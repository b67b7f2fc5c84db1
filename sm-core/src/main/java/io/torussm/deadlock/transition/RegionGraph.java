package io.torussm.deadlock.transition;

import io.torussm.deadlock.ChannelDependencyGraph;
import io.torussm.deadlock.CycleSearch;
import io.torussm.deadlock.Dependencies;
import io.torussm.deadlock.MulticastDependencies;
import io.torussm.deadlock.growth.ForbiddenEdges;
import io.torussm.deadlock.growth.GrowingOrder;
import io.torussm.fabric.Fabric;
import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The dependencies between a few channels of a fabric (the region), which are numbered from 0 in ascending order. A
 * fabric of 4,096 switches has 393,216 channels. Arrays with an element for each channel would cost more than all other
 * work on a region of some thousand channels. Immutable.
 */
final class RegionGraph implements Dependencies {
    /** [channel of the region] channel of the fabric, ascending. */
    private final int[] channels;

    /** [channel of the region] its first edge; one element more than channels. */
    private final int[] first;

    /** [edge] channel of the region at its head. */
    private final int[] successors;

    /**
     * Creates a graph.
     *
     * @param channels channels of the fabric, ascending
     * @param edges edges between them, as {@link ForbiddenEdges#edge}, ascending
     */
    private RegionGraph(int[] channels, long[] edges) {
        this.channels = channels;
        first = new int[channels.length + 1];
        successors = new int[edges.length];
        int from = 0;
        for (int edge = 0; edge < edges.length; edge++) {
            while (channels[from] != (int) (edges[edge] >>> 32)) {
                first[++from] = edge;
            }
            successors[edge] = Arrays.binarySearch(channels, (int) edges[edge]);
        }
        Arrays.fill(first, from + 1, first.length, edges.length);
    }

    /**
     * Returns the graph of all dependencies between some channels.
     *
     * @param region the channels
     * @param unicast dependencies of unicast
     * @param more additional dependencies between these channels, as {@link ForbiddenEdges#edge}
     * @param groups dependencies of multicast; null for unicast alone
     */
    static RegionGraph of(
            BitSet region, ChannelDependencyGraph unicast, long[] more, @Nullable MulticastDependencies groups) {
        LongStream.Builder edges = LongStream.builder();
        Arrays.stream(more).forEach(edges);
        for (int channel = region.nextSetBit(0); channel >= 0; channel = region.nextSetBit(channel + 1)) {
            for (int edge = unicast.first(channel); edge < unicast.first(channel + 1); edge++) {
                add(edges, region, channel, unicast.successor(edge));
            }
            for (int edge = groups == null ? 0 : groups.first(channel);
                    groups != null && edge < groups.first(channel + 1);
                    edge++) {
                add(edges, region, channel, groups.wanted(edge));
            }
        }
        return new RegionGraph(
                region.stream().toArray(), edges.build().sorted().distinct().toArray());
    }

    private static void add(LongStream.Builder edges, BitSet region, int held, int wanted) {
        if (region.get(wanted)) {
            edges.add(ForbiddenEdges.edge(held, wanted));
        }
    }

    /** Returns the part of the graph that is on cycles, or on paths from one cycle to another. */
    RegionGraph trimmed() {
        BitSet rest = CycleSearch.trimmed(this);
        LongStream.Builder edges = LongStream.builder();
        for (int held = rest.nextSetBit(0); held >= 0; held = rest.nextSetBit(held + 1)) {
            for (int edge = first[held]; edge < first[held + 1]; edge++) {
                if (rest.get(successors[edge])) {
                    edges.add(ForbiddenEdges.edge(channels[held], channels[successors[edge]]));
                }
            }
        }
        return new RegionGraph(
                rest.stream().map(at -> channels[at]).toArray(), edges.build().toArray());
    }

    /**
     * Returns edges whose removal breaks all cycles, ascending. They are selected from the edges that do not lead
     * upward: an edge is kept if it closes no cycle with the edges kept before it.
     *
     * @param numbering [channel of the fabric] number; {@link Fabric#NONE} for a channel without upward edges
     * @param max upper limit of the number of edges for this selection; if more edges do not lead upward, all of them
     *     are the result
     * @return edges between channels of the fabric, as {@link ForbiddenEdges#edge}
     */
    long[] cuts(int[] numbering, int max) {
        LongStream.Builder upward = LongStream.builder();
        LongStream.Builder others = LongStream.builder();
        for (int held = 0; held < channels.length; held++) {
            for (int edge = first[held]; edge < first[held + 1]; edge++) {
                int wanted = channels[successors[edge]];
                boolean isUpward = CycleRegion.isUpward(numbering, channels[held], wanted);
                (isUpward ? upward : others).add(ForbiddenEdges.edge(channels[held], wanted));
            }
        }
        long[] downward = others.build().toArray();
        if (downward.length > max) {
            return downward;
        }
        GrowingOrder order =
                new GrowingOrder(new RegionGraph(channels, upward.build().toArray()), ranks(numbering));
        return Arrays.stream(downward)
                .filter(edge -> !order.add(
                        Arrays.binarySearch(channels, (int) (edge >>> 32)), Arrays.binarySearch(channels, (int) edge)))
                .toArray();
    }

    /**
     * Returns [channel of the region] its rank among the channels with a number; {@link Fabric#NONE} without a number.
     */
    private int[] ranks(int[] numbering) {
        long[] ascending = IntStream.range(0, channels.length)
                .filter(at -> numbering[channels[at]] != Fabric.NONE)
                .mapToLong(at -> (long) numbering[channels[at]] << 32 | at)
                .sorted()
                .toArray();
        int[] ranks = new int[channels.length];
        Arrays.fill(ranks, Fabric.NONE);
        for (int rank = 0; rank < ascending.length; rank++) {
            ranks[(int) ascending[rank]] = rank;
        }
        return ranks;
    }

    /** Checks whether the region has no channels. */
    boolean isEmpty() {
        return channels.length == 0;
    }

    @Override
    public int size() {
        return channels.length;
    }

    @Override
    public int dependencyCount() {
        return successors.length;
    }

    @Override
    public int first(int channel) {
        return first[channel];
    }

    @Override
    public int successor(int edge) {
        return successors[edge];
    }
}
