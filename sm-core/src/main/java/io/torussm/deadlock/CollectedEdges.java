package io.torussm.deadlock;

import java.util.Arrays;

/**
 * The edges of a {@link ChannelDependencyGraph} while they are collected, link by link in ascending order. Belongs to
 * one task.
 */
public final class CollectedEdges {
    /** Packets that are mapped to VL15 are discarded: they use no buffer and wait for none. */
    private static final int DATA_VLS = 0x7fff;

    private final Channels channels;
    private final char[] usedVls;
    private final int[] first;

    /** [edge] the channel at its head. */
    private int[] heads;

    private int count;

    /**
     * Creates an empty list.
     *
     * @param used [link] VLs that packets use (bit n: VL n); written for each link that is added
     * @param first [channel] number of edges of this list before the channel, one element more than channels; {@code
     *     first[c + 1]} is written for each channel c of a link that is added
     * @param capacity number of edges to reserve memory for
     */
    public CollectedEdges(Channels channels, char[] used, int[] first, int capacity) {
        this.channels = channels;
        this.usedVls = used;
        this.first = first;
        heads = new int[capacity];
    }

    /** Returns the number of edges. */
    public int count() {
        return count;
    }

    /** Returns [edge] the channel that packets wait for. */
    int[] heads() {
        return Arrays.copyOf(heads, count);
    }

    /** Copies the channels that packets wait for, in the order of edges, into an array from index {@code at} on. */
    public void copyTo(int[] successors, int at) {
        System.arraycopy(heads, 0, successors, at, count);
    }

    /** Reserves memory for more edges. */
    public void reserve(int more) {
        if (count + more > heads.length) {
            heads = Arrays.copyOf(heads, Math.addExact(Math.max(heads.length, more), heads.length >> 1) + more);
        }
    }

    /**
     * Adds an edge of the channel that the next {@link #endChannel} completes. The caller has reserved memory for it.
     *
     * @param wanted the channel at the head of the edge
     */
    public void add(int wanted) {
        heads[count++] = wanted;
    }

    /** Completes the edges of a channel. Channels are completed in ascending order. */
    public void endChannel(int channel) {
        first[channel + 1] = count;
    }

    /** Records the VLs that packets use on a link. */
    public void setUsedVls(int link, char vls) {
        usedVls[link] = vls;
    }

    /**
     * Adds the edges of a link.
     *
     * @param slMask SLs whose packets count (bit n: SL n)
     * @param out the link as an out, numbered within the switch
     */
    public void addLink(SlUsage traffic, int slMask, int sw, int out) {
        int link = channels.firstLink[sw] + out;
        int next = channels.linkTo[link];
        int degree = channels.degree(next);
        // [held VL * degree + next link within its switch] wanted VLs
        char[] waits = new char[degree * Channels.VLS];
        for (int ingress = channels.firstClass[sw]; ingress < channels.firstClass[sw + 1]; ingress++) {
            for (int slot = 0; slot <= degree; slot++) {
                for (int sls = traffic.sls(sw, ingress, out, slot) & slMask; sls != 0; sls &= sls - 1) {
                    int sl = Integer.numberOfTrailingZeros(sls);
                    int held = channels.vls(sw, ingress, out, sl) & DATA_VLS;
                    usedVls[link] |= (char) held;
                    if (slot < degree) {
                        int wanted = channels.vls(next, channels.linkClass[link], slot, sl) & DATA_VLS;
                        for (int rest = held; rest != 0; rest &= rest - 1) {
                            waits[Integer.numberOfTrailingZeros(rest) * degree + slot] |= (char) wanted;
                        }
                    }
                }
            }
        }
        addEdges(link, next, waits);
    }

    /**
     * Adds the edges of a link.
     *
     * @param next the switch at the far end of the link
     * @param waits [VL * degree of next + link of next] wanted VLs (bit n: VL n)
     */
    private void addEdges(int link, int next, char[] waits) {
        int degree = channels.degree(next);
        for (int vl = 0; vl < Channels.VLS; vl++) {
            for (int slot = 0; slot < degree; slot++) {
                for (int wanted = waits[vl * degree + slot]; wanted != 0; wanted &= wanted - 1) {
                    reserve(1);
                    add((channels.firstLink[next] + slot) * Channels.VLS + Integer.numberOfTrailingZeros(wanted));
                }
            }
            endChannel(link * Channels.VLS + vl);
        }
    }
}
