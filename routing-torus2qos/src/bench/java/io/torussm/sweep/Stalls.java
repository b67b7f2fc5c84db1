package io.torussm.sweep;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The time in which a thread could not run.
 *
 * @param runQueueNs time without a processor though it was ready to run, since its start
 *     (/proc/PID/task/TID/schedstat, the second number)
 * @param collections number of garbage collections, since the start of the JVM
 * @param collectionMs time of these collections
 */
record Stalls(long runQueueNs, long collections, long collectionMs) {
    /** Returns the values of the calling thread. */
    static Stalls read() {
        long collections = 0;
        long ms = 0;
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            collections += collector.getCollectionCount();
            ms += collector.getCollectionTime();
        }
        try {
            String schedstat = Files.readString(Path.of("/proc/thread-self/schedstat"));
            return new Stalls(Long.parseLong(schedstat.split(" ", -1)[1]), collections, ms);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the increase since an earlier reading. */
    Stalls since(Stalls before) {
        return new Stalls(
                runQueueNs - before.runQueueNs, collections - before.collections, collectionMs - before.collectionMs);
    }
}
