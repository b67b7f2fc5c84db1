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
 * Collects garbage while there is nothing else to do. A heap that is kept small is full after a sweep or two, and collecting all of it stops
 * the process for longer than a local sweep takes: without this that comes between a trap and the last table. Owner thread: {@code sm}.
 */
final class QuietCollection {
    /** So often it is looked. The first change after a sweep rarely comes sooner. */
    static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(250);

    private final Loop loop;
    private final Supplier<@Nullable Room> old;
    private final BooleanSupplier isResting;
    private final Runnable collection;

    /**
     * The part of the heap that is only collected as a whole.
     *
     * @param kept bytes in use after the last collection
     * @param used bytes in use now
     * @param size bytes that it may have before it is collected
     */
    record Room(long kept, long used, long size) {
        /** Whether what came since takes so much of the room that as much again would not find any. */
        boolean isShort() {
            return 2 * (used - kept) > size - kept;
        }
    }

    /**
     * Looks at nothing yet.
     *
     * @param old asked again and again; null as long as nothing was collected
     * @param isResting whether there is nothing else to do
     */
    QuietCollection(Loop loop, Supplier<@Nullable Room> old, BooleanSupplier isResting, Runnable collection) {
        this.loop = loop;
        this.old = old;
        this.isResting = isResting;
        this.collection = collection;
    }

    /** Of this process, if it has the collector that {@code bin/torus-sm} asks for; others have a time of their own. */
    static QuietCollection ofProcess(Loop loop, BooleanSupplier isResting) {
        MemoryPoolMXBean tenured = ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getName().equals("Tenured Gen"))
                .findAny()
                .orElse(null);
        return new QuietCollection(loop, () -> tenured == null ? null : room(tenured), isResting, System::gc);
    }

    private static @Nullable Room room(MemoryPoolMXBean pool) {
        MemoryUsage last = pool.getCollectionUsage();
        MemoryUsage now = pool.getUsage();
        return last == null || last.getUsed() == 0 ? null : new Room(last.getUsed(), now.getUsed(), now.getCommitted());
    }

    /** Looks from now on. */
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
