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
 * The limit of file descriptors of this process (RLIMIT_NOFILE, getrlimit(2)), and a check that the limit suffices for
 * the max number of clients.
 */
public final class DescriptorLimit {
    private static final EventLog EVENTS = EventLog.of(DescriptorLimit.class);

    /** Number of descriptors that suffices for jars, state files, and all clients of console, HTTP and replication. */
    private static final long MIN_DESCRIPTORS = 512;

    private static final Path LIMITS = Path.of("/proc/self/limits");
    private static final String OPEN_FILES = "Max open files";

    private DescriptorLimit() {}

    /** Logs a warning if the limit of this process is too low. */
    public static void check() {
        check(current());
    }

    /**
     * Logs a warning if a limit is too low.
     *
     * @param descriptors limit as a number of file descriptors
     */
    public static void check(long descriptors) {
        if (descriptors < MIN_DESCRIPTORS) {
            EVENTS.report(SmEvent.FEW_DESCRIPTORS, EventField.COUNT.of(descriptors));
        }
    }

    /**
     * Reads the limit from the kernel; {@link Long#MAX_VALUE} if it is unlimited or unknown. A management bean would
     * load a hundred classes first.
     */
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
