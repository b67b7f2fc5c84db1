package io.torussm.sweep.idle;

/**
 * The numbers of precomputed plans for single failures.
 *
 * @param plans number of ready plans
 * @param failures number of possible failures: cables between switches, and switches except the SM's own
 * @param bytes memory of the plans, those for other hosts included
 * @param limit max memory of the plans in bytes
 * @param taken number of plans that sweeps took since the process began
 */
public record ReadyReport(int plans, int failures, long bytes, long limit, long taken) {
    /** No plans are ready, or to be computed. */
    public static final ReadyReport NONE = new ReadyReport(0, 0, 0, 0, 0);

    /** Returns the report with another number of taken plans. */
    ReadyReport with(long newTaken) {
        return new ReadyReport(plans, failures, bytes, limit, newTaken);
    }
}
