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
 * Garbage collection while the SM is idle. A small heap is full after a sweep or two. A full collection stops
 * the process for longer than a local sweep takes, and would fall between a trap and the last table. Owner
 * thread: {@code sm}.
 */
final class QuietCollection {
    /** Interval of the checks, in ns. The first change after a sweep rarely comes sooner. */
    static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(250);

    private final Loop loop;
    private final Supplier<@Nullable Room> old;
    private final BooleanSupplier isResting;
    private final Runnable collection;

    /**
     * The part of the heap that only a full collection frees.
     *
     * @param kept bytes in use after the last collection
     * @param used bytes in use now
     * @param size size in bytes at which it is collected
     */
    record Room(long kept, long used, long size) {
        /** Checks whether another increase like the one since the last collection would exceed the size. */
        boolean isShort() {
            return 2 * (used - kept) > size - kept;
        }
    }

    /**
     * Creates a collection that is not active yet.
     *
     * @param old read repeatedly; null until the first collection
     * @param isResting whether the SM is idle
     */
    QuietCollection(Loop loop, Supplier<@Nullable Room> old, BooleanSupplier isResting, Runnable collection) {
        this.loop = loop;
        this.old = old;
        this.isResting = isResting;
        this.collection = collection;
    }

    /**
     * Returns the collection of this process if it has the collector of {@code bin/torus-sm}. Other
     * collectors have a schedule of their own.
     */
    static QuietCollection ofProcess(Loop loop, BooleanSupplier isResting) {
        MemoryPoolMXBean tenured = ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getName().equals("Tenured Gen"))
                .findAny()
                .orElse(null);
        return new QuietCollection(loop, () -> tenured == null ? null : room(tenured), isResting, System::gc);
    }

    private static @Nullable Room room(MemoryPoolMXBean pool) {
        MemoryUsage last = pool.getCollectionUsage();
        MemoryUsage current = pool.getUsage();
        return last == null || last.getUsed() == 0
                ? null
                : new Room(last.getUsed(), current.getUsed(), current.getCommitted());
    }

    /** Starts the checks. */
    void begin() {
        loop.schedule(PAUSE_NS, () -> {
            begin();
            Room room = isResting.getAsBoolean() ? old.get() : null;
            if (room != null && room.isShort()) {
                collection.run();
            }
        });
    }
}
