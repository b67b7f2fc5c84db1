package io.torussm.sa;

import io.torussm.transport.MadFrame;
import org.jspecify.annotations.Nullable;

/**
 * A request in the queue, or the rest of one.
 *
 * @param requester base LID of the requesting port
 * @param isLarge whether the answer may take long
 * @param sinceNs time of receipt, by the loop's clock
 * @param part the next part of an answer that is being sent; null for a new request
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

    /** Returns the request for a part of the answer to this one. */
    Request part(Runnable next) {
        return new Request(frame, requester, true, sinceNs, next);
    }
}
