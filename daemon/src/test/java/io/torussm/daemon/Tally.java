package io.torussm.daemon;

/** The counts of one run of a campaign, or of all; {@code toString} is for the reader of the result. */
interface Tally<T> {
    /** Adds another run. */
    void add(T other);
}
