package io.torussm.recording;

import java.util.List;
import java.util.stream.Stream;

/**
 * What a subnet manager sent, received and was told, in order. Immutable.
 *
 * @param entries in the order in which they happened
 * @param isFromStart whether it begins with the SM; else with a note of what devices held
 */
public record Recording(List<Entry> entries, boolean isFromStart) {
    public Recording {
        entries = List.copyOf(entries);
    }

    /** The notes of a kind. */
    public Stream<Entry.Note> notes(NoteKind kind) {
        return entries.stream()
                .filter(Entry.Note.class::isInstance)
                .map(Entry.Note.class::cast)
                .filter(note -> note.kind() == kind);
    }

    /** When it begins: with the first MAD that the SM sent, or at the moment of which it is known what devices held. */
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

    /** When it ends. */
    public long endNs() {
        return entries.isEmpty() ? 0 : entries.get(entries.size() - 1).timeNs();
    }
}
