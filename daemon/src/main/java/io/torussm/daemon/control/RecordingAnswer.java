package io.torussm.daemon.control;

/**
 * The outcome of a request for a recording.
 *
 * @param file path of the recording; empty if there is none
 * @param seconds duration
 * @param mads number of MADs sent and received
 * @param isFromStart true if it begins with the SM
 * @param problem reason why there is none; empty if there is one
 */
public record RecordingAnswer(String file, double seconds, long mads, boolean isFromStart, String problem) {
    /** Returns the answer that there is no recording. */
    public static RecordingAnswer not(String reason) {
        return new RecordingAnswer("", 0, 0, false, reason);
    }
}
