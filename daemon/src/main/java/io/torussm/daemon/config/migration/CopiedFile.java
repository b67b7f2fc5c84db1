package io.torussm.daemon.config.migration;

import io.torussm.daemon.config.FileErrors;
import io.torussm.daemon.config.files.ServiceAccount;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * A file that a configuration of OpenSM names, and its copy for the new configuration.
 *
 * @param from absolute path of the file
 * @param to absolute path of the copy
 */
public record CopiedFile(Path from, Path to) {
    private static final String FOR_ALL = "rw-r--r--";
    private static final String FOR_GROUP = "rw-r-----";

    /** Returns the command that copies the file with a mode in which the service can read it. */
    String command() {
        return "install " + (isForAll() ? "-m 0644 " : "-g " + ServiceAccount.GROUP + " -m 0640 ") + quoted(from) + " "
                + quoted(to) + (Files.exists(from) ? "" : "   # which is not there now");
    }

    /** Copies the file if it exists and the copy does not, and returns a text on the outcome. */
    public String copy() {
        try {
            if (!Files.isRegularFile(from)) {
                return from + " is not there, or no file; once it is: " + command();
            }
            if (Files.exists(to)) {
                return Files.mismatch(from, to) < 0
                        ? to + " is there already, and equals " + from
                        : to + " is there already and is not overwritten, but differs from " + from
                                + "; compare the two, then: " + command();
            }
            String mode = isForAll() ? FOR_ALL : FOR_GROUP;
            // The file is created without permissions for others, before it has its contents.
            Files.createFile(to, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(FOR_GROUP)));
            try (OutputStream out = Files.newOutputStream(to)) {
                Files.copy(from, out);
            }
            String remark = ServiceAccount.grantRead(to, mode);
            return from + " copied to " + to + (remark.isEmpty() ? ", mode " + mode : "; " + remark);
        } catch (IOException e) {
            return from + " could not be copied: " + FileErrors.describe(e) + "; do it with: " + command();
        }
    }

    private boolean isForAll() {
        try {
            return !Files.exists(from) || Files.getPosixFilePermissions(from).contains(PosixFilePermission.OTHERS_READ);
        } catch (IOException e) {
            return false;
        }
    }

    /** Returns a name as a word of a shell command. */
    private static String quoted(Path path) {
        String name = path.toString();
        return name.matches("[\\w./+:@%-]+") ? name : "'" + name.replace("'", "'\\''") + "'";
    }
}
