package io.torussm.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Within one process; SecondStartTest has two. */
class DirectoryLockTest {
    @TempDir
    Path dir;

    @Test
    void aSecondOneReportsTheOwner() throws IOException {
        DirectoryLock first = DirectoryLock.acquire(dir);
        assertThatThrownBy(() -> DirectoryLock.acquire(dir))
                .isInstanceOf(DirectoryLock.DirectoryLockedException.class)
                .hasMessageMatching("pid " + ProcessHandle.current().pid() + " on \\S+, since \\S+Z");
        first.close();
        DirectoryLock.acquire(dir).close();
    }

    @Test
    void aLinkIsNotWrittenThrough() throws IOException {
        Path victim = Files.writeString(dir.resolve("victim"), "text");
        Files.createSymbolicLink(dir.resolve("lock"), victim);
        assertThatThrownBy(() -> DirectoryLock.acquire(dir)).hasMessageContaining("is no regular file; remove it");
        assertThat(victim).hasContent("text");
    }

    @Test
    void aLockLeftByAnotherRunIsNone() throws IOException {
        Files.writeString(
                dir.resolve("lock"), "pid 1 on nowhere, since the beginning, and a very long line".repeat(99));
        DirectoryLock.acquire(dir).close();
        assertThat(dir.resolve("lock"))
                .content()
                .startsWith("pid " + ProcessHandle.current().pid())
                .hasLineCount(1);
    }
}
