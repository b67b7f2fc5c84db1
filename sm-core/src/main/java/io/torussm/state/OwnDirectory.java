package io.torussm.state;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Directories that the SM writes in, where nobody else puts a link or takes a file away. */
public final class OwnDirectory {
    private OwnDirectory() {}

    /**
     * Makes a directory if it is not there.
     *
     * @throws IOException if it cannot be made, or everybody may write in it; with a remedy
     */
    public static void make(Path dir) throws IOException {
        Files.createDirectories(dir);
        if (!dir.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            return;
        }
        Set<PosixFilePermission> mode = Files.getPosixFilePermissions(dir);
        if (mode.contains(PosixFilePermission.OTHERS_WRITE)) {
            throw new IOException("all users may write to it, mode " + PosixFilePermissions.toString(mode)
                    + "; chmod o-w, or name a directory of its own");
        }
    }
}
