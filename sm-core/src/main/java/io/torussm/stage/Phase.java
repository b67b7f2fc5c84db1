package io.torussm.stage;

/** The phases of a sweep, in order; durations are counted and reported by phase. */
public enum Phase {
    /** The fabric is read. */
    DISCOVER,
    /** LIDs are assigned, routes are computed and proved. */
    ROUTE,
    /** Forwarding, multicast and QoS tables are written. */
    PROGRAM,
    /** P_Key tables and ports are written, links become ACTIVE, M_Keys change. */
    ACTIVATE
}
