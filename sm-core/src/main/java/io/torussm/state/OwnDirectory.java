package io.torussm.state;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** A check of directories that the SM writes: no other user may place links or remove files there. */
public final class OwnDirectory {
    private OwnDirectory() {}

    /**
     * Creates a directory if it does not exist, and checks its permissions.
     *
     * @throws IOException if it cannot be created, or all users may write to it; the message has the remedy
     */
    public static void create(Path dir) throws IOException {
        Files.createDirectories(dir);
        if (!dir.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            return;
        }
        Set<PosixFilePermission> mode = Files.getPosixFilePermissions(dir);
        if (mode.contains(PosixFilePermission.OTHERS_WRITE)) {
            throw new IOException("all users may write to it, mode " + PosixFilePermissions.toString(mode)
                    + "; chmod o-w, or name another directory");
        }
    }
}
