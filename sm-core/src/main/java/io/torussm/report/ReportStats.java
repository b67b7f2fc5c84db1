package io.torussm.report;

/**
 * The counters.
 *
 * @param sent Reports that were sent at least once
 * @param resent repetitions
 * @param answered Reports that their subscribers answered
 * @param lost Reports that were not answered after all repetitions
 * @param dropped Reports and notices that were never sent, for lack of room or of a path to the subscriber
 * @param late answers without a pending Report
 */
public record ReportStats(long sent, long resent, long answered, long lost, long dropped, long late) {
    /** Returns the counters as a line of text. */
    public String line() {
        return "sent " + sent + ", resent " + resent + ", answered " + answered + ", lost " + lost + ", dropped "
                + dropped + ", late " + late;
    }
}
