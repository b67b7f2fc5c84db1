package io.torussm.daemon.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The texts of errors of files for operators. */
class FileErrorsTest {
    @TempDir
    Path dir;

    private interface Access {
        void run() throws IOException;
    }

    @Test
    void reportsTheTextOfTheSystem() throws IOException {
        Path file = Files.writeString(dir.resolve("file"), "");
        assertThat(messageOf(() -> Files.readString(dir.resolve("absent")))).isEqualTo("there is no such file");
        assertThat(messageOf(() -> Files.readString(dir))).isEqualTo("Is a directory");
        assertThat(messageOf(() -> Files.createDirectories(file)))
                .isEqualTo("there is a file where a directory should be");
        assertThat(messageOf(() -> Files.readString(file.resolve("below")))).isEqualTo("Not a directory");
    }

    @Test
    void neverSaysNothing() {
        assertThat(FileErrors.describe(new AccessDeniedException("/f"))).isEqualTo("permission denied");
        assertThat(FileErrors.describe(new FileSystemException("/f"))).contains("/f");
        assertThat(FileErrors.describe(new IOException())).contains("IOException");
        assertThat(FileErrors.describe(new IOException("no space"))).isEqualTo("no space");
    }

    private static String messageOf(Access access) {
        try {
            access.run();
        } catch (IOException e) {
            return FileErrors.describe(e);
        }
        throw new AssertionError("nothing went wrong");
    }
}
