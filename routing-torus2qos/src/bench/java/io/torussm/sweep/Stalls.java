package io.torussm.sweep;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What kept a thread from running, so far.
 *
 * @param runQueueNs it was ready to run and had no processor, since it began (/proc/PID/task/TID/schedstat, the second number)
 * @param collections of the heap, since the JVM began
 * @param collectionMs they took
 */
record Stalls(long runQueueNs, long collections, long collectionMs) {
    /** Of the calling thread. */
    static Stalls now() {
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

    /** What was added since. */
    Stalls since(Stalls before) {
        return new Stalls(
                runQueueNs - before.runQueueNs, collections - before.collections, collectionMs - before.collectionMs);
    }
}
