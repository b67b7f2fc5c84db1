package io.torussm.daemon.journal;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxy;
import io.torussm.event.LogSubject;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.KeyValuePair;

/**
 * A rate limit for lines of the log: one line in ten seconds for each {@link LogSubject}. The first line leaves
 * immediately. Later lines wait. At the end of the ten seconds they become one summary with the present time, their
 * texts, their number and the age of the last line.
 *
 * <p>No line overtakes another. An event that begins or ends a condition replaces each waiting line of the same
 * condition, even a due line. A line about a device replaces older waiting lines of the same device, except lines about
 * conditions. The line that leaves counts the replaced lines. So the last line about a condition or a device reports
 * the last event, and a line about a condition is true when it leaves.
 *
 * <p>{@link SmEvent#SUBNET_UP} is one subject, and confirms the previous lines. A SUBNET UP leaves immediately if
 * another line left after the last SUBNET UP, or if ten seconds have passed. Otherwise the next SUBNET UP counts the
 * event. A SUBNET UP leaves late only if a summary of older events leaves with it and the fabric has not changed since.
 * If lines about older changes of the fabric still wait, its text counts these lines.
 *
 * <p>Lines of the inventory wait for lines about older changes of the fabric, for ten seconds at most. Then their text
 * counts the missing lines. No such line leaves between the changes that a sweep reports and its SUBNET UP, because the
 * sweep may report another result.
 *
 * <p>Times never decrease from line to line, unless the clock of the host is set back. Lines without a code pass. Any
 * thread.
 */
public final class LinePace {
    /** Minimum time between two lines of one subject, in ms. */
    public static final long PAUSE_MS = 10_000;

    /** Maximum number of subjects. Beyond it, the subject whose line left first is removed. */
    private static final int MAX_SUBJECTS = 1 << 14;

    /** Difference above which an earlier time counts as a clock that was set back, and is used. */
    private static final Duration MAX_WAIT = Duration.ofSeconds(10);

    private static final Key UP = new Key(SmEvent.SUBNET_UP.code(), "");

    /** The codes of changes that alter the numbers of a summary, and what an inventory compares. */
    private static final Set<String> CHANGES = Stream.of(
                    SmEvent.HOST_GONE,
                    SmEvent.HOST_BACK,
                    SmEvent.HOSTS_CHANGED,
                    SmEvent.CABLE_LOST,
                    SmEvent.CABLE_BACK,
                    SmEvent.SWITCH_LOST,
                    SmEvent.SWITCH_BACK,
                    SmEvent.MANY_LOST,
                    SmEvent.MANY_BACK,
                    SmEvent.PARTLY_BACK)
            .map(SmEvent::code)
            .collect(Collectors.toUnmodifiableSet());

    /** The codes that compare the changed fabric with the accepted one. */
    private static final Set<String> COMPARISONS =
            Set.of(SmEvent.INVENTORY_DIFFERS.code(), SmEvent.INVENTORY_AGREES.code());

    private final LongSupplier nowMs;
    private final InstantSource clock;
    private final Consumer<Journal.Entry> happened;
    private final Consumer<ILoggingEvent> out;

    /** Time when the last line of a subject left, in ms of the monotonic clock, the earliest first. */
    private final Map<Key, Long> left = new LinkedHashMap<>();

    /** Waiting lines, by {@link Key#about}, then by code. */
    private final Map<String, Map<String, WaitingLine>> waiting = new HashMap<>();

    /** Waiting lines about conditions, by the GUID that they name; empty if they name none. */
    private final Map<String, Map<Key, WaitingLine>> states = new HashMap<>();

    /** Waiting lines about changes of the fabric, by the numbers of their first events. */
    private final NavigableMap<Long, WaitingLine> changes = new TreeMap<>();

    /** Number of the last event about a change of the fabric; -1 before the first. */
    private long lastChange = -1;

    /** The last summary of a sweep. */
    private long lastSweep = -1;

    /** True if a line left after the last {@link #UP}. */
    private boolean hasNews = true;

    private Instant lastTime = Instant.MIN;
    private long events;

    /**
     * A subject. {@code hashCode} is written by hand, because the generated one loads further classes at the start.
     *
     * @param about device, or text of an event without a device; then the identity of a condition
     */
    private record Key(String code, String about) {
        static Key of(Journal.Entry event) {
            if (event.code().equals(UP.code())) {
                return UP;
            }
            String device = LogSubject.device(event.fields());
            String about = device.isEmpty() ? event.text() : device;
            return new Key(event.code(), Conditions.isState(event) ? about + Conditions.key(event) : about);
        }

        boolean isChange() {
            return CHANGES.contains(code);
        }

        boolean isComparison() {
            return COMPARISONS.contains(code);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Key key && key.code.equals(code) && key.about.equals(about);
        }

        @Override
        public int hashCode() {
            return 31 * code.hashCode() + about.hashCode();
        }
    }

    /**
     * Creates a rate limit without waiting lines.
     *
     * @param nowMs monotonic clock, in milliseconds
     * @param clock source of the times of summaries
     * @param happened receiver of each event with a code, called immediately and before the line leaves
     * @param out receiver of the lines in their order
     */
    public LinePace(
            LongSupplier nowMs, InstantSource clock, Consumer<Journal.Entry> happened, Consumer<ILoggingEvent> out) {
        this.nowMs = nowMs;
        this.clock = clock;
        this.happened = happened;
        this.out = out;
    }

    /** Accepts a line, which leaves now, waits, or becomes part of another line. */
    public synchronized void take(ILoggingEvent event) {
        Journal.Entry entry = entry(event);
        if (entry.code().isEmpty()) {
            tick();
            emit(event, event.getInstant(), event.getFormattedMessage());
            return;
        }
        happened.accept(entry);
        Key key = Key.of(entry);
        WaitingLine previous = waiting(key);
        WaitingLine line = previous == null ? new WaitingLine() : previous;
        forget(key);
        line.add(event, entry, nowMs.getAsLong(), events++);
        if (Conditions.isState(entry)) {
            replaceStates(line);
        }
        if (key.isChange()) {
            lastChange = line.order();
            changes.put(line.first(), line); // so that no line about the inventory overtakes it
        } else if (key.equals(UP)) {
            lastSweep = line.order();
        }
        tick(); // afterwards, because a due line about the same condition is not true any more
        if (mayLeave(key, line)) {
            release(key, line, event.getInstant());
        } else {
            hold(key, line);
        }
    }

    private boolean mayLeave(Key key, WaitingLine line) {
        if (left.containsKey(key)) {
            return hasNews && key.equals(UP);
        }
        return !key.isComparison() || isReadable(line);
    }

    /** Checks whether the changes that a line of the inventory compares were reported, or it waited long enough. */
    private boolean isReadable(WaitingLine comparison) {
        long ageMs = nowMs.getAsLong() - comparison.firstMs();
        boolean isOutdated = comparison.order() < lastChange && lastSweep < lastChange;
        return isOutdated
                ? ageMs >= 2 * PAUSE_MS // the sweep failed
                : ageMs >= PAUSE_MS || older(comparison).isEmpty();
    }

    /** Returns the waiting lines about changes of the fabric that began before an event. */
    private Map<Long, WaitingLine> older(WaitingLine line) {
        return changes.headMap(line.order(), false);
    }

    /**
     * Returns an event in the form of the journal.
     *
     * @return event with number 0; its code is empty if the line has no code
     */
    public static Journal.Entry entry(ILoggingEvent event) {
        Map<String, String> fields = new LinkedHashMap<>();
        List<KeyValuePair> pairs = event.getKeyValuePairs();
        if (pairs != null) {
            pairs.forEach(pair -> fields.put(pair.key, String.valueOf(pair.value)));
        }
        String code = fields.remove(EventLog.CODE);
        String text = event.getFormattedMessage();
        return new Journal.Entry(
                0,
                Instant.ofEpochMilli(event.getTimeStamp()),
                event.getLevel().toString().toLowerCase(Locale.ROOT),
                code == null ? "" : code,
                code == null ? text : text.substring(code.length() + 1),
                fields);
    }

    private @Nullable WaitingLine waiting(Key key) {
        return waiting.getOrDefault(key.about(), Map.of()).get(key.code());
    }

    private void hold(Key key, WaitingLine line) {
        waiting.computeIfAbsent(key.about(), about -> new LinkedHashMap<>()).put(key.code(), line);
        if (line.isState()) {
            states.computeIfAbsent(line.guid(), guid -> new LinkedHashMap<>()).put(key, line);
        }
    }

    private void forget(Key key) {
        WaitingLine line = waiting(key);
        if (line == null) {
            return;
        }
        changes.remove(line.first());
        waiting.computeIfPresent(key.about(), (about, lines) -> without(key.code(), lines));
        states.computeIfPresent(line.guid(), (guid, lines) -> without(key, lines));
    }

    private static <K> @Nullable Map<K, WaitingLine> without(K key, Map<K, WaitingLine> lines) {
        lines.remove(key);
        return lines.isEmpty() ? null : lines;
    }

    private void replaceStates(WaitingLine line) {
        List<Key> replaced = new ArrayList<>();
        for (Map<Key, WaitingLine> lines : statesNear(line.guid())) {
            lines.forEach((key, other) -> {
                if (other != line && line.isOfSameCondition(other)) {
                    replaced.add(key);
                    line.replace(other);
                }
            });
        }
        replaced.forEach(this::forget);
    }

    /**
     * Returns waiting lines that may be about the same condition: their GUID is equal or empty, or the given GUID is
     * empty.
     */
    private Collection<Map<Key, WaitingLine>> statesNear(String guid) {
        return guid.isEmpty()
                ? states.values()
                : List.of(states.getOrDefault(guid, Map.of()), states.getOrDefault("", Map.of()));
    }

    /** Emits a line, which replaces older waiting lines of the same device. */
    private void release(Key key, WaitingLine line, Instant time) {
        forget(key);
        changes.remove(line.first());
        if (line.isAboutDevice()) {
            List<WaitingLine> ofDevice =
                    List.copyOf(waiting.getOrDefault(line.device(), Map.of()).values());
            ofDevice.stream().filter(other -> other.isBefore(line)).forEach(other -> {
                line.replace(other);
                forget(new Key(other.code(), line.device()));
            });
        }
        left.remove(key);
        left.put(key, nowMs.getAsLong());
        hasNews = !key.equals(UP);
        boolean isOfFabric = key.equals(UP) || key.isComparison();
        emit(
                line.last(),
                time,
                line.text(nowMs.getAsLong(), isOfFabric ? older(line).values() : List.of()));
        if (left.size() > MAX_SUBJECTS) {
            releaseFirst(leftMs -> left.size() > MAX_SUBJECTS);
        }
    }

    private void emit(ILoggingEvent event, Instant time, String text) {
        boolean isSetBack = time.plus(MAX_WAIT).isBefore(lastTime);
        lastTime = isSetBack || time.isAfter(lastTime) ? time : lastTime;
        boolean isSame = lastTime.equals(event.getInstant()) && text.equals(event.getFormattedMessage());
        out.accept(isSame ? event : copy(event, lastTime, text));
    }

    /** Returns a copy of a line with another time and text. */
    public static LoggingEvent copy(ILoggingEvent event, Instant time, String text) {
        LoggingEvent copy = new LoggingEvent();
        copy.setLoggerName(event.getLoggerName());
        copy.setLevel(event.getLevel());
        copy.setThreadName(event.getThreadName());
        copy.setInstant(time);
        copy.setMessage(text);
        if (event.getKeyValuePairs() != null) {
            copy.setKeyValuePairs(new ArrayList<>(event.getKeyValuePairs()));
        }
        copy.setMDCPropertyMap(Map.of());
        if (event.getThrowableProxy() instanceof ThrowableProxy cause) {
            copy.setThrowableProxy(cause);
        }
        return copy;
    }

    /** Emits due summaries. To be called every second. */
    public synchronized void tick() {
        long beforeMs = nowMs.getAsLong() - PAUSE_MS;
        releaseFirst(leftMs -> leftMs <= beforeMs);
    }

    /** Emits all waiting lines. */
    public synchronized void flush() {
        releaseFirst(leftMs -> true);
        for (Key key : new Key[] {waitingComparison(), UP}) {
            WaitingLine line = key == null ? null : waiting(key);
            if (line != null) {
                release(key, line, clock.instant());
            }
        }
    }

    /**
     * Removes due subjects, the earliest first. Emits their summaries in the order of events, and lines that waited for
     * these.
     *
     * @param isDue test of the time when the last line of a subject left, in ms
     */
    private void releaseFirst(Predicate<Long> isDue) {
        List<Key> due = new ArrayList<>();
        while (!left.isEmpty()) {
            Map.Entry<Key, Long> eldest = left.entrySet().iterator().next();
            if (!isDue.test(eldest.getValue())) {
                break;
            }
            left.remove(eldest.getKey());
            due.add(eldest.getKey());
        }
        due.removeIf(key -> key.equals(UP) || waiting(key) == null);
        Key comparison = waitingComparison();
        if (comparison != null && !due.contains(comparison)) {
            due.add(comparison);
        }
        if (due.isEmpty()) {
            return;
        }
        if (waiting(UP) != null) {
            due.add(UP);
        }
        due.sort(Comparator.comparingLong(this::order));
        boolean hasReleased = false;
        for (Key key : due) {
            hasReleased |= releaseIfInOrder(key, hasReleased);
            hasReleased |= comparison != null && releaseIfInOrder(comparison, hasReleased);
        }
    }

    /** Passes on a due line unless it has left, or has to wait for others; returns whether it left. */
    private boolean releaseIfInOrder(Key key, boolean hasReleased) {
        WaitingLine line = waiting(key);
        if (line == null || !isInOrder(key, line, hasReleased)) {
            return false;
        }
        release(key, line, clock.instant());
        return true;
    }

    /** Checks whether a line that is due can leave: a summary of a sweep follows others, a comparison its changes. */
    private boolean isInOrder(Key key, WaitingLine line, boolean hasReleased) {
        if (key.equals(UP)) {
            return hasReleased && lastChange < line.order();
        }
        return !key.isComparison() || (!left.containsKey(key) && isReadable(line));
    }

    private @Nullable Key waitingComparison() {
        return states.getOrDefault("", Map.of()).keySet().stream()
                .filter(Key::isComparison)
                .findFirst()
                .orElse(null);
    }

    private long order(Key key) {
        WaitingLine line = waiting(key);
        return line == null ? 0 : line.order();
    }
}
