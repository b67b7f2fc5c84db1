package io.torussm.transport;

import org.jspecify.annotations.Nullable;

/**
 * The time-out of a slow device, derived from the delays of its responses. A device that serves requests one by one
 * also serves each retry, and becomes slower with each. RFC 6298 is meant for a queue on the path: its time-out grows
 * with the variation of delays, which would delay the repetition of lost requests. This time-out ignores variation.
 * Immutable.
 *
 * @param minDelayNs shortest known delay from a try to its response
 * @param maxDelayNs longest recent delay; each faster response reduces it by an eighth of the difference
 */
record RetransmissionTimeout(long minDelayNs, long maxDelayNs) {
    /** Fraction of the default time-out: a device that responds within an eighth is prompt. */
    private static final int PROMPT_DIVISOR = 8;

    /** Divisor of the reduction of {@code maxDelayNs} by a faster response. */
    private static final int SMOOTHING = 8;

    /**
     * Returns the state after another response. A response after a retry may belong to the first try, which was slow,
     * or to the retry, because the first was lost. The device was slow if the response followed the retry in less than
     * three quarters of the shortest delay. Otherwise the response is ambiguous and ignored (Karn's algorithm).
     *
     * @param before previous state; null if the device was prompt
     * @param sinceFirstNs time from the first try to the response
     * @param sinceLastNs time from the last try to the response; shorter after a retry
     * @param usualNs time-out of a prompt device
     * @return null if the device responds promptly
     */
    static @Nullable RetransmissionTimeout after(
            @Nullable RetransmissionTimeout before, long sinceFirstNs, long sinceLastNs, long usualNs) {
        long promptNs = usualNs / PROMPT_DIVISOR;
        boolean isRepeated = sinceLastNs < sinceFirstNs;
        // Ambiguous after a retry: the retry alone explains a delay that is prompt, or not clearly below the shortest
        // one.
        if (isRepeated
                && (before == null
                        ? sinceLastNs < promptNs
                        : sinceLastNs >= before.minDelayNs - before.minDelayNs / 4)) {
            return before;
        }
        if (sinceFirstNs < promptNs && (before == null || before.timeoutNs() <= usualNs)) {
            return null;
        }
        if (before == null) {
            return new RetransmissionTimeout(sinceLastNs, sinceFirstNs);
        }
        long decayedNs = before.maxDelayNs - (before.maxDelayNs - sinceFirstNs) / SMOOTHING;
        return new RetransmissionTimeout(Math.min(before.minDelayNs, sinceFirstNs), Math.max(sinceFirstNs, decayedNs));
    }

    /**
     * Returns the time-out: one and a half times the longest delay, which allows a queue of the device to grow by half.
     */
    long timeoutNs() {
        return maxDelayNs + maxDelayNs / 2;
    }
}
