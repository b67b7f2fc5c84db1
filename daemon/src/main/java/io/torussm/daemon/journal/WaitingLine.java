package io.torussm.daemon.journal;

import ch.qos.logback.classic.spi.ILoggingEvent;
import io.torussm.event.ClockTime;
import io.torussm.event.EventEnds;
import io.torussm.event.EventField;
import io.torussm.event.LogSubject;
import io.torussm.event.SmEvent;
import io.torussm.sweep.state.SweepWork;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Events of one subject that become one line, see {@link LinePace}. Not thread-safe. */
final class WaitingLine {
    /** Different texts of the subject that the line repeats. */
    private static final int MAX_TEXTS = 4;

    private final Set<String> texts = new LinkedHashSet<>();

    /** Words for changes that may happen repeatedly, by code. */
    private static final Map<String, String> WORDS = Map.of(
            SmEvent.HOST_GONE.code(), "gone",
            SmEvent.HOST_BACK.code(), "back",
            SmEvent.CABLE_LOST.code(), "lost",
            SmEvent.CABLE_BACK.code(), "back",
            SmEvent.SWITCH_LOST.code(), "lost",
            SmEvent.SWITCH_BACK.code(), "back",
            SmEvent.MANY_LOST.code(), "lost",
            SmEvent.MANY_BACK.code(), "back");

    /** Events of other lines that this one replaces, by code. */
    private final Map<String, Replaced> replaced = new LinkedHashMap<>();

    /** Time of the first replaced event. */
    private Instant replacedFrom = Instant.MAX;

    private @Nullable ILoggingEvent last;
    private Journal.@Nullable Entry entry;
    private int count;

    /** The work of the last sweep, and of all sweeps of this line; null if its events have no such numbers. */
    private @Nullable SweepWork lastWork;

    private @Nullable SweepWork work;

    /** Number and time of the first event, also of a replaced line. */
    private long firstNumber = Long.MAX_VALUE;

    private long firstMs = Long.MAX_VALUE;
    private Instant firstTime = Instant.MAX;
    private long lastMs;
    private long order;

    /** The number of replaced events, and the words for the last. */
    private record Replaced(int count, String summary) {
        @Override
        public String toString() {
            return summary + (count == 1 ? " once" : " " + count + " times");
        }

        Replaced plus(Replaced later) {
            return new Replaced(count + later.count, later.summary);
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
        this.firstNumber = Math.min(firstNumber, order);
        this.firstMs = Math.min(firstMs, nowMs);
        this.firstTime = earlier(firstTime, taken.time());
        this.lastMs = nowMs;
        this.order = order;
        if (isSubnetUp()) {
            texts.clear(); // the last one has the present numbers
            lastWork = work(taken);
            work = work == null || lastWork == null ? lastWork : work.plus(lastWork);
        }
        texts.remove(taken.text());
        texts.add(taken.text());
        if (texts.size() > MAX_TEXTS) {
            texts.remove(texts.iterator().next());
        }
    }

    private static @Nullable SweepWork work(Journal.Entry sweep) {
        Map<String, String> fields = sweep.fields();
        String blocks = fields.get(EventField.BLOCKS.key());
        String activated = fields.get(EventField.ACTIVATED.key());
        String smps = fields.get(EventField.SMPS.key());
        return blocks == null || activated == null || smps == null
                ? null
                : new SweepWork(Long.parseLong(blocks), Long.parseLong(activated), Long.parseLong(smps));
    }

    /** Counts the events of another line, which is dropped. Its text is kept unless it is about the same condition. */
    void replace(WaitingLine other) {
        firstNumber = Math.min(firstNumber, other.firstNumber);
        firstMs = Math.min(firstMs, other.firstMs);
        other.replaced.forEach((code, events) -> replaced.merge(code, events, Replaced::plus));
        replaced.merge(other.code(), new Replaced(other.count, words(other)), Replaced::plus);
        replacedFrom = earlier(replacedFrom, earlier(other.firstTime, other.replacedFrom));
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }

    /** Returns words for an event that is replaced; its text if it is neither common nor about the same condition. */
    private String words(WaitingLine other) {
        String words = WORDS.get(other.code());
        if (words != null) {
            return words;
        } else if (isState() && isOfSameCondition(other)) {
            return EventEnds.isEnd(other.code()) ? "ended" : "begun";
        }
        return other.entry().text();
    }

    /** Checks whether the last event of one line begins the condition that the other one begins or ends. */
    boolean isOfSameCondition(WaitingLine other) {
        return Conditions.isEnd(entry(), other.entry())
                || Conditions.isEnd(other.entry(), entry())
                || Conditions.key(entry()).equals(Conditions.key(other.entry()));
    }

    boolean isState() {
        return Conditions.isConditionEvent(entry());
    }

    boolean isAboutDevice() {
        return !device().isEmpty();
    }

    /** Returns the name of the device or port of the last event; empty if it has none. */
    String name() {
        return entry().fields().getOrDefault(EventField.NAME.key(), "");
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

    private boolean isSubnetUp() {
        return code().equals(SmEvent.SUBNET_UP.code());
    }

    String code() {
        return entry().code();
    }

    LineKey key() {
        return LineKey.of(entry());
    }

    /** Returns the number of the last event. */
    long order() {
        return order;
    }

    /** Returns the number of the first event. */
    long firstNumber() {
        return firstNumber;
    }

    /** Returns the time of the first event, in ms. */
    long firstMs() {
        return firstMs;
    }

    /** Returns the last event; that of a sweep has the numbers of all sweeps of this line. */
    ILoggingEvent last() {
        ILoggingEvent event = Objects.requireNonNull(last);
        return count == 1 || work == null ? event : LogEntries.with(event, work.fields());
    }

    /** Returns the numbers of the last sweep; if there are several sweeps, their sums. */
    private String sums(String text, Instant time) {
        return work == null || lastWork == null
                ? text
                : text.replace(
                        lastWork.toString(), work + " in " + count + " sweeps since " + ClockTime.of(firstTime, time));
    }

    private Journal.Entry entry() {
        return Objects.requireNonNull(entry);
    }

    /**
     * Returns code and texts, and in parentheses numbers and times of events.
     *
     * @param time time of the line
     * @param missing notes about older events without a line
     * @param isChanged whether the fabric has changed since the last event
     */
    String text(long nowMs, Instant time, List<String> missing, boolean isChanged) {
        List<String> notes = new ArrayList<>();
        String last = ClockTime.of(entry().time(), time);
        boolean isLate = TimeUnit.MILLISECONDS.toSeconds(nowMs - lastMs) > 0;
        if (isSubnetUp()) {
            if (count > 1 && work == null) {
                notes.add("the last of " + count + " sweeps since " + ClockTime.of(firstTime, time));
            }
            if (isLate) {
                notes.add((isChanged ? "at " : "unchanged since ") + last);
            }
        } else if (count > 1) {
            notes.add(count + " times since " + ClockTime.of(firstTime, time) + ", the last at " + last);
        } else if (isLate) {
            notes.add("at " + last);
        }
        if (!replaced.isEmpty()) {
            notes.add("not logged since " + ClockTime.of(replacedFrom, time) + ": "
                    + replaced.values().stream().map(Replaced::toString).collect(Collectors.joining(", ")));
        }
        notes.addAll(missing);
        String own = String.join("; ", texts);
        String text = code() + " " + (count > 1 && isSubnetUp() ? sums(own, time) : own);
        return notes.isEmpty() ? text : text + " (" + String.join("; ", notes) + ")";
    }
}
