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

/** The recordings that are written after faults, in virtual time. At most three are kept. */
class RecordingFilesTest {
    private static final int KEPT = 3;

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
    void writesTheMadsBeforeAndAfterATrouble() throws Exception {
        new RecordingFiles(recorder, loop, dir, KEPT);
        recorder.recordEvent("TSM-1 nothing much", false);
        advance(20);
        assertThat(files()).isEmpty();
        recorder.recordEvent("TSM-2 trouble", true);
        advance(2);
        recorder.ring().recordSent(new MadFrame(MadAddress.DIRECTED, new byte[256]));
        advance(4);
        assertThat(files()).hasSize(1);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(files().get(0))))
                .isEqualTo("rw-------");
        try (InputStream in = Files.newInputStream(files().get(0))) {
            Recording recording = RecordingFile.read(in, "file");
            assertThat(recording.notes(NoteKind.EVENT).map(note -> note.text()))
                    .containsExactly("TSM-1 nothing much", "TSM-2 trouble");
            assertThat(recording.entries()).hasSize(5);
        }
        assertThat(log.only(SmEvent.RECORDING_WRITTEN).get(EventField.REASON)).isEqualTo("TSM-2 trouble");
    }

    @Test
    void recordingsAreDelayedAndBoundedInNumber() throws Exception {
        new RecordingFiles(recorder, loop, dir, KEPT);
        for (int i = 0; i < 100; i++) {
            recorder.recordEvent("trouble " + i, true);
            advance(1);
        }
        assertThat(files()).hasSize(1);
        List<Path> first = files();
        for (int i = 0; i < 5; i++) {
            advance(TimeUnit.NANOSECONDS.toSeconds(RecordingFiles.PAUSE_NS));
            recorder.recordEvent("more trouble", true);
            advance(10);
        }
        assertThat(files()).hasSize(KEPT).doesNotContainAnyElementsOf(first);
    }

    @Test
    void keepsNoneUnlessWanted() throws Exception {
        new RecordingFiles(recorder, loop, dir, 0);
        recorder.recordEvent("trouble", true);
        advance(10);
        assertThat(files()).isEmpty();
        new RecordingFiles(recorder, loop, null, KEPT);
        recorder.recordEvent("trouble", true);
        advance(10);
        assertThat(log.all()).isEmpty();
    }

    @Test
    void overwritesNothing() throws Exception {
        RecordingFiles files = new RecordingFiles(recorder, loop, dir, KEPT);
        Path there = Files.writeString(dir.resolve("there"), "something");
        assertThatThrownBy(() -> files.write(there, "asked")).isInstanceOf(FileAlreadyExistsException.class);
        assertThat(there).hasContent("something");
        assertThat(files.write(dir.resolve("new"), "asked").isFromStart()).isTrue();
    }

    @Test
    void saysThatAFileCannotBeWritten() throws Exception {
        new RecordingFiles(recorder, loop, Files.writeString(dir.resolve("file"), ""), KEPT);
        recorder.recordEvent("trouble", true);
        advance(10);
        assertThat(log.of(SmEvent.RECORDING_NOT_WRITTEN)).hasSize(1);
    }

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
