package io.torussm.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchService;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** A text file that another thread or program writes, at some time. */
public final class AwaitedFile {
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(90);

    private AwaitedFile() {}

    /**
     * Waits until there is a file whose text is as wanted.
     *
     * @param file in a directory that is there already
     * @return its text
     * @throws AssertionError if it does not come to that within 90 s; the message has the text that it has then
     */
    public static String read(Path file, Predicate<String> wanted) throws IOException, InterruptedException {
        Path dir = Objects.requireNonNull(file.toAbsolutePath().getParent());
        long deadlineNs = System.nanoTime() + TIMEOUT_NS;
        try (WatchService changes = dir.getFileSystem().newWatchService()) {
            var key = dir.register(changes, StandardWatchEventKinds.ENTRY_CREATE, StandardWatchEventKinds.ENTRY_MODIFY);
            while (true) {
                String text = Files.exists(file) ? Files.readString(file) : "";
                if (wanted.test(text)) {
                    return text;
                }
                if (changes.poll(deadlineNs - System.nanoTime(), TimeUnit.NANOSECONDS) == null) {
                    throw new AssertionError(file + " does not come to what is awaited:\n" + text);
                }
                key.pollEvents();
                key.reset();
            }
        }
    }
}
