package io.torussm.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class AwaitedFileTest {
    @TempDir
    Path dir;

    /** Made, appended to, and put in the place of the one of before: each is looked at. */
    @Test
    void waitsUntilTheTextIsAsWanted() throws Exception {
        Path file = dir.resolve("file");
        CountDownLatch[] seen = {new CountDownLatch(1), new CountDownLatch(1), new CountDownLatch(1)};
        CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> {
            try {
                seen[0].await();
                Files.writeString(file, "one ");
                seen[1].await();
                Files.writeString(file, "one two ");
                seen[2].await();
                Files.move(
                        Files.writeString(dir.resolve("other"), "three"),
                        file,
                        StandardCopyOption.REPLACE_EXISTING,
                        StandardCopyOption.ATOMIC_MOVE);
            } catch (IOException | InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        assertThat(AwaitedFile.read(file, text -> {
                    if (text.isEmpty()) {
                        seen[0].countDown();
                    } else if (text.equals("one ")) {
                        seen[1].countDown();
                    } else if (text.equals("one two ")) {
                        seen[2].countDown();
                    }
                    return text.equals("three");
                }))
                .isEqualTo("three");
        writer.join();
    }
}
