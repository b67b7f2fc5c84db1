package io.torussm.sa;

import io.torussm.transport.MadFrame;
import org.jspecify.annotations.Nullable;

/**
 * An entry of the queue: a new request, or the next part of the answer to an earlier request. Immutable.
 *
 * @param frame MAD of the request, with its sender
 * @param requester base LID of the requesting port
 * @param isLarge whether the answer may take long
 * @param sinceNs time of receipt, by the clock of the loop
 * @param part computation of the next part of an answer that is being sent; null for a new request
 */
record Request(
        MadFrame frame,
        int requester,
        boolean isLarge,
        long sinceNs,
        @Nullable Runnable part) {
    /** Makes a new request. */
    Request(MadFrame frame, int requester, boolean isLarge, long sinceNs) {
        this(frame, requester, isLarge, sinceNs, null);
    }

    /** Returns the entry for the next part of the answer to this request. */
    Request part(Runnable next) {
        return new Request(frame, requester, true, sinceNs, next);
    }
}
