package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The start of chromedriver, with shell scripts in its place. */
class BrowserTest {
    @TempDir
    Path dir;

    @Test
    void aDriverWithoutAPortIsStartedOnceMore() throws IOException {
        Path mark = dir.resolve("mark");
        String script = """
                if [ -e %1$s ]; then
                    echo started successfully on port 4711
                else
                    touch %1$s
                    echo bind failed
                fi
                """.formatted(mark);
        assertThat(Browser.Driver.start("sh", "-c", script).port()).isEqualTo(4711);
    }

    @Test
    void theOutputOfADriverThatDoesNotStartIsReported() throws IOException {
        Path log = dir.resolve("log");
        assertThatIOException()
                .isThrownBy(() -> Browser.Driver.start("sh", "-c", "echo bind failed | tee -a " + log))
                .withMessageContaining("bind failed");
        assertThat(Files.readAllLines(log)).as("attempts").hasSize(2);
    }
}
