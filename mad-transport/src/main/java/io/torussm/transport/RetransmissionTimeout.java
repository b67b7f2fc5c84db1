package io.torussm.transport;

import org.jspecify.annotations.Nullable;

/**
 * How long a device that answers late is waited for before it is asked again, by how late its answers were (RFC 6298, 2). A device that
 * serves one request after the other has to answer each further try, too, and gets later with every one. Immutable.
 *
 * @param leastNs from a try to its answer
 * @param smoothedNs the same, smoothed
 * @param variationNs of that
 */
record RetransmissionTimeout(long leastNs, long smoothedNs, long variationNs) {
    /** Part of the usual time-out within which most devices answer, and which is no matter. */
    private static final int PROMPT = 8;

    /**
     * What holds after another answer. That to a second try may be to the first, late, or the first was lost. It was late if the device
     * never took so short a time from a try to its answer; otherwise the answer says nothing (Karn's algorithm).
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
        long leastNs = before == null ? Long.MAX_VALUE : before.leastNs;
        boolean isRepeated = sinceLastNs < sinceFirstNs;
        if (isRepeated && (sinceLastNs >= leastNs || before == null && sinceLastNs < promptNs)) {
            return before;
        }
        if (sinceFirstNs < promptNs && (before == null || before.ns(usualNs) <= usualNs)) {
            return null;
        }
        long newLeastNs = Math.min(leastNs, sinceFirstNs);
        if (before == null) {
            return new RetransmissionTimeout(newLeastNs, sinceFirstNs, sinceFirstNs / 2);
        }
        long differenceNs = sinceFirstNs - before.smoothedNs;
        return new RetransmissionTimeout(
                newLeastNs,
                before.smoothedNs + differenceNs / 8,
                before.variationNs + (Math.abs(differenceNs) - before.variationNs) / 4);
    }

    /** How long to wait, with a margin of at least a part of the usual time-out. */
    long ns(long usualNs) {
        return smoothedNs + Math.max(usualNs / PROMPT, 4 * variationNs);
    }
}
