package io.torussm.stage;

/** The phases of a sweep, in order; durations are counted and reported by phase. */
public enum Phase {
    /** The fabric is read. */
    DISCOVER,
    /** Addresses, routes and their proof. */
    ROUTE,
    /** Forwarding, multicast and QoS tables are written. */
    PROGRAM,
    /** P_Key tables and ports are written, links come up, M_Keys change. */
    ACTIVATE
}
