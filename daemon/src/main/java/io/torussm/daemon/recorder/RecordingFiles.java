package io.torussm.daemon.recorder;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.recording.Entry;
import io.torussm.recording.NoteKind;
import io.torussm.recording.Recording;
import io.torussm.recording.RecordingFile;
import io.torussm.state.OwnDirectory;
import io.torussm.transport.Loop;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The writer of recordings to files that only their owner may read. {@link #AFTERMATH_NS} after a fault it writes a
 * file, at most one in {@link #PAUSE_NS}, and keeps only the newest of these files. {@link #write} writes a file on
 * request, without these limits. Owner thread: the loop of the disk.
 */
public final class RecordingFiles {
    /** Min time between the files of two faults. */
    public static final long PAUSE_NS = TimeUnit.MINUTES.toNanos(10);

    /** Time from a fault to its file, so that the file contains the events after the fault. */
    static final long AFTERMATH_NS = TimeUnit.SECONDS.toNanos(5);

    private static final EventLog EVENTS = EventLog.of(RecordingFiles.class);
    private static final String DIRECTORY = "recordings";
    private static final String NAME_PATTERN = "recording-[0-9TZ]+\\.pcap\\.gz";
    private static final String TIME_PATTERN = "yyyyMMdd'T'HHmmss'Z'";

    private final SmRecorder recorder;
    private final Loop disk;
    private final @Nullable Path stateDir;
    private final int maxFiles;

    /** True from a fault with a file to the end of {@link #PAUSE_NS}. */
    private final AtomicBoolean isPaused = new AtomicBoolean();

    /**
     * A recording that was written to a file.
     *
     * @param file path of the file
     * @param seconds duration of the recording
     * @param mads number of MADs that were sent and received
     * @param isFromStart true if the recording begins with the SM
     */
    public record WrittenRecording(String file, double seconds, long mads, boolean isFromStart) {}

    /**
     * Creates a writer, and registers it with the recorder as the listener to faults.
     *
     * @param disk loop of the owner thread
     * @param stateDir state directory, in which the files of faults are written; null for none
     * @param maxFiles max number of files of faults; 0 to write none
     */
    public RecordingFiles(SmRecorder recorder, Loop disk, @Nullable Path stateDir, int maxFiles) {
        this.recorder = recorder;
        this.disk = disk;
        this.stateDir = stateDir;
        this.maxFiles = maxFiles;
        recorder.setTroubleListener(this::schedule);
    }

    /** Schedules the file of a fault, unless one was scheduled within {@link #PAUSE_NS}. Thread-safe. */
    private void schedule(String reason) {
        Path dir = stateDir;
        if (dir == null || maxFiles == 0 || !isPaused.compareAndSet(false, true)) {
            return;
        }
        disk.schedule(AFTERMATH_NS, () -> {
            // Before the recording, so that its failure does not prevent all later recordings.
            disk.schedule(PAUSE_NS, () -> isPaused.set(false));
            Path directory = dir.resolve(DIRECTORY);
            try {
                OwnDirectory.create(directory);
                WrittenRecording written = write(directory.resolve(fileName(disk.timeOfDay())), reason);
                EVENTS.report(
                        SmEvent.RECORDING_WRITTEN,
                        EventField.FILE.of(written.file()),
                        EventField.SECONDS.of(Math.round(written.seconds())),
                        EventField.REASON.of(reason));
                prune(directory);
            } catch (IOException e) {
                EVENTS.report(SmEvent.RECORDING_NOT_WRITTEN, EventField.FILE.of(directory), EventField.REASON.of(e));
            }
        });
    }

    /** Returns the directory of the files of faults; null if none are written. */
    public @Nullable Path directory() {
        return stateDir == null ? null : stateDir.resolve(DIRECTORY);
    }

    /** Returns the name of a recording that is written at a time. The name contains the time in UTC. */
    public static String fileName(Instant at) {
        return "recording-" + DateTimeFormatter.ofPattern(TIME_PATTERN).format(at.atOffset(ZoneOffset.UTC))
                + ".pcap.gz";
    }

    /**
     * Writes the recorded entries.
     *
     * @param file path of the new file
     * @param reason reason for the recording, stored in the file
     * @throws IOException if the file exists or cannot be written, or if no recorded part can be replayed
     */
    public WrittenRecording write(Path file, String reason) throws IOException {
        Recording recording = recorder.ring().recording(reason);
        if (recording == null) {
            throw new IOException("the ring has no room for a whole sweep; raise recorder_mib");
        }
        Recording completeRecording = recording.isFromStart() ? recording : withState(recording);
        Set<StandardOpenOption> asNew = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try (OutputStream out = new BufferedOutputStream(
                Channels.newOutputStream(Files.newByteChannel(file, asNew, ownerOnly(file))))) {
            RecordingFile.write(completeRecording, out);
        }
        long mads = completeRecording.entries().stream()
                .filter(entry -> !(entry instanceof Entry.Note))
                .count();
        return new WrittenRecording(
                file.toString(),
                (completeRecording.endNs() - completeRecording.beginNs()) / 1e9,
                mads,
                completeRecording.isFromStart());
    }

    /** Returns the permissions of a new file; empty if the file system has no POSIX permissions. */
    private static FileAttribute<?>[] ownerOnly(Path file) {
        boolean isPosix = file.getFileSystem().supportedFileAttributeViews().contains("posix");
        return isPosix
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
    }

    /**
     * Copies a recording and adds the current state files. They replace the state files at the begin of the recording,
     * which were not recorded.
     */
    private Recording withState(Recording recording) {
        List<Entry> entries = new ArrayList<>();
        SmRecorder.stateFiles(stateDir)
                .forEach((name, content) -> entries.add(
                        new Entry.Note(recording.beginNs(), NoteKind.STATE, SmRecorder.withName(name, content))));
        entries.addAll(recording.entries());
        return new Recording(entries, false);
    }

    /** Deletes the oldest files of faults above {@code maxFiles}. */
    private void prune(Path directory) throws IOException {
        List<Path> all;
        try (Stream<Path> files = Files.list(directory)) {
            all = files.filter(file -> String.valueOf(file.getFileName()).matches(NAME_PATTERN))
                    .sorted()
                    .toList();
        }
        for (Path old : all.subList(0, Math.max(0, all.size() - maxFiles))) {
            Files.deleteIfExists(old);
        }
    }
}
