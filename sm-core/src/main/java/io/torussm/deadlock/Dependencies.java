package io.torussm.deadlock;

/**
 * A directed graph of channels, numbered from 0. An edge leads from a channel to one that its packets wait
 * for.
 */
public interface Dependencies {
    /** Returns the exclusive upper bound of channel numbers. */
    int size();

    /** Returns the number of edges. */
    int dependencyCount();

    /**
     * Returns the first edge of a channel, an index for {@link #successor}. Its last edge precedes that of
     * {@code channel + 1}.
     */
    int first(int channel);

    /** Returns the channel at the head of an edge. */
    int successor(int edge);
}
