package io.torussm.daemon.sm;

import io.torussm.registration.SaContents;
import io.torussm.state.StateDirectory;
import io.torussm.transport.Loop;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A temporary copy of a state directory for the trial of an SM, accessible for this user only. {@link #close} deletes
 * it. One thread.
 */
final class StateCopy implements AutoCloseable {
    private static final long MAX_BYTES = 64L << 20;

    private final Path dir;

    private StateCopy(Path dir) {
        this.dir = dir;
    }

    /**
     * Copies the files that an SM reads at its start. Logs are not copied.
     *
     * @param from state directory; null to copy no files
     * @param registered registrations of hosts, in place of those in the directory
     * @throws IOException if the copy cannot be written
     */
    static StateCopy of(@Nullable Path from, SaContents registered) throws IOException {
        StateCopy copy = new StateCopy(
                from == null ? Files.createTempDirectory("torus-sm") : Files.createTempDirectory(from, "trial"));
        try {
            if (from != null) {
                copy.copyFiles(from);
            }
            for (SaContents.File file : registered.files()) {
                Files.write(copy.dir.resolve(file.file().name()), file.content());
            }
            return copy;
        } catch (IOException e) {
            copy.close();
            throw e;
        }
    }

    private void copyFiles(Path from) throws IOException {
        for (Path file : files(from)) {
            String name = file.getFileName().toString();
            boolean isState = Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                    && !name.equals("lock")
                    && !name.contains(".")
                    && Files.size(file) <= MAX_BYTES;
            if (isState) {
                Files.copy(file, dir.resolve(name));
            }
        }
    }

    private static List<Path> files(Path dir) throws IOException {
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(dir)) {
            all.forEach(files::add);
        }
        return files;
    }

    /** Opens the copy as the state directory of an SM, whose files the loop writes. */
    StateDirectory open(Loop loop) {
        try {
            return StateDirectory.open(dir, loop);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            for (Path file : files(dir)) {
                Files.deleteIfExists(file);
            }
            Files.deleteIfExists(dir);
        } catch (IOException e) {
            dir.toFile().deleteOnExit(); // at the end of the process; other users have no access until then
        }
    }
}
