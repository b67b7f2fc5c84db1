package io.torussm.mastership;

/** What is waited for; one timer of each kind runs at most. */
public enum MastershipTimer {
    /** The next poll of the watched SM. */
    POLL,
    /** ACKNOWLEDGE of a successor that accepted. */
    ACKNOWLEDGE,
    /** The next try after a handover that failed, or a port that is down. */
    RETRY,
    /** The end of the patience with an SM that refuses to take over. */
    EXCLUSION,
    /** The end of the patience with SMs that do not answer, although their ports say that they are there. */
    SILENCE,
    /** The end of all patience when this SM ends. */
    END
}
