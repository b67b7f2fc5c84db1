package io.torussm.recording;

import io.torussm.Interleavings;
import java.util.ArrayList;
import java.util.List;

/** A recording while threads add entries has a prefix of those of each thread, and the ring counts what it drops. */
public final class RecorderInterleavings {
    private RecorderInterleavings() {}

    public static void recorded(int limit) {
        Interleavings.explore("FlightRecorder: two threads, a recording", limit, outcome -> {
            FlightRecorder recorder = new FlightRecorder(() -> 1, 16 * 1_024);
            Thread one = Interleavings.start(() -> {
                recorder.note(NoteKind.EVENT, "1");
                recorder.note(NoteKind.EVENT, "2");
            });
            Thread other = Interleavings.start(() -> recorder.note(NoteKind.EVENT, "3"));
            List<String> early = notes(recorder);
            Interleavings.join(one);
            Interleavings.join(other);
            List<String> all = notes(recorder);
            Interleavings.check(all.size() == 3, "all are there: " + all);
            Interleavings.check(all.indexOf("1") < all.indexOf("2"), "in order: " + all);
            Interleavings.check(all.subList(0, early.size()).equals(early), "a prefix: " + early + " of " + all);
            outcome.add(early + " of " + all);
        });
    }

    /** Notes of two threads in a ring that has no room for them. */
    public static void dropped(int limit) {
        Interleavings.explore("FlightRecorder: notes in a full ring", limit, outcome -> {
            FlightRecorder recorder = new FlightRecorder(() -> 1, 64);
            Thread other = Interleavings.start(() -> note(recorder, 9));
            note(recorder, 9);
            Interleavings.join(other);
            recorder.checkpoint(() -> {
                throw new IllegalStateException();
            });
            Interleavings.check(recorder.dropped() == 2 || recorder.dropped() == 3, "dropped " + recorder.dropped());
            outcome.add("dropped " + recorder.dropped());
        });
    }

    private static void note(FlightRecorder recorder, int count) {
        for (int i = 0; i < count; i++) {
            recorder.note(NoteKind.EVENT, "note");
        }
    }

    private static List<String> notes(FlightRecorder recorder) {
        Recording recording = recorder.recording("");
        List<String> notes = new ArrayList<>();
        for (Entry entry : recording == null ? List.<Entry>of() : recording.entries()) {
            if (entry instanceof Entry.Note note && note.kind() == NoteKind.EVENT) {
                notes.add(note.text());
            }
        }
        return notes;
    }
}
