package io.torussm.recording;

import io.torussm.transport.MadFrame;
import java.nio.charset.StandardCharsets;

/** An entry of a recording: a MAD or a note. */
public sealed interface Entry {
    /** Returns the time in nanoseconds since 1970, by the clock of the SM. */
    long timeNs();

    /** A MAD that the SM passed to the transport. */
    record Sent(long timeNs, MadFrame frame) implements Entry {}

    /** A MAD that arrived, or a request that returned undelivered ({@link MadFrame#isUndelivered}). */
    record Received(long timeNs, MadFrame frame) implements Entry {}

    /**
     * An input that is no MAD.
     *
     * @param content bytes that must not be changed, in the form of {@link NoteKind}
     */
    record Note(long timeNs, NoteKind kind, byte[] content) implements Entry {
        /** Returns a note whose content is a text. */
        static Note of(long timeNs, NoteKind kind, String text) {
            return new Note(timeNs, kind, text.getBytes(StandardCharsets.UTF_8));
        }

        /** Returns the content as a text. */
        public String text() {
            return new String(content, StandardCharsets.UTF_8);
        }
    }
}
