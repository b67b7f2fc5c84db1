package io.torussm.recording;

/** The kind of a note of a recording. The codes are stored in files and never change. */
public enum NoteKind {
    /** How the recording began: lines of {@code name value}. */
    START(1),
    /** The settings that are effective from here on, as a configuration file. */
    SETTINGS(2),
    /** A file that settings name: its path, a line feed, and its content from here on. */
    FILE(3),
    /** A file of the state directory when the SM began: its name, a line feed, and its content. */
    STATE(4),
    /** The first transaction ID, a number; in the order of the requests for one. */
    SEED(5),
    /** How long something took that was done elsewhere: a letter for where, its number there, nanoseconds. */
    TASK(6),
    /** The port cannot be used for now: why; or can be used again: nothing. */
    PORT(7),
    /** A request of an operator: a word of {@code SmRecorder}. */
    COMMAND(8),
    /** The transport refused the request before: nothing. */
    REFUSED(9),
    /** An event, as in the log. */
    EVENT(10),
    /** How a sweep ended: a line. */
    SWEEP(11),
    /** The registers of the devices at the beginning of the ring, as a snapshot file. */
    SNAPSHOT(12),
    /** Why this was written to disk. */
    REASON(13);

    private final int code;

    NoteKind(int code) {
        this.code = code;
    }

    int code() {
        return code;
    }
}
