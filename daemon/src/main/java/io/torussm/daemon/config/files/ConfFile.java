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
 * The contents of a file that the operator may change while the SM runs, at the time of the read. Immutable.
 *
 * @param name name of the file for the operator
 * @param text text of the file; null if it cannot be read
 * @param problems the reasons why it cannot be read; empty if it was read
 */
record ConfFile(String name, @Nullable String text, List<Finding> problems) {
    ConfFile {
        problems = List.copyOf(problems);
    }

    /**
     * Reads a file.
     *
     * @param namedPath the named file; null for the default file
     * @param defaultPath the default file, which is read if it exists and no file is named; null if there is none
     * @param maxBytes max size of the file in bytes
     * @param setting the setting that names the file
     * @return contents; null if no file is named and the default file does not exist
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
                    List.of(SmEvent.CONFIGURATION_ERROR.finding(
                            file + " cannot be read: " + FileErrors.describe(e) + "; see " + setting.key())));
        }
    }
}
