package io.torussm.transport;

import org.jspecify.annotations.Nullable;

/**
 * The time-out of a slow device, derived from the delays of its responses. A device that serves requests one
 * by one also answers each retry, and becomes slower with each. RFC 6298 is meant for a queue on the path:
 * its time-out grows with the variation of delays, which would delay the repetition of lost requests. This
 * one ignores variation. Immutable.
 *
 * @param leastNs shortest known delay from a try to its response
 * @param mostNs longest recent delay; each faster response reduces it by a fraction of the difference
 */
record RetransmissionTimeout(long leastNs, long mostNs) {
    /** Part of the usual time-out within which most devices answer, and which is no matter. */
    private static final int PROMPT = 8;

    private static final int SMOOTHING = 8;

    /**
     * Returns the state after another response. A response after a retry may belong to the first try, which
     * was slow, or to the retry, because the first was lost. The device was slow if the response came within
     * three quarters of its shortest delay. Otherwise the response is ambiguous (Karn's algorithm).
     *
     * @param before previous state; null if all responses were prompt
     * @param sinceFirstNs time from the first try to the response
     * @param sinceLastNs time from the last try to the response; shorter if there were several
     * @param usualNs time-out of a prompt device
     * @return null if the device responds promptly
     */
    static @Nullable RetransmissionTimeout after(
            @Nullable RetransmissionTimeout before, long sinceFirstNs, long sinceLastNs, long usualNs) {
        long promptNs = usualNs / PROMPT;
        boolean isRepeated = sinceLastNs < sinceFirstNs;
        if (isRepeated
                && (before == null ? sinceLastNs < promptNs : sinceLastNs >= before.leastNs - before.leastNs / 4)) {
            return before;
        }
        if (sinceFirstNs < promptNs && (before == null || before.ns() <= usualNs)) {
            return null;
        }
        if (before == null) {
            return new RetransmissionTimeout(sinceLastNs, sinceFirstNs);
        }
        long lessNs = before.mostNs - (before.mostNs - sinceFirstNs) / SMOOTHING;
        return new RetransmissionTimeout(Math.min(before.leastNs, sinceFirstNs), Math.max(sinceFirstNs, lessNs));
    }

    /** Returns the time-out. It allows for a queue of the device that has grown by half. */
    long ns() {
        return mostNs + mostNs / 2;
    }
}
