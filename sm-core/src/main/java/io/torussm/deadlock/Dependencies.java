package io.torussm.deadlock;

/**
 * A directed graph of channels. An edge leads from a channel to a channel that its packets wait for. Channels and edges
 * are numbered from 0; the edges of one channel are consecutive.
 */
public interface Dependencies {
    /** Returns the exclusive upper bound of channel numbers. */
    int size();

    /** Returns the number of edges. */
    int dependencyCount();

    /**
     * Returns the first edge of a channel, an index for {@link #successor}. The last edge of the channel is {@code
     * first(channel + 1) - 1}.
     *
     * @param channel 0 to {@link #size}
     */
    int first(int channel);

    /** Returns the channel at the head of an edge. */
    int successor(int edge);
}
