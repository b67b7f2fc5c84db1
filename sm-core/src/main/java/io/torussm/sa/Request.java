package io.torussm.sa;

import io.torussm.transport.MadFrame;

/**
 * A request on its way through the queue.
 *
 * @param requester base LID of the port that asks, by whichever of its LIDs
 * @param isLarge whether the answer may take long
 * @param sinceNs when it came in, by the loop's clock
 */
record Request(MadFrame frame, int requester, boolean isLarge, long sinceNs) {}
