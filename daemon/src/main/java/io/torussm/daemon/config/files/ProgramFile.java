package io.torussm.daemon.config.files;

import io.torussm.daemon.config.FileErrors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;

/** A program that the daemon starts because the configuration names it. */
public final class ProgramFile {
    private ProgramFile() {}

    /** Returns the reason why a program is not started, with the remedy; empty if it may be started. */
    public static String problem(Path program) {
        if (!program.isAbsolute()) {
            return "must begin with /";
        }
        if (!Files.isRegularFile(program) || !Files.isExecutable(program)) {
            return "is no program that may be run; name another, or chmod +x it";
        }
        try {
            return Files.getPosixFilePermissions(program).contains(PosixFilePermission.OTHERS_WRITE)
                    ? "is writable by all users; chmod o-w it"
                    : "";
        } catch (IOException e) {
            return "cannot be looked at: " + FileErrors.describe(e);
        }
    }
}
