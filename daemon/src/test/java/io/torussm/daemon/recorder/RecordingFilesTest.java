package io.torussm.daemon.recorder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.recording.FlightRecorder;
import io.torussm.recording.NoteKind;
import io.torussm.recording.Recording;
import io.torussm.recording.RecordingFile;
import io.torussm.sim.VirtualLoop;
import io.torussm.testing.LoggedEvents;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * The recordings that are written some seconds after an event that is a fault, in virtual time. At most three are kept,
 * and a pause follows each.
 */
class RecordingFilesTest {
    private static final int KEPT = 3;

    /** Whether an event is a fault, after which a recording is written. */
    private static final boolean FAULT = true;

    private static final boolean NO_FAULT = false;

    /** Longer than the time from a fault to its recording. */
    private static final int DELAY_S = 10;

    @TempDir
    Path dir;

    @RegisterExtension
    final LoggedEvents log = new LoggedEvents();

    private final VirtualLoop loop = new VirtualLoop();
    private final SmRecorder recorder = new SmRecorder(new FlightRecorder(loop::nowNs, 1 << 20));

    @BeforeEach
    void begin() {
        recorder.ring().noteStart(NoteKind.START, "version test\n".getBytes(StandardCharsets.UTF_8));
    }

    /** The memory of a process has no first page: reading it is an I/O error, for root, too. */
    @Test
    void aStateFileThatCannotBeReadIsLeftOut() throws Exception {
        Files.writeString(dir.resolve("guid2lid"), "0x1 1\n");
        Files.createSymbolicLink(dir.resolve("guid2mkey"), Path.of("/proc/self/mem"));
        assertThat(SmRecorder.stateFiles(dir)).containsOnlyKeys("guid2lid");
        assertThat(SmRecorder.stateFiles(dir.resolve("absent"))).isEmpty();
    }

    @Test
    void anEventThatIsNoFaultCausesNoRecording() throws Exception {
        new RecordingFiles(recorder, loop, dir, KEPT);
        recorder.recordEvent("a cable is back", NO_FAULT);
        advance(2 * DELAY_S);
        assertThat(files()).isEmpty();
    }

    @Test
    void aRecordingHasTheEventsAndMadsBeforeAndAfterAFault() throws Exception {
        new RecordingFiles(recorder, loop, dir, KEPT);
        recorder.recordEvent("a cable is back", NO_FAULT);
        recorder.recordEvent("a sweep failed", FAULT);
        advance(2);
        recorder.ring().recordSent(new MadFrame(MadAddress.DIRECTED, new byte[256]));
        advance(DELAY_S);
        try (InputStream in = Files.newInputStream(files().get(0))) {
            Recording recording = RecordingFile.read(in, "file");
            assertThat(recording.notes(NoteKind.EVENT).map(note -> note.text()))
                    .containsExactly("a cable is back", "a sweep failed");
            assertThat(recording.entries())
                    .as("the start, two events, a MAD, and the end")
                    .hasSize(5);
        }
    }

    @Test
    void aRecordingIsSecretAndReportedWithItsFault() throws Exception {
        new RecordingFiles(recorder, loop, dir, KEPT);
        recorder.recordEvent("a sweep failed", FAULT);
        advance(DELAY_S);
        assertThat(files()).singleElement().satisfies(file -> assertThat(
                        PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------"));
        assertThat(log.only(SmEvent.RECORDING_WRITTEN).get(EventField.REASON)).isEqualTo("a sweep failed");
    }

    @Test
    void manyFaultsWithinThePauseCauseOneRecording() throws Exception {
        new RecordingFiles(recorder, loop, dir, KEPT);
        for (int i = 0; i < 100; i++) {
            recorder.recordEvent("fault " + i, FAULT);
            advance(1);
        }
        assertThat(files()).hasSize(1);
    }

    @Test
    void recordingsBeyondTheMaxNumberReplaceTheOldest() throws Exception {
        new RecordingFiles(recorder, loop, dir, KEPT);
        recorder.recordEvent("the first fault", FAULT);
        advance(DELAY_S);
        List<Path> first = files();
        for (int i = 0; i <= KEPT; i++) {
            advance(TimeUnit.NANOSECONDS.toSeconds(RecordingFiles.PAUSE_NS));
            recorder.recordEvent("another fault", FAULT);
            advance(DELAY_S);
        }
        assertThat(files()).hasSize(KEPT).doesNotContainAnyElementsOf(first);
    }

    @Test
    void noRecordingIsWrittenIfNoneIsKeptOrWithoutADirectory() throws Exception {
        new RecordingFiles(recorder, loop, dir, 0);
        new RecordingFiles(recorder, loop, null, KEPT);
        recorder.recordEvent("a sweep failed", FAULT);
        advance(DELAY_S);
        assertThat(files()).isEmpty();
        assertThat(log.all()).isEmpty();
    }

    @Test
    void aRecordingThatIsRequestedReplacesNoFile() throws Exception {
        RecordingFiles files = new RecordingFiles(recorder, loop, dir, KEPT);
        Path there = Files.writeString(dir.resolve("there"), "something");
        assertThatThrownBy(() -> files.write(there, "asked")).isInstanceOf(FileAlreadyExistsException.class);
        assertThat(there).hasContent("something");
        assertThat(files.write(dir.resolve("new"), "asked").isFromStart()).isTrue();
    }

    @Test
    void aRecordingThatCannotBeWrittenIsReported() throws Exception {
        Path noDirectory = Files.writeString(dir.resolve("file"), "");
        new RecordingFiles(recorder, loop, noDirectory, KEPT);
        recorder.recordEvent("a sweep failed", FAULT);
        advance(DELAY_S);
        assertThat(log.of(SmEvent.RECORDING_NOT_WRITTEN)).hasSize(1);
    }

    /** Returns the recordings, the oldest first. */
    private List<Path> files() throws IOException {
        Path in = dir.resolve("recordings");
        if (!Files.isDirectory(in)) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(in)) {
            return all.sorted().toList();
        }
    }

    private void advance(long seconds) {
        loop.runFor(TimeUnit.SECONDS.toNanos(seconds));
    }
}
