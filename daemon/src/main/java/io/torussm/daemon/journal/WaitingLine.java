package io.torussm.daemon.journal;

import ch.qos.logback.classic.spi.ILoggingEvent;
import io.torussm.event.EventField;
import io.torussm.event.LogSubject;
import io.torussm.event.SmEvent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Events of one subject that become one line, see {@link LinePace}. Not thread-safe. */
final class WaitingLine {
    /** Different texts of the subject that the line repeats. */
    private static final int MAX_TEXTS = 4;

    private final Set<String> texts = new LinkedHashSet<>();

    /** Events of other lines that this one replaces, by code. */
    private final Map<String, Replaced> replaced = new LinkedHashMap<>();

    private @Nullable ILoggingEvent last;
    private Journal.@Nullable Entry entry;
    private int count;

    /** Number and time of the first event, also of a replaced line. */
    private long first = Long.MAX_VALUE;

    private long firstMs = Long.MAX_VALUE;
    private long lastMs;
    private long order;

    /** The number of replaced events, and the text of the last; empty if it is about the same condition. */
    private record Replaced(int count, String text) {
        String words(String code) {
            return code + (count == 1 ? "" : " " + count + " times") + (text.isEmpty() ? "" : ": " + text);
        }

        Replaced and(Replaced later) {
            return new Replaced(count + later.count, later.text);
        }
    }

    /**
     * Adds an event.
     *
     * @param order number of the event among all
     */
    void add(ILoggingEvent event, Journal.Entry taken, long nowMs, long order) {
        event.prepareForDeferredProcessing();
        this.last = event;
        this.entry = taken;
        this.count++;
        this.first = Math.min(first, order);
        this.firstMs = Math.min(firstMs, nowMs);
        this.lastMs = nowMs;
        this.order = order;
        if (isSweep()) {
            texts.clear(); // the last one has the present numbers
        }
        texts.remove(taken.text());
        texts.add(taken.text());
        if (texts.size() > MAX_TEXTS) {
            texts.remove(texts.iterator().next());
        }
    }

    /** Counts the events of another line, which is dropped. Its text is kept unless it is about the same condition. */
    void replace(WaitingLine other) {
        first = Math.min(first, other.first);
        firstMs = Math.min(firstMs, other.firstMs);
        String text = isState() && isOfSameCondition(other) ? "" : other.entry().text();
        other.replaced.forEach((code, events) -> replaced.merge(code, events, Replaced::and));
        replaced.merge(other.code(), new Replaced(other.count, text), Replaced::and);
    }

    /** Checks whether the last event of one line begins the condition that the other one begins or ends. */
    boolean isOfSameCondition(WaitingLine other) {
        return Conditions.isEnd(entry(), other.entry())
                || Conditions.isEnd(other.entry(), entry())
                || Conditions.key(entry()).equals(Conditions.key(other.entry()));
    }

    boolean isState() {
        return Conditions.isState(entry());
    }

    boolean isAboutDevice() {
        return !device().isEmpty();
    }

    String device() {
        return LogSubject.device(entry().fields());
    }

    /** Returns the GUID that the last event names; empty if it names none. */
    String guid() {
        return entry().fields().getOrDefault(EventField.GUID.key(), "");
    }

    boolean isBefore(WaitingLine other) {
        return order < other.order;
    }

    private boolean isSweep() {
        return code().equals(SmEvent.SUBNET_UP.code());
    }

    String code() {
        return entry().code();
    }

    /** Returns the number of the last event. */
    long order() {
        return order;
    }

    /** Returns the number of the first event. */
    long first() {
        return first;
    }

    /** Returns the time of the first event, in ms. */
    long firstMs() {
        return firstMs;
    }

    ILoggingEvent last() {
        return Objects.requireNonNull(last);
    }

    private Journal.Entry entry() {
        return Objects.requireNonNull(entry);
    }

    /**
     * Returns code and texts, and in parentheses numbers of events and the age of the last.
     *
     * @param missing waiting lines about older events, which are counted
     */
    String text(long nowMs, Collection<WaitingLine> missing) {
        List<String> notes = new ArrayList<>();
        long ageS = TimeUnit.MILLISECONDS.toSeconds(nowMs - lastMs);
        if (count > 1 && isSweep()) {
            notes.add("the last of " + count + " sweeps" + (ageS > 0 ? ", " + ageS + " s ago" : ""));
        } else if (count > 1) {
            notes.add(count + " times, the last " + ageS + " s ago");
        } else if (ageS > 0) {
            notes.add(ageS + " s ago");
        }
        if (!replaced.isEmpty()) {
            notes.add("before that "
                    + replaced.entrySet().stream()
                            .map(each -> each.getValue().words(each.getKey()))
                            .collect(Collectors.joining(", and ")));
        }
        Map<String, Integer> toCome = new TreeMap<>();
        missing.forEach(line -> toCome.merge(line.code(), 1, Integer::sum));
        toCome.forEach(
                (code, lines) -> notes.add("still to come: " + code + (lines == 1 ? "" : " " + lines + " times")));
        String text = code() + " " + String.join("; ", texts);
        return notes.isEmpty() ? text : text + " (" + String.join("; ", notes) + ")";
    }
}
