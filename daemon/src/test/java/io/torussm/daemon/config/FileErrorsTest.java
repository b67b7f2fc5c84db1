package io.torussm.daemon.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The texts of errors of files for operators: those of the system, or a sentence if the system has a path only. */
class FileErrorsTest {
    @TempDir
    Path dir;

    private static String describe(ThrowingCallable access) {
        return FileErrors.describe(
                assertThatExceptionOfType(IOException.class).isThrownBy(access).actual());
    }

    @Test
    void anAbsentFileIsReported() {
        assertThat(describe(() -> Files.readString(dir.resolve("absent")))).isEqualTo("there is no such file");
    }

    @Test
    void aDirectoryInsteadOfAFileIsReportedInTheWordsOfTheSystem() {
        assertThat(describe(() -> Files.readString(dir))).isEqualTo("Is a directory");
    }

    @Test
    void aFileInsteadOfADirectoryIsReported() throws IOException {
        Path file = Files.writeString(dir.resolve("file"), "");
        assertThat(describe(() -> Files.createDirectories(file)))
                .isEqualTo("there is a file where a directory should be");
        assertThat(describe(() -> Files.readString(file.resolve("below")))).isEqualTo("Not a directory");
    }

    @Test
    void aDeniedPermissionIsReported() {
        assertThat(FileErrors.describe(new AccessDeniedException("/f"))).isEqualTo("permission denied");
    }

    @Test
    void anErrorIsNeverReportedWithoutText() {
        assertThat(FileErrors.describe(new FileSystemException("/f"))).contains("/f");
        assertThat(FileErrors.describe(new IOException())).contains("IOException");
        assertThat(FileErrors.describe(new IOException("no space"))).isEqualTo("no space");
    }
}
