package io.torussm.routing;

/**
 * The state of a ring of a torus, or of a line of a mesh. The console, metrics, alerts and the page use these
 * names.
 */
public enum RingState {
    /** All switches and cables are present. */
    WHOLE,
    /** Parallel cables are lost, but every two neighbours still have at least one. */
    THINNED,
    /**
     * A ring has one gap, and packets go the other way around. A line of a mesh that lost switches at its end is
     * open too.
     */
    OPEN,
    /** The ring or line is in pieces. Packets between pieces leave it, or do not arrive. */
    CUT
}
