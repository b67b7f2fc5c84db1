package io.torussm.daemon.rolling;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A subnet manager and its log, which is also stored in a file in its directory. */
final class SmProcess implements AutoCloseable {
    private static final int LAST = 40;

    private final String name;
    private final Process process;
    private final Writer log;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final ArrayDeque<String> last = new ArrayDeque<>();

    SmProcess(String name, ProcessBuilder builder) throws IOException {
        this.name = name;
        log = Files.newBufferedWriter(
                Objects.requireNonNull(builder.directory()).toPath().resolve(name + ".log"));
        process = builder.redirectErrorStream(true).start();
        Thread reader = new Thread(this::read, name + "-log");
        reader.setDaemon(true);
        reader.start();
    }

    private void read() {
        try (BufferedReader said = process.inputReader(UTF_8);
                Writer copy = log) {
            for (String line = said.readLine(); line != null; line = said.readLine()) {
                copy.write(line + "\n");
                copy.flush();
                lines.add(line);
            }
        } catch (IOException e) {
            lines.add(e.toString());
        }
    }

    /**
     * Waits for a line with one of some texts.
     *
     * @return the text that came
     * @throws IOException if none comes; the message has the last lines
     */
    String await(long seconds, String... wanted) throws IOException, InterruptedException {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        for (String line = next(deadlineNs); line != null; line = next(deadlineNs)) {
            String text = line;
            if (last.size() == LAST) {
                last.remove();
            }
            last.add(text);
            List<String> found = Arrays.stream(wanted).filter(text::contains).toList();
            if (!found.isEmpty()) {
                return found.get(0);
            }
        }
        throw new IOException(name + " does not say " + String.join(" or ", wanted) + "; its last lines:\n"
                + String.join("\n", last));
    }

    private @Nullable String next(long deadlineNs) throws InterruptedException {
        return lines.poll(Math.max(0, deadlineNs - System.nanoTime()), TimeUnit.NANOSECONDS);
    }

    /** Ignores the log so far in later waits. */
    void clearLog() {
        lines.clear();
    }

    /** Kills the process by SIGKILL. */
    void kill() {
        process.destroyForcibly();
        process.onExit().join();
    }

    /** Ends the process by SIGTERM. */
    void end() throws IOException, InterruptedException {
        process.destroy();
        if (!process.waitFor(30, TimeUnit.SECONDS)) {
            throw new IOException(name + " does not end");
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
