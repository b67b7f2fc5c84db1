package io.torussm.daemon.journal;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

/** The last events, the number of events by code, and the open conditions. Any thread. */
public final class Journal {
    /** Maximum number of events. */
    public static final int CAPACITY = 1000;

    private static final int MAX_TEXT_CHARACTERS = 2000;

    private final ArrayDeque<Entry> entries = new ArrayDeque<>();
    private final Map<String, Long> counts = new HashMap<>();
    private final Conditions conditions = new Conditions();
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private long last;

    /**
     * An event.
     *
     * @param number number of the event, from 1; 0 and less for events before the start of the process
     * @param time time of the event
     * @param level {@code error}, {@code warn} or {@code info}
     * @param code event code, as in {@link io.torussm.event.SmEvent}; empty for a line without a code
     * @param text text for the operator, on one line, without the code
     * @param fields fields of the event, by the names of {@link io.torussm.event.EventField}
     */
    public record Entry(long number, Instant time, String level, String code, String text, Map<String, String> fields) {
        /** Returns code and text on one line. */
        public String line() {
            return code.isEmpty() ? text : code + " " + text;
        }

        /** Returns this event with another time. */
        Entry withTime(Instant other) {
            return new Entry(number, other, level, code, text, fields);
        }
    }

    /**
     * Adds events of previous processes in front of the present events, up to {@link #CAPACITY} in all. Their numbers
     * descend from 0 to older events. They begin no conditions and are not counted.
     *
     * @param earlier events of previous processes, the oldest first
     */
    public synchronized void addPrevious(List<Entry> earlier) {
        long number = 0;
        for (int i = earlier.size() - 1; i >= 0 && entries.size() < CAPACITY; i--) {
            Entry entry = earlier.get(i);
            entries.addFirst(
                    new Entry(number, entry.time(), entry.level(), entry.code(), entry.text(), entry.fields()));
            number--;
        }
    }

    /** Counts an event, adds its line and calls the listeners. */
    public void add(Instant time, String level, String code, String text, Map<String, String> fields) {
        Entry event = new Entry(0, time, level, code, text, fields);
        recordEvent(event);
        addLine(event);
    }

    /**
     * Counts an event, which may begin or end conditions. Its line may follow later ({@link #addLine}), be part of
     * another line, or be dropped.
     */
    public synchronized void recordEvent(Entry event) {
        counts.merge(event.code(), 1L, Long::sum);
        conditions.add(toLineEntry(event));
    }

    /**
     * Adds a line and calls the listeners.
     *
     * @return number of the line
     */
    public long addLine(Entry event) {
        long number;
        synchronized (this) {
            if (entries.size() == CAPACITY) {
                entries.removeFirst();
            }
            last++;
            number = last;
            entries.addLast(toLineEntry(event));
        }
        listeners.forEach(Runnable::run);
        return number;
    }

    /** Returns the event with the number of the last line, and with a text of limited length on one line. */
    private Entry toLineEntry(Entry event) {
        String text = event.text();
        String limited = text.length() > MAX_TEXT_CHARACTERS ? text.substring(0, MAX_TEXT_CHARACTERS) + "..." : text;
        return new Entry(
                last,
                event.time(),
                event.level(),
                event.code(),
                limited.replaceAll("[\\r\\n]+", " | "),
                shorten(event.fields()));
    }

    private static Map<String, String> shorten(Map<String, String> fields) {
        Map<String, String> limited = new LinkedHashMap<>(fields);
        limited.replaceAll((name, value) ->
                value.length() > MAX_TEXT_CHARACTERS ? value.substring(0, MAX_TEXT_CHARACTERS) + "..." : value);
        return Collections.unmodifiableMap(limited);
    }

    /** Returns the number of events with a code since the start. */
    public synchronized long count(String code) {
        return counts.getOrDefault(code, 0L);
    }

    /** Returns the open conditions, each with its last text and its first time. */
    public synchronized List<Entry> conditions() {
        return conditions.openEvents();
    }

    /** Ends the conditions of the subnet: this SM is no longer master. */
    public synchronized void mastershipEnded() {
        conditions.removeSubnetConditions();
    }

    /** Returns the number of the last event, 0 before the first. */
    public synchronized long last() {
        return last;
    }

    /** Returns the stored events with a number above the given one, the oldest first. */
    public synchronized List<Entry> after(long number) {
        List<Entry> newer = new ArrayList<>();
        for (Entry entry : entries) {
            if (entry.number() > number) {
                newer.add(entry);
            }
        }
        return newer;
    }

    /**
     * Returns a future that completes when an event has a number above the given one. A thread of the common pool
     * completes it with the number of the last event. Its cancellation ends the wait.
     */
    public CompletableFuture<Long> whenAfter(long number) {
        CompletableFuture<Long> event = new CompletableFuture<>();
        Runnable look = () -> {
            if (last() > number) {
                event.completeAsync(this::last);
            }
        };
        Runnable unlisten = listen(look);
        var unused = event.whenComplete((last, cancelled) -> unlisten.run());
        look.run();
        return event;
    }

    /** Returns the number of listeners. */
    public int listeners() {
        return listeners.size();
    }

    /**
     * Calls a listener after each added event, on the thread that added the event.
     *
     * @param listener action that must neither block nor add events
     * @return action that removes the listener
     */
    public Runnable listen(Runnable listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }
}
