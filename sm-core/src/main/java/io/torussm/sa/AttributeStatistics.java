package io.torussm.sa;

import java.util.List;

/**
 * The counters of requests for one attribute.
 *
 * @param attribute name of the attribute; {@code other} for all attributes that are not served
 * @param counts one count for each method that was used
 * @param latencies answers by the time from receipt of the request to sending of the answer: the first below
 * 1 us, bucket n below 2^n us and not below 2^(n-1) us (a microsecond of 1,024 ns), the last without a bound
 * @param totalNs the sum of those times
 * @param statuses answers by method and status
 */
public record AttributeStatistics(
        String attribute, List<Count> counts, List<Long> latencies, long totalNs, List<Answered> statuses) {

    /**
     * Answers to one method with one status.
     *
     * @param status name of the status
     */
    public record Answered(String method, String status, long count) {}

    /**
     * Requests with one method.
     *
     * @param method name of the method; {@code other} for unknown methods
     * @param taken number of valid requests
     * @param answered number of answers with any status
     * @param busy number of requests that were refused for lack of room
     * @param dropped number of requests that were dropped for lack of room even for a refusal, or because the
     * requester vanished
     */
    public record Count(String method, long taken, long answered, long busy, long dropped) {}

    /**
     * Returns the microseconds within which a share of the answers was sent: a power of two,
     * {@link Long#MAX_VALUE} for no bound.
     */
    public long withinUs(double share) {
        long all = latencies.stream().mapToLong(Long::longValue).sum();
        long wanted = (long) Math.ceil(share * all);
        long seen = 0;
        for (int i = 0; i < latencies.size() - 1; i++) {
            seen += latencies.get(i);
            if (seen >= wanted) {
                return 1L << i;
            }
        }
        return Long.MAX_VALUE;
    }
}
