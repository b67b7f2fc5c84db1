package io.torussm.daemon;

/** What happened in one run of a campaign, or in all of them; {@code toString} is for who reads the result. */
interface Tally<T> {
    /** Adds another run. */
    void add(T other);
}
