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

/**
 * Durations of tasks of the disk in a replay. The recording begins at 1,000 ns; its notes have the time, the number of
 * a task and its duration, all in ns. The replay submits all tasks at its begin and notes when each is run.
 */
class RecordedDelaysTest {
    private static final long BEGIN_NS = 1_000;

    private final VirtualLoop clock = new VirtualLoop();
    private final List<Long> doneNs = new ArrayList<>();

    @Test
    void tasksOfARecordingFromTheStartKeepTheirDurationsByNumber() {
        // the note of task 0 waited, so it seems to have been submitted after task 1
        assertThat(done(true, 3, task(1_900, 0, 850), task(2_300, 1, 1_340), task(2_400, 2, 400)))
                .containsExactly(BEGIN_NS + 400, BEGIN_NS + 850, BEGIN_NS + 1_340);
    }

    @Test
    void aFirstTaskWithoutARecordedEndNeverEndsAndShiftsNoOther() {
        assertThat(done(true, 3, task(2_300, 1, 1_340), task(2_400, 2, 400)))
                .containsExactly(BEGIN_NS + 400, BEGIN_NS + 1_340);
    }

    /** Tasks 7 and 8 seem to be submitted at 1,050 and 960 ns. Task 8 was before the begin, so task 7 was as well. */
    @Test
    void tasksSubmittedBeforeTheRecordingAreSkipped() {
        assertThat(done(false, 1, task(1_900, 7, 850), task(2_300, 8, 1_340), task(2_400, 9, 400)))
                .containsExactly(BEGIN_NS + 400);
    }

    /** The end of task 8 is missing, and task 9 is recorded. */
    @Test
    void aTaskWithoutARecordedEndDoesNotEndIfALaterEndIsRecorded() {
        assertThat(done(false, 3, task(1_900, 7, 300), task(2_400, 9, 400)))
                .containsExactly(BEGIN_NS + 300, BEGIN_NS + 400);
    }

    /** A file may have any numbers. Gaps between them take no memory, and the last int has no successor. */
    @Test
    void aHugeNumberOfATaskIsHarmless() {
        assertThat(done(false, 2, task(2_400, Integer.MAX_VALUE, 400))).containsExactly(BEGIN_NS, BEGIN_NS + 400);
    }

    private static Entry.Note task(long timeNs, int number, long delayNs) {
        String text = SmRecorder.DISK + " " + number + " " + delayNs;
        return new Entry.Note(timeNs, NoteKind.TASK, text.getBytes(US_ASCII));
    }

    /**
     * Returns the times at which tasks are done that are submitted as the recording begins.
     *
     * @param isFromStart true if the recording begins with the start of the SM
     * @param tasks number of tasks
     * @param notes recorded tasks
     */
    private List<Long> done(boolean isFromStart, int tasks, Entry.Note... notes) {
        List<Entry> entries = new ArrayList<>();
        entries.add(new Entry.Note(BEGIN_NS, NoteKind.SNAPSHOT, new byte[0]));
        entries.add(new Entry.Sent(BEGIN_NS, new MadFrame(MadAddress.DIRECTED, new byte[0])));
        entries.addAll(List.of(notes));
        clock.runFor(BEGIN_NS);
        RecordedDelays.TaskLoop disk =
                new RecordedDelays(new Recording(entries, isFromStart)).taskLoop(SmRecorder.DISK, clock, BEGIN_NS);
        for (int i = 0; i < tasks; i++) {
            disk.execute(() -> doneNs.add(clock.nowNs()));
        }
        clock.runFor(1_000_000);
        return doneNs;
    }
}
