package io.torussm.routing;

/** The state of a ring of a torus, or of a line of a mesh, in the words of console, metrics, alerts and page. */
public enum RingState {
    /** All switches and cables are there. */
    WHOLE,
    /** Parallel cables are lost; every two neighbours still have one. */
    THINNED,
    /**
     * One gap in a ring: packets go the other way round. A line of a mesh that lost switches at its end is open too.
     */
    OPEN,
    /** In pieces: packets leave it to get from one to the other, or do not arrive. */
    CUT
}
