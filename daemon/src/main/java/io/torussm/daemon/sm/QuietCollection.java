package io.torussm.daemon.sm;

import io.torussm.transport.Loop;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryUsage;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Garbage collection while the SM is idle. A small heap is full after one or two sweeps. A full collection stops the
 * process for longer than a local sweep takes. Without this class the collection would happen during a sweep, between a
 * trap and the last table. Owner thread: {@code sm}.
 */
final class QuietCollection {
    /** Interval of the checks, in ns. The next change of the fabric rarely follows a sweep faster. */
    static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(250);

    private final Loop loop;
    private final Supplier<@Nullable OldGeneration> oldGeneration;
    private final BooleanSupplier isIdle;
    private final Runnable collection;

    /**
     * The part of the heap that only a full collection frees.
     *
     * @param usedAfterCollection bytes in use after the last collection
     * @param used bytes in use now
     * @param size size in bytes at which the JVM starts a full collection
     */
    record OldGeneration(long usedAfterCollection, long used, long size) {
        /**
         * Checks whether the heap would exceed the size if it grows once more by as much as since the last collection.
         */
        boolean needsCollection() {
            return 2 * (used - usedAfterCollection) > size - usedAfterCollection;
        }
    }

    /**
     * Creates a collection that is not active yet.
     *
     * @param old source of the sizes of the heap, read repeatedly; null until the first collection
     * @param isResting source that is true while the SM is idle
     * @param collection action that runs a full collection
     */
    QuietCollection(Loop loop, Supplier<@Nullable OldGeneration> old, BooleanSupplier isResting, Runnable collection) {
        this.loop = loop;
        this.oldGeneration = old;
        this.isIdle = isResting;
        this.collection = collection;
    }

    /**
     * Returns the collection of this process. It runs only with the serial collector, which {@code bin/torus-sm}
     * selects; other collectors have a schedule of their own.
     */
    static QuietCollection ofProcess(Loop loop, BooleanSupplier isResting) {
        MemoryPoolMXBean tenured = ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getName().equals("Tenured Gen"))
                .findAny()
                .orElse(null);
        return new QuietCollection(loop, () -> tenured == null ? null : measure(tenured), isResting, System::gc);
    }

    private static @Nullable OldGeneration measure(MemoryPoolMXBean pool) {
        MemoryUsage last = pool.getCollectionUsage();
        MemoryUsage current = pool.getUsage();
        return last == null || last.getUsed() == 0
                ? null
                : new OldGeneration(last.getUsed(), current.getUsed(), current.getCommitted());
    }

    /** Starts the checks. */
    void begin() {
        loop.schedule(PAUSE_NS, () -> {
            begin();
            OldGeneration room = isIdle.getAsBoolean() ? oldGeneration.get() : null;
            if (room != null && room.needsCollection()) {
                collection.run();
            }
        });
    }
}
