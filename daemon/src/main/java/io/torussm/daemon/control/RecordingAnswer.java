package io.torussm.daemon.control;

/**
 * The outcome of a request for a recording.
 *
 * @param file path of the recording; empty without one
 * @param seconds duration of the recorded period
 * @param mads number of MADs sent and received
 * @param isFromStart true if the recording begins with the start of the SM
 * @param problem reason why no recording was written; empty on success
 */
public record RecordingAnswer(String file, double seconds, long mads, boolean isFromStart, String problem) {
    /** Checks whether a recording was written. */
    public boolean isWritten() {
        return problem.isEmpty();
    }

    /** Returns the outcome of a request that wrote no recording. */
    public static RecordingAnswer failed(String reason) {
        return new RecordingAnswer("", 0, 0, false, reason);
    }
}
