package io.torussm.transport.foreign;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class NiceValueTest {
    /** Of the fields behind the name, which may have spaces in it (proc_pid_stat(5), field 19). */
    private static final int NICE = 16;

    private static int niceOfThisThread() {
        try {
            String stat = Files.readString(Path.of("/proc/thread-self/stat"));
            return Integer.parseInt(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[NICE]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void isRaisedForTheCallingThreadAlone() throws InterruptedException {
        int before = niceOfThisThread();
        CompletableFuture<Integer> inBackground = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            NiceValue.raise(5);
            inBackground.complete(niceOfThisThread());
        });
        thread.start();
        thread.join();
        assertThat(inBackground.join()).isEqualTo(Math.min(19, before + 5));
        assertThat(niceOfThisThread()).isEqualTo(before);
    }
}
