package io.torussm.transport;

import org.jspecify.annotations.Nullable;

/**
 * How long a device that answers late is waited for before it is asked again, by how late its answers were. A device that serves one
 * request after the other has to answer each further try, too, and gets later with every one. Other than that of RFC 6298, which is meant
 * for a queue on the way, it does not grow because answers come now sooner and now later: that would keep lost requests waiting.
 * Immutable.
 *
 * @param leastNs from a try to its answer, as far as that is known
 * @param mostNs the same, of late: it becomes less by a part of the difference with each answer that comes sooner
 */
record RetransmissionTimeout(long leastNs, long mostNs) {
    /** Part of the usual time-out within which most devices answer, and which is no matter. */
    private static final int PROMPT = 8;

    private static final int SMOOTHING = 8;

    /**
     * What holds after another answer. That to a second try may be to the first, late, or the first was lost. It was late if it came in
     * less than three quarters of the least time that the device ever took from a try to its answer; otherwise it says nothing (Karn's
     * algorithm).
     *
     * @param before null if all answers were prompt
     * @param sinceFirstNs from the first try to the answer
     * @param sinceLastNs from the last try to the answer; shorter if there were several
     * @param usualNs time-out of a device that is not late
     * @return null if the device answers promptly
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

    /** How long to wait: what is queued for it may have become half as much again. */
    long ns() {
        return mostNs + mostNs / 2;
    }
}
