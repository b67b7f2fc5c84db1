package io.torussm.report;

/**
 * What was counted so far.
 *
 * @param sent Reports that were sent at least once
 * @param resent further tries
 * @param answered Reports that their subscribers answered
 * @param lost Reports that were not answered although they were sent again
 * @param dropped Reports and notices that were never sent, for want of room or of a way to the subscriber
 * @param late answers without a Report that waits for them
 */
public record ReportStats(long sent, long resent, long answered, long lost, long dropped, long late) {
    /** One line for people. */
    public String line() {
        return "sent " + sent + ", resent " + resent + ", answered " + answered + ", lost " + lost + ", dropped "
                + dropped + ", late " + late;
    }
}
