package io.torussm.deadlock;

import io.torussm.routing.MulticastTree;
import java.util.Arrays;

/**
 * The dependencies of all multicast groups that a tree may carry. Edges are sorted by held channel, then by wanted
 * channel, so that they merge with those of unicast. Immutable.
 */
public final class MulticastDependencies {
    /** [edge] held channel in the upper 32 bits, wanted channel in the lower ones; ascending. */
    private long[] edges = new long[1024];

    private int edgeCount;

    /** [link] VLs that packets of groups use (bit n: VL n). */
    private final char[] usedVls;

    /** [channel] first edge of the channel; one element more than channels. */
    private final int[] first;

    /**
     * Computes all dependencies of a tree.
     *
     * @param slMask SLs that groups may have (bit n: SL n)
     */
    public MulticastDependencies(Channels channels, MulticastTree tree, int slMask) {
        TreeSlUsage traffic = new TreeSlUsage(channels, slMask, tree);
        usedVls = new char[channels.linkTo.length];
        for (int sw = 0; sw < channels.switchCount; sw++) {
            int[] links = traffic.links(sw).clone();
            Arrays.sort(links);
            for (int link : links) {
                int firstOfLink = edgeCount;
                usedVls[link] = (char) traffic.held(sw, link);
                traffic.dependencies(sw, link, this::add);
                Arrays.sort(edges, firstOfLink, edgeCount);
            }
        }
        first = new int[channels.channelCount() + 1];
        for (int edge = 0; edge < edgeCount; edge++) {
            first[held(edge) + 1]++;
        }
        for (int channel = 0; channel + 1 < first.length; channel++) {
            first[channel + 1] += first[channel];
        }
    }

    private boolean add(int held, int wanted) {
        if (edgeCount == edges.length) {
            edges = Arrays.copyOf(edges, 2 * edgeCount);
        }
        edges[edgeCount++] = (long) held << 32 | wanted;
        return true;
    }

    /** Returns the VLs of a link that packets of groups use (bit n: VL n). */
    char usedVls(int link) {
        return usedVls[link];
    }

    /** Returns the first edge of a channel. The last edge of the channel is {@code first(channel + 1) - 1}. */
    public int first(int channel) {
        return first[channel];
    }

    /** Checks whether packets of groups may occupy one channel while they wait for another. */
    public boolean contains(int held, int wanted) {
        return Arrays.binarySearch(edges, 0, edgeCount, (long) held << 32 | wanted) >= 0;
    }

    int edgeCount() {
        return edgeCount;
    }

    /** Returns the channel of an edge that a packet occupies. Edges ascend in this channel. */
    int held(int edge) {
        return (int) (edges[edge] >>> 32);
    }

    /** Returns the channel of an edge that a packet waits for. */
    public int wanted(int edge) {
        return (int) edges[edge];
    }
}
