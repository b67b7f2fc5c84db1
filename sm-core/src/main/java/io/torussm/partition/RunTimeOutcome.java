package io.torussm.partition;

/**
 * The outcome of a run-time change.
 *
 * @param text text for operators: the action, or the reason and the remedy
 */
public record RunTimeOutcome(ChangeStatus kind, String text) {
    /** The type of an outcome; only {@link #DONE} and {@link #UNCONFIRMED} change anything. */
    public enum ChangeStatus {
        /** It is stored, the P_Key tables of all its ports are confirmed, and the SA answers accordingly. */
        DONE,
        /** It is stored, but a device did not accept it. The next sweep, or the same change, tries again. */
        UNCONFIRMED,
        /** It is invalid, or exceeds a limit. */
        INVALID,
        /** The P_Key has no run-time additions, and is not in the file. */
        ABSENT,
        /** The file contradicts it, in the line that the text names. */
        GIVEN_BY_FILE,
        /** A table has no room for it. */
        NO_ROOM,
        /** It would take P_Keys from more end ports than max_partition_change allows. */
        TOO_LARGE,
        /** Too many changes are waiting, in total or of this requester. */
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

    /** Checks whether it is active. */
    public boolean isDone() {
        return kind == ChangeStatus.DONE;
    }
}
