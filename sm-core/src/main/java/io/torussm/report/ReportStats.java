package io.torussm.report;

/**
 * The counters of Reports since the start of the process.
 *
 * @param sent Reports that were sent at least once
 * @param resent repetitions of Reports
 * @param answered Reports to which the subscriber responded
 * @param lost Reports without a response after all repetitions
 * @param dropped Reports and notices that were never sent, because a queue was full or the subscriber unreachable
 * @param late responses without a pending Report
 */
public record ReportStats(long sent, long resent, long answered, long lost, long dropped, long late) {
    /** Returns the counters as a line of text. */
    public String line() {
        return "sent " + sent + ", resent " + resent + ", answered " + answered + ", lost " + lost + ", dropped "
                + dropped + ", late " + late;
    }
}
