package io.torussm.recording;

import io.torussm.transport.MadFrame;
import java.nio.charset.StandardCharsets;

/** One thing that happened. */
public sealed interface Entry {
    /** Returns nanoseconds since 1970, by the clock of the SM. */
    long timeNs();

    /** A MAD that was handed to the transport. */
    record Sent(long timeNs, MadFrame frame) implements Entry {}

    /** A MAD that came in; one that came back undelivered is marked so. */
    record Received(long timeNs, MadFrame frame) implements Entry {}

    /** Any other entry. Its bytes must not be changed. */
    record Note(long timeNs, NoteKind kind, byte[] content) implements Entry {
        /** Returns a note in words. */
        static Note of(long timeNs, NoteKind kind, String text) {
            return new Note(timeNs, kind, text.getBytes(StandardCharsets.UTF_8));
        }

        /** Returns its content as words. */
        public String text() {
            return new String(content, StandardCharsets.UTF_8);
        }
    }
}
