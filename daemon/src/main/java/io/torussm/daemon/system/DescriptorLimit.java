package io.torussm.daemon.system;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * The limit of file descriptors of this process (RLIMIT_NOFILE, getrlimit(2)), and a check whether clients
 * could use them up.
 */
public final class DescriptorLimit {
    private static final EventLog EVENTS = EventLog.of(DescriptorLimit.class);

    /** Enough for jars, state files, and all clients of console, HTTP and replication. */
    private static final long ENOUGH = 512;

    private static final Path LIMITS = Path.of("/proc/self/limits");
    private static final String OPEN_FILES = "Max open files";

    private DescriptorLimit() {}

    /** Warns of a limit that is too low. */
    public static void check() {
        check(current());
    }

    public static void check(long descriptors) {
        if (descriptors < ENOUGH) {
            EVENTS.report(SmEvent.FEW_DESCRIPTORS, EventField.COUNT.of(descriptors));
        }
    }

    /** Returns the limit from the kernel; a management bean would load a hundred classes first. */
    private static long current() {
        try (Stream<String> limits = Files.lines(LIMITS)) {
            return limits.filter(line -> line.startsWith(OPEN_FILES))
                    .map(line -> line.substring(OPEN_FILES.length()).strip().split("\\s+", -1)[0])
                    .filter(limit -> limit.matches("\\d{1,18}"))
                    .mapToLong(Long::parseLong)
                    .findFirst()
                    .orElse(Long.MAX_VALUE);
        } catch (IOException | UncheckedIOException e) {
            return Long.MAX_VALUE;
        }
    }
}
