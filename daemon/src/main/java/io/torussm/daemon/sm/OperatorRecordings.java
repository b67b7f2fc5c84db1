package io.torussm.daemon.sm;

import io.torussm.daemon.control.RecordingAnswer;
import io.torussm.daemon.recorder.RecordingFiles;
import io.torussm.daemon.recorder.SmRecorder;
import io.torussm.state.OwnDirectory;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The flight recorder for operators: it records their commands, and writes files on request. Any thread. */
final class OperatorRecordings {
    private final SmResources resources;
    private final @Nullable Path dumpDir;

    /**
     * Creates the access to the recorder of an SM.
     *
     * @param dumpDir directory of the files; null for the directory of the recorder
     */
    OperatorRecordings(SmResources resources, @Nullable Path dumpDir) {
        this.resources = resources;
        this.dumpDir = dumpDir;
    }

    /** Records a command. */
    void note(SmRecorder.Command command) {
        SmRecorder recorder = resources.recorder();
        if (recorder != null) {
            recorder.recordCommand(command);
        }
    }

    /**
     * Writes the content of the flight recorder to a file.
     *
     * @param name name of the file; empty for a name with the time of day
     * @return the written file, or an error text if the recorder is off, or the file exists or cannot be written
     */
    CompletableFuture<RecordingAnswer> record(String name) {
        CompletableFuture<RecordingAnswer> result = new CompletableFuture<>();
        RecordingFiles recordings = resources.recordings();
        Path dir = dumpDir == null && recordings != null ? recordings.directory() : dumpDir;
        if (recordings == null || dir == null) {
            return CompletableFuture.completedFuture(RecordingAnswer.failed(
                    recordings == null
                            ? "the flight recorder is off: recorder_mib is 0"
                            : "there is no directory for the file: set dump_files_dir or state_dir"));
        }
        resources.runOnDiskLoop(() -> {
            try {
                OwnDirectory.create(dir);
                RecordingFiles.WrittenRecording written = recordings.write(
                        dir.resolve(name.isEmpty() ? RecordingFiles.fileName(Instant.now()) : name), "of a request");
                result.complete(new RecordingAnswer(
                        written.file(), written.seconds(), written.mads(), written.isFromStart(), ""));
            } catch (FileAlreadyExistsException e) {
                result.complete(RecordingAnswer.failed(e.getMessage() + " is there already; give another name"));
            } catch (IOException e) {
                result.complete(RecordingAnswer.failed("the recording cannot be written (" + e.getMessage() + ")"));
            }
        });
        return result;
    }
}
