package io.torussm.daemon.config.files;

import io.torussm.daemon.config.FileErrors;
import io.torussm.daemon.config.Setting;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.state.BoundedFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A file that the operator may change while the SM runs, as of the time when it was read.
 *
 * @param name name for the operator
 * @param text null if it cannot be read
 * @param problems why it cannot be read; empty if it can
 */
record ConfFile(String name, @Nullable String text, List<Finding> problems) {
    ConfFile {
        problems = List.copyOf(problems);
    }

    /**
     * Reads a file.
     *
     * @param namedPath the file; null for the usual one
     * @param defaultPath read if it exists and no other file is named; null for none
     * @param maxBytes a longer file cannot be read
     * @param setting the setting that names the file
     * @return null if no file is named and the usual one does not exist
     */
    static @Nullable ConfFile read(
            @Nullable Path namedPath, @Nullable Path defaultPath, long maxBytes, Setting<?> setting) {
        Path file = namedPath == null && defaultPath != null && Files.exists(defaultPath) ? defaultPath : namedPath;
        if (file == null) {
            return null;
        }
        try {
            return new ConfFile(file.toString(), BoundedFile.text(file, maxBytes), List.of());
        } catch (IOException e) {
            return new ConfFile(
                    file.toString(),
                    null,
                    List.of(SmEvent.CONFIGURATION_ERROR.says(
                            file + " cannot be read: " + FileErrors.describe(e) + "; see " + setting.key())));
        }
    }
}
