package io.torussm.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Nice values of threads, as Linux shows them. */
public final class NiceValues {
    /** Of the fields behind the name, which may have spaces in it (proc_pid_stat(5), field 19). */
    private static final int NICE = 16;

    private NiceValues() {}

    /** Returns the nice value of the calling thread, -20 to 19. */
    public static int ofThisThread() {
        try {
            String stat = Files.readString(Path.of("/proc/thread-self/stat"));
            return Integer.parseInt(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[NICE]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
