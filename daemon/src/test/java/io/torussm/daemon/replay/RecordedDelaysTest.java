package io.torussm.daemon.replay;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.recorder.SmRecorder;
import io.torussm.recording.Entry;
import io.torussm.recording.NoteKind;
import io.torussm.recording.Recording;
import io.torussm.sim.VirtualLoop;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Work done elsewhere, as late as it was. */
class RecordedDelaysTest {
    private static final long BEGIN_NS = 1_000;

    private final VirtualLoop clock = new VirtualLoop();
    private final List<Long> doneNs = new ArrayList<>();

    private static Entry.Note task(long timeNs, int number, long delayNs) {
        String text = SmRecorder.DISK + " " + number + " " + delayNs;
        return new Entry.Note(timeNs, NoteKind.TASK, text.getBytes(US_ASCII));
    }

    /** When each of some tasks is done that are handed over as the recording begins. */
    private List<Long> done(boolean isFromStart, int tasks, Entry.Note... notes) {
        List<Entry> entries = new ArrayList<>();
        entries.add(new Entry.Note(BEGIN_NS, NoteKind.SNAPSHOT, new byte[0]));
        entries.add(new Entry.Sent(BEGIN_NS, new MadFrame(MadAddress.DIRECTED, new byte[0])));
        entries.addAll(List.of(notes));
        clock.runFor(BEGIN_NS);
        RecordedDelays.Place disk =
                new RecordedDelays(new Recording(entries, isFromStart)).place(SmRecorder.DISK, clock, BEGIN_NS);
        for (int i = 0; i < tasks; i++) {
            disk.execute(() -> doneNs.add(clock.nowNs()));
        }
        clock.runFor(1_000_000);
        return doneNs;
    }

    @Test
    void fromItsStartOnEveryTaskIsItsOwnThoughHandedOverBeforeTheFirstMad() {
        // the first one's note waited, so it seems to have been handed over behind the second
        assertThat(done(true, 3, task(1_900, 0, 850), task(2_300, 1, 1_340), task(2_400, 2, 400)))
                .containsExactly(BEGIN_NS + 400, BEGIN_NS + 850, BEGIN_NS + 1_340);
    }

    @Test
    void tasksHandedOverBeforeItBeganAreNoneOfIts() {
        assertThat(done(false, 1, task(1_900, 7, 850), task(2_300, 8, 1_340), task(2_400, 9, 400)))
                .containsExactly(BEGIN_NS + 400);
    }

    @Test
    void workThatWasNotRecordedAsDoneNeverEnds() {
        assertThat(done(false, 3, task(1_900, 7, 300), task(2_400, 9, 400)))
                .containsExactly(BEGIN_NS + 300, BEGIN_NS + 400);
    }
}
