package io.torussm.daemon.journal;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The last events, those before them forgotten. Any thread. */
public final class Journal {
    /** Events that are kept. */
    public static final int CAPACITY = 1000;

    private static final int MAX_TEXT = 2000;

    private final ArrayDeque<Entry> entries = new ArrayDeque<>();
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private long last;

    /**
     * An event.
     *
     * @param number counted from 1
     * @param time when it happened
     * @param level {@code error}, {@code warn} or {@code info}
     * @param text for people, on one line
     */
    public record Entry(long number, Instant time, String level, String text) {}

    /** Adds an event and calls the listeners. */
    public void add(Instant time, String level, String text) {
        String shown = text.length() > MAX_TEXT ? text.substring(0, MAX_TEXT) + "..." : text;
        synchronized (this) {
            if (entries.size() == CAPACITY) {
                entries.removeFirst();
            }
            last++;
            entries.addLast(new Entry(last, time, level, shown.replaceAll("[\\r\\n]+", " | ")));
        }
        listeners.forEach(Runnable::run);
    }

    /** The number of the last event, 0 before the first. */
    public synchronized long last() {
        return last;
    }

    /** The events after one, the oldest first; those that are forgotten are not among them. */
    public synchronized List<Entry> after(long number) {
        List<Entry> after = new ArrayList<>();
        for (Entry entry : entries) {
            if (entry.number() > number) {
                after.add(entry);
            }
        }
        return after;
    }

    /**
     * Calls a listener whenever an event was added, on the thread that added it.
     *
     * @param listener must not block, nor add events itself
     * @return ends that
     */
    public Runnable listen(Runnable listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }
}
