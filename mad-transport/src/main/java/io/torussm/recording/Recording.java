package io.torussm.recording;

import java.util.List;
import java.util.stream.Stream;

/**
 * The MADs that a subnet manager sent and received and its other input, in order. Immutable.
 *
 * @param entries MADs and notes in order of time
 * @param isFromStart true if the recording begins at the start of the SM, false if it begins with a note of registers
 */
public record Recording(List<Entry> entries, boolean isFromStart) {
    public Recording {
        entries = List.copyOf(entries);
    }

    /** Returns the notes of a kind, in order. */
    public Stream<Entry.Note> notes(NoteKind kind) {
        return entries.stream()
                .filter(Entry.Note.class::isInstance)
                .map(Entry.Note.class::cast)
                .filter(note -> note.kind() == kind);
    }

    /** Returns the time of the first MAD that the SM sent, or of the checkpoint, in nanoseconds since 1970. */
    public long beginNs() {
        if (isFromStart) {
            return entries.stream()
                    .filter(Entry.Sent.class::isInstance)
                    .mapToLong(Entry::timeNs)
                    .findFirst()
                    .orElseGet(() ->
                            notes(NoteKind.START).mapToLong(Entry::timeNs).max().orElse(0));
        }
        return notes(NoteKind.SNAPSHOT).mapToLong(Entry::timeNs).findFirst().orElse(0);
    }

    /** Returns the time of the last entry in nanoseconds since 1970; 0 without entries. */
    public long endNs() {
        return entries.isEmpty() ? 0 : entries.get(entries.size() - 1).timeNs();
    }
}
