package io.torussm.daemon;

import io.torussm.state.StateDirectory;
import io.torussm.testing.MortalLoop;
import io.torussm.transport.Loop;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * The state directory of an SM in a storm. Writes happen a little later, in order; the death of the SM loses the
 * waiting ones, and may leave torn files.
 */
final class StormDisk {
    private final StormStory story;
    private final Path dir;

    /** The thread that writes files of one process. */
    private final class Writer implements Loop {
        private final MortalLoop process;
        private long busyUntilNs;

        Writer(MortalLoop process) {
            this.process = process;
        }

        @Override
        public void execute(Runnable task) {
            busyUntilNs = Math.max(busyUntilNs, nowNs() + story.randomNs(40));
            process.schedule(busyUntilNs - nowNs(), task);
        }

        @Override
        public Timer schedule(long delayNs, Runnable task) {
            return process.schedule(delayNs, task);
        }

        @Override
        public long nowNs() {
            return process.nowNs();
        }

        @Override
        public boolean isInLoop() {
            return true;
        }
    }

    StormDisk(StormStory story, Path dir) {
        this.story = story;
        this.dir = dir;
    }

    Path dir() {
        return dir;
    }

    /** Returns a thread that writes for a process as long as that lives. */
    Loop writer(MortalLoop process) {
        return new Writer(process);
    }

    StateDirectory open(Loop writer) {
        try {
            return StateDirectory.open(dir, writer);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Checks that the next SM can use every file of a dead one. */
    void check() {
        try (Stream<Path> files = Files.list(dir)) {
            List<String> bad = files.map(Path::toString)
                    .filter(name -> name.endsWith(".bad"))
                    .toList();
            story.check(bad.isEmpty(), "state files cannot be read: " + bad);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Leaves files as after an interrupted write, in half of the cases. */
    void leaveInterruptedWrite() {
        if (story.random.nextBoolean()) {
            return;
        }
        try (Stream<Path> files = Files.list(dir)) {
            for (Path file : files.sorted().toList()) {
                if (!file.toString().endsWith(".tmp")) {
                    byte[] whole = Files.readAllBytes(file);
                    Files.write(
                            file.resolveSibling(file.getFileName() + ".tmp"),
                            Arrays.copyOf(whole, story.random.nextInt(whole.length + 1)));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
