package io.torussm.state;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * The protection of a state directory from a second process: a lock of the operating system on its file {@code lock},
 * which ends with the process in any case. The file contains the name of the owner, and is never deleted.
 */
public final class DirectoryLock implements AutoCloseable {
    private static final String FILE_NAME = "lock";
    private static final int MAX_CHARS = 200;
    private static final Path HOST_NAME = Path.of("/proc/sys/kernel/hostname");

    private final FileChannel channel;

    /** The failure to lock a directory that another process has locked. */
    public static final class DirectoryLockedException extends IOException {
        private static final long serialVersionUID = 1;

        private DirectoryLockedException(String owner) {
            super(owner);
        }
    }

    private DirectoryLock(FileChannel channel) {
        this.channel = channel;
    }

    /**
     * Locks a directory.
     *
     * @throws DirectoryLockedException if another process has locked it; the message names the process, such as {@code
     *     pid 812 on node1, since ..}
     * @throws IOException if the file cannot be written, or is no regular file, such as a link to one
     */
    public static DirectoryLock acquire(Path dir) throws IOException {
        Path file = dir.resolve(FILE_NAME);
        if (Files.exists(file, NOFOLLOW_LINKS) && !Files.isRegularFile(file, NOFOLLOW_LINKS)) {
            throw new IOException(file + " is no regular file; remove it");
        }
        FileChannel channel = FileChannel.open(file, CREATE, READ, WRITE, NOFOLLOW_LINKS);
        try {
            if (tryLock(channel) == null) {
                throw new DirectoryLockedException(owner(channel));
            }
            writeOwner(channel);
            return new DirectoryLock(channel);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /** Writes the name of the owner. The lock is valid without the name, because the disk may be full. */
    private static void writeOwner(FileChannel channel) throws IOException {
        channel.truncate(0);
        try {
            channel.write(ByteBuffer.wrap(ownName().getBytes(UTF_8)));
        } catch (IOException e) {
            channel.truncate(0);
        }
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null; // held by this process
        }
    }

    /** Returns the name of the process that has locked the file. */
    private static String owner(FileChannel channel) throws IOException {
        ByteBuffer text = ByteBuffer.allocate(MAX_CHARS);
        channel.read(text, 0);
        String owner = new String(text.array(), 0, text.position(), UTF_8).strip();
        return owner.isEmpty() ? "a process that has not said its name yet" : owner.replaceAll("[^ -~]", "?");
    }

    private static String ownName() throws IOException {
        String host = Files.isReadable(HOST_NAME) ? Files.readString(HOST_NAME).strip() : "this host";
        return "pid " + ProcessHandle.current().pid() + " on " + host + ", since "
                + Instant.now().truncatedTo(ChronoUnit.SECONDS) + "\n";
    }

    /** Releases the lock. */
    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // the end of the process releases it as well
        }
    }
}
