package io.torussm.deadlock;

/** A graph of channels, numbered from 0 on: who waits for whom. */
public interface Dependencies {
    /** Channel numbers are below this. */
    int size();

    /** How many edges it has. */
    int dependencyCount();

    /** First edge of a channel, an index for {@link #successor}; its last is before that of {@code channel + 1}. */
    int first(int channel);

    /** The channel that an edge leads to. */
    int successor(int edge);
}
