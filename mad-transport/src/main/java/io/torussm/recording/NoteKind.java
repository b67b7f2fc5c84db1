package io.torussm.recording;

/** The kind of a note of a recording. The codes are stored in files and never change. */
public enum NoteKind {
    /** How the recording began: lines of {@code name value}. */
    START(1),
    /** The settings that are effective from this entry on, as a configuration file. */
    SETTINGS(2),
    /** A file that settings name: its path, a line feed, and its content from this entry on. */
    FILE(3),
    /** A file of the state directory at the start of the SM: its name, a line feed, and its content. */
    STATE(4),
    /** A seed of transaction IDs, in the order of the requests for one. */
    SEED(5),
    /** The duration of a task of another thread: a letter for the thread, the number of the task there, nanoseconds. */
    TASK(6),
    /** A loss of the port with its reason, or its return, with an empty text. */
    PORT(7),
    /** A request of an operator, as {@code SmRecorder} writes it. */
    COMMAND(8),
    /** The transport refused the MAD before; empty. */
    REFUSED(9),
    /** An event, as in the log. */
    EVENT(10),
    /** The result of a sweep, in one line. */
    SWEEP(11),
    /** The registers of the devices at the beginning of the recording, as a snapshot file. */
    SNAPSHOT(12),
    /** The reason why the recording was written. */
    REASON(13);

    private final int code;

    NoteKind(int code) {
        this.code = code;
    }

    int code() {
        return code;
    }
}
