package io.torussm.sa;

import io.torussm.transport.MadFrame;
import org.jspecify.annotations.Nullable;

/**
 * A request on its way through the queue, or what is still to be done of one.
 *
 * @param requester base LID of the port that asks, by whichever of its LIDs
 * @param isLarge whether the answer may take long
 * @param sinceNs when it came in, by the loop's clock
 * @param part the next part of an answer that is being sent; null for a request that has just come
 */
record Request(
        MadFrame frame,
        int requester,
        boolean isLarge,
        long sinceNs,
        @Nullable Runnable part) {
    /** One that has just come. */
    Request(MadFrame frame, int requester, boolean isLarge, long sinceNs) {
        this(frame, requester, isLarge, sinceNs, null);
    }

    /** A part of the answer to this one. */
    Request part(Runnable next) {
        return new Request(frame, requester, true, sinceNs, next);
    }
}
