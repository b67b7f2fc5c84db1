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
 * The writer of recordings to files that only their owner may read. After trouble it writes a file
 * {@link #AFTERMATH_NS} later, at most one in {@link #PAUSE_NS}, and keeps the newest files. {@link #write} makes
 * a file on request, without these limits. Owner thread: the loop of the disk.
 */
public final class TroubleFiles {
    /** From one file to the next. */
    public static final long PAUSE_NS = TimeUnit.MINUTES.toNanos(10);

    /** Events in this time after trouble are included in its file. */
    static final long AFTERMATH_NS = TimeUnit.SECONDS.toNanos(5);

    private static final EventLog EVENTS = EventLog.of(TroubleFiles.class);
    private static final String DIRECTORY = "recordings";
    private static final String NAMES = "recording-[0-9TZ]+\\.pcap\\.gz";
    private static final String STAMP = "yyyyMMdd'T'HHmmss'Z'";

    private final SmRecorder recorder;
    private final Loop disk;
    private final @Nullable Path stateDir;
    private final int maxFiles;
    private final AtomicBoolean isPaused = new AtomicBoolean();

    /**
     * A recording that was written.
     *
     * @param file path
     * @param seconds duration of the recording
     * @param mads number of MADs sent and received
     * @param isFromStart true if it begins with the SM
     */
    public record Written(String file, double seconds, long mads, boolean isFromStart) {}

    /**
     * Creates a writer that the recorder notifies of trouble.
     *
     * @param stateDir directory of files of trouble; null for none
     * @param maxFiles limit of files of trouble that are kept; 0 for none
     */
    public TroubleFiles(SmRecorder recorder, Loop disk, @Nullable Path stateDir, int maxFiles) {
        this.recorder = recorder;
        this.disk = disk;
        this.stateDir = stateDir;
        this.maxFiles = maxFiles;
        recorder.whenTrouble(this::schedule);
    }

    /** Schedules a recording of a fault, unless one was scheduled within {@link #PAUSE_NS}. Any thread. */
    private void schedule(String reason) {
        Path dir = stateDir;
        if (dir == null || maxFiles == 0 || !isPaused.compareAndSet(false, true)) {
            return;
        }
        disk.schedule(AFTERMATH_NS, () -> {
            // First, so that a failure of this recording does not prevent all later ones.
            disk.schedule(PAUSE_NS, () -> isPaused.set(false));
            Path directory = dir.resolve(DIRECTORY);
            try {
                OwnDirectory.make(directory);
                Written written = write(directory.resolve(fileName(disk.timeOfDay())), reason);
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

    /** Returns where files of trouble are; null if they are kept nowhere. */
    public @Nullable Path directory() {
        return stateDir == null ? null : stateDir.resolve(DIRECTORY);
    }

    /** Returns the name of a recording that is written at a time; it has the time in UTC. */
    public static String fileName(Instant at) {
        return "recording-" + DateTimeFormatter.ofPattern(STAMP).format(at.atOffset(ZoneOffset.UTC)) + ".pcap.gz";
    }

    /**
     * Writes the recorded entries.
     *
     * @param file path of the new file
     * @throws IOException if it exists or cannot be written, or if no recorded part can be replayed
     */
    public Written write(Path file, String reason) throws IOException {
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
        return new Written(
                file.toString(),
                (completeRecording.endNs() - completeRecording.beginNs()) / 1e9,
                mads,
                completeRecording.isFromStart());
    }

    /** Returns the permissions of a new file; none if its file system has no owners. */
    private static FileAttribute<?>[] ownerOnly(Path file) {
        boolean isPosix = file.getFileSystem().supportedFileAttributeViews().contains("posix");
        return isPosix
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
    }

    /**
     * Returns a recording with the present state files. The initial ones may have been dropped from the ring, and
     * the present ones are the best approximation.
     */
    private Recording withState(Recording recording) {
        List<Entry> entries = new ArrayList<>();
        SmRecorder.stateFiles(stateDir)
                .forEach((name, content) -> entries.add(
                        new Entry.Note(recording.beginNs(), NoteKind.STATE, SmRecorder.named(name, content))));
        entries.addAll(recording.entries());
        return new Recording(entries, false);
    }

    /** Removes the oldest files, so that the limit is kept. */
    private void prune(Path directory) throws IOException {
        List<Path> all;
        try (Stream<Path> files = Files.list(directory)) {
            all = files.filter(file -> String.valueOf(file.getFileName()).matches(NAMES))
                    .sorted()
                    .toList();
        }
        for (Path old : all.subList(0, Math.max(0, all.size() - maxFiles))) {
            Files.deleteIfExists(old);
        }
    }
}
