package io.torussm.vport;

import io.torussm.vport.VPortSetup.WaitingVPort;
import io.torussm.vport.VPortTable.VisitOutcome;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of a visit.
 *
 * @param vports vports that exist, ascending by index; those that were not read are as the previous visit left them
 * @param reading whether the device let the states of its vports be read
 * @param unmanagedReason first reason why a vport stays as it is; empty if all are as they should be
 * @param isRetryDue whether another visit soon is worthwhile, without a sweep or a trap
 * @param isReregistrationDue whether the next visit is to ask clients to register again
 * @param changed indexes of vports that have come, or are not those of the previous visit
 * @param nextStart vport before which the visit ended, as its share was used; null if the visit got to the end
 * @param waiting vports that wait for a LID: nothing that their device could do soon
 */
record VisitResult(
        List<VirtualPort> vports,
        StatesReading reading,
        String unmanagedReason,
        boolean isRetryDue,
        boolean isReregistrationDue,
        BitSet changed,
        @Nullable VisitStart nextStart,
        List<WaitingVPort> waiting) {
    /** The response of a device to the reading of its vports. */
    enum StatesReading {
        /** The states of all vports were read. Single vports may stay as they are nevertheless. */
        READ,
        /** The device rejected a request, or contradicted itself, before the states were read. */
        REJECTED,
        /** The device did not respond to an SMP, so the visit ended there. */
        UNANSWERED
    }

    /** Checks whether the visit got to the last vport, or to a failure, so that none of it is left. */
    boolean isWhole() {
        return nextStart == null;
    }

    boolean isRead() {
        return reading == StatesReading.READ;
    }

    boolean isUnanswered() {
        return reading == StatesReading.UNANSWERED;
    }

    /** Checks whether all vports are as they should be, so that the next visit can be a brief one. */
    boolean isAsWanted() {
        return isWhole() && unmanagedReason.isEmpty() && !isRetryDue && waiting.isEmpty();
    }

    /** Returns the outcome by which visits are counted. */
    VisitOutcome outcome() {
        if (!isWhole()) {
            return VisitOutcome.PART;
        } else if (isUnanswered()) {
            return VisitOutcome.SILENT;
        }
        return unmanagedReason.isEmpty() ? VisitOutcome.DONE : VisitOutcome.LEFT;
    }
}
