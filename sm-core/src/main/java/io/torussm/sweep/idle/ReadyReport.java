package io.torussm.sweep.idle;

/**
 * The numbers of precomputed plans for single failures.
 *
 * @param plans number of ready plans
 * @param failures number of possible failures: cables between switches, and switches except the SM's own
 * @param bytes memory of the plans
 * @param limit limit of that memory
 * @param taken number of plans that sweeps took since the process began
 */
public record ReadyReport(int plans, int failures, long bytes, long limit, long taken) {
    /** No plans are ready, or to be computed. */
    public static final ReadyReport NONE = new ReadyReport(0, 0, 0, 0, 0);

    /** Returns the report with another number of taken plans. */
    ReadyReport with(long nowTaken) {
        return new ReadyReport(plans, failures, bytes, limit, nowTaken);
    }
}
