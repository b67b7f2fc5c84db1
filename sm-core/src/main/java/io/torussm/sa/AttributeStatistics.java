package io.torussm.sa;

import java.util.List;

/**
 * The counters of requests for one attribute.
 *
 * @param attribute name of the attribute; {@code other} for all attributes that are not served
 * @param counts one count for each method that was used
 * @param latencies number of answers by the time from receipt of the request to sending of the answer: bucket 0 below
 *     1 us, bucket n from 2^(n-1) to below 2^n us, the last without an upper bound; a microsecond here has 1,024 ns
 * @param totalNs sum of those times in nanoseconds
 * @param statuses answers by method and status
 */
public record AttributeStatistics(
        String attribute, List<Count> counts, List<Long> latencies, long totalNs, List<Answered> statuses) {

    /**
     * The number of answers to one method with one status.
     *
     * @param method name of the method; {@code other} for unknown methods
     * @param status name of the status; {@code other} for unnamed ones
     */
    public record Answered(String method, String status, long count) {}

    /**
     * The numbers of requests with one method.
     *
     * @param method name of the method; {@code other} for unknown methods
     * @param taken number of valid requests
     * @param answered number of answers with any status
     * @param busy number of requests that were refused for lack of room
     * @param dropped number of requests that were dropped, because there was no room even for a refusal, the requester
     *     is no longer in the subnet, or the answer is being sent already
     */
    public record Count(String method, long taken, long answered, long busy, long dropped) {}

    /**
     * Returns an upper bound of the time within which a share of the answers was sent.
     *
     * @param share share of the answers, 0 to 1
     * @return microseconds, a power of two; {@link Long#MAX_VALUE} if the time is in the last bucket
     */
    public long withinUs(double share) {
        long answers = latencies.stream().mapToLong(Long::longValue).sum();
        long wanted = (long) Math.ceil(share * answers);
        long counted = 0;
        for (int i = 0; i < latencies.size() - 1; i++) {
            counted += latencies.get(i);
            if (counted >= wanted) {
                return 1L << i;
            }
        }
        return Long.MAX_VALUE;
    }
}
