package io.torussm.daemon.access;

import io.torussm.state.BoundedFile;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;

/** A reader of files that settings name. It rejects a file that too many users may read or write. */
final class AccessFile {
    private static final int MAX_BYTES = 1 << 18;

    /** A user who may change the file could grant himself access. */
    private static final Set<PosixFilePermission> WRITERS =
            EnumSet.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);

    private static final Set<PosixFilePermission> OTHERS = EnumSet.of(
            PosixFilePermission.OTHERS_READ, PosixFilePermission.OTHERS_WRITE, PosixFilePermission.OTHERS_EXECUTE);

    private static final Set<PosixFilePermission> GROUP = EnumSet.of(
            PosixFilePermission.GROUP_READ, PosixFilePermission.GROUP_WRITE, PosixFilePermission.GROUP_EXECUTE);

    /** The permissions of users other than the owner. */
    enum Openness {
        /** All users may read the file. */
        PUBLIC("644"),
        /** A group may read the file, such as Debian's group for TLS keys. */
        GROUP_READS("640"),
        /** Only the owner may read the file. */
        PRIVATE("600");

        private final String mode;

        Openness(String mode) {
            this.mode = mode;
        }

        private Set<PosixFilePermission> forbiddenPermissions() {
            return switch (this) {
                case PUBLIC -> WRITERS;
                case GROUP_READS -> union(WRITERS, OTHERS);
                case PRIVATE -> union(GROUP, OTHERS);
            };
        }
    }

    private AccessFile() {}

    private static Set<PosixFilePermission> union(Set<PosixFilePermission> one, Set<PosixFilePermission> other) {
        Set<PosixFilePermission> combined = EnumSet.copyOf(one);
        combined.addAll(other);
        return combined;
    }

    /**
     * Returns the text of a file, one character for each byte.
     *
     * @param setting name of the setting, for messages
     * @param openness permissions that other users may have
     * @throws UnusableFileException if the file cannot be read, or other users have more permissions
     */
    static String read(String setting, Path file, Openness openness) throws UnusableFileException {
        try {
            Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
            Set<PosixFilePermission> excess = new HashSet<>(permissions);
            excess.retainAll(openness.forbiddenPermissions());
            if (!excess.isEmpty()) {
                throw new UnusableFileException(setting + ": " + file + " is open to other users ("
                        + PosixFilePermissions.toString(permissions) + "); run chmod " + openness.mode + " " + file
                        + (openness == Openness.PUBLIC ? "" : ", and make a new one if they may have read it"));
            }
            return BoundedFile.text(file, MAX_BYTES);
        } catch (NoSuchFileException e) {
            throw new UnusableFileException(setting + ": there is no " + file);
        } catch (AccessDeniedException e) {
            throw new UnusableFileException(setting + ": the daemon's user may not read " + file);
        } catch (IOException e) {
            throw new UnusableFileException(setting + ": " + file + " cannot be read: " + e.getMessage());
        }
    }
}
