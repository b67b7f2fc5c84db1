package io.torussm.mastership;

/** The purpose of a timer. At most one timer of each purpose is active. */
public enum MastershipTimer {
    /** The next poll of the watched SM. */
    POLL,
    /** The wait for ACKNOWLEDGE of a successor that accepted. */
    ACKNOWLEDGE,
    /** The next try after a failed handover, or while the port is down. */
    RETRY,
    /** The time for which an SM that refused to take over is ignored. */
    EXCLUSION,
    /** The wait for SMs that do not answer although their ports report them. */
    SILENCE,
    /** The max time of the handover when this SM ends. */
    END
}
