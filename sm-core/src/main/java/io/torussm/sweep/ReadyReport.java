package io.torussm.sweep;

/**
 * How much is ready of the plans for single failures.
 *
 * @param plans that are ready
 * @param failures that there are to be ready for: cables between switches, and switches that the SM does not hang on
 * @param bytes that the plans take
 * @param limit of that
 * @param taken plans that sweeps took, since the process began
 */
public record ReadyReport(int plans, int failures, long bytes, long limit, long taken) {
    /** Nothing is ready, nor to be. */
    public static final ReadyReport NONE = new ReadyReport(0, 0, 0, 0, 0);

    /** The same with another count of plans that were taken. */
    ReadyReport with(long nowTaken) {
        return new ReadyReport(plans, failures, bytes, limit, nowTaken);
    }
}
