package io.torussm.partition;

/**
 * What came of a change at run time.
 *
 * @param text for people: what was done, or why not and what to do
 */
public record RunTimeOutcome(Kind kind, String text) {
    /** What came of it; only of {@link #DONE} and {@link #UNCONFIRMED} something is changed. */
    public enum Kind {
        /** It is kept, the P_Key tables of all ports concerned are confirmed, and the SA answers accordingly. */
        DONE,
        /** It is kept, but a device did not take it; the next sweep tries again, and so does the same change again. */
        UNCONFIRMED,
        /** It makes no sense, or exceeds a bound. */
        INVALID,
        /** Nothing was added to this P_Key at run time, nor does the file have it. */
        ABSENT,
        /** The file says otherwise, in the line that the text names. */
        GIVEN_BY_FILE,
        /** A table has no room for it. */
        NO_ROOM,
        /** It would take P_Keys from more end ports than max_partition_change allows. */
        TOO_LARGE,
        /** Too many changes wait, of all or of this requester. */
        BUSY,
        /** Another SM is master, or none is. */
        NOT_MASTER,
        /** No subnet is up. */
        NO_SUBNET,
        /** The state directory cannot be written. */
        NOT_KEPT,
        /** The SM ends. */
        ENDED
    }

    /** Whether it is in force. */
    public boolean isDone() {
        return kind == Kind.DONE;
    }
}
