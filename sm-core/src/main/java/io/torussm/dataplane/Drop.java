package io.torussm.dataplane;

/** The reason why a packet did not arrive. */
public enum Drop {
    /** The forwarding table has no entry, or one of a port without a link. */
    NO_ROUTE,
    /** SL2VL maps the SL to VL 15. */
    VL_15,
    /** It was the first of its queue for longer than HOQLife, or in the switch for longer than LifeTimeValue. */
    EXPIRED,
    /** It arrived at a host that is not its destination. */
    STRAY,
    /** It was on a cable that went down. */
    CUT,
    /** The SA returns no path, so that the host did not send it. */
    NO_PATH
}
