package io.torussm.daemon.control;

/**
 * What came of asking for a recording.
 *
 * @param file where it is; empty if there is none
 * @param seconds from its beginning to its end
 * @param mads sent and received
 * @param isFromStart whether it begins with the SM
 * @param problem why there is none; empty if there is one
 */
public record RecordingAnswer(String file, double seconds, long mads, boolean isFromStart, String problem) {
    /** There is none. */
    public static RecordingAnswer not(String why) {
        return new RecordingAnswer("", 0, 0, false, why);
    }
}
