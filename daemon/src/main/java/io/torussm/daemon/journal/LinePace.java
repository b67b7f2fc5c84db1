package io.torussm.daemon.journal;

import ch.qos.logback.classic.spi.ILoggingEvent;
import io.torussm.event.SmEvent;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A rate limit for lines of the log: one line in ten seconds for each {@link LineKey}. The first line leaves
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
 * sweep may report another result. If SUBNET UP does not follow within a minute, the line leaves; while changes
 * continue, after two minutes.
 *
 * <p>Lines about losses and returns of a flapping link wait until it is quiet ({@link FlappingPorts}). The line that
 * reports the end of the flapping counts them. The last of them follows it if the log shows another state of the link,
 * also if it waited before the flapping was reported.
 *
 * <p>Times never decrease from line to line, unless the clock of the host is set back. Lines without a code pass. Any
 * thread.
 */
public final class LinePace {
    /** Minimum time between two lines of one subject, in ms. */
    public static final long PAUSE_MS = 10_000;

    /** Maximum time between the changes that a sweep reports and its SUBNET UP, in ms. */
    private static final long MAX_SWEEP_MS = 60_000;

    /** Maximum number of subjects. Beyond it, the subject whose line left first is removed. */
    private static final int MAX_SUBJECTS = 1 << 14;

    /** Difference above which an earlier time counts as a clock that was set back, and is used. */
    private static final Duration CLOCK_SET_BACK_THRESHOLD = Duration.ofSeconds(10);

    private final LongSupplier nowMs;
    private final InstantSource clock;
    private final Consumer<Journal.Entry> onEvent;
    private final Consumer<ILoggingEvent> out;

    /** Time when the last line of a subject left, in ms of the monotonic clock, the earliest first. */
    private final Map<LineKey, Long> lastLineMs = new LinkedHashMap<>();

    /** Waiting lines, by {@link LineKey#about}, then by code. */
    private final Map<String, Map<String, WaitingLine>> waiting = new HashMap<>();

    /** Waiting lines about conditions, by the GUID that they name; empty if they name none. */
    private final Map<String, Map<LineKey, WaitingLine>> states = new HashMap<>();

    /** Waiting lines about changes of the fabric, by the numbers of their first events. */
    private final NavigableMap<Long, WaitingLine> changes = new TreeMap<>();

    private final FlappingPorts flapping = new FlappingPorts();

    /** Number of the last event about a change of the fabric; -1 before the first. */
    private long lastChange = -1;

    /** Time of this event, in ms. */
    private long lastChangeMs;

    /** The last summary of a sweep. */
    private long lastSweep = -1;

    /** True if a line left after the last {@link LineKey#UP}. */
    private boolean hasNewLines = true;

    private Instant lastTime = Instant.MIN;
    private long events;

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
        this.onEvent = happened;
        this.out = out;
    }

    /** Accepts a line, which leaves now, waits, or becomes part of another line. */
    public synchronized void take(ILoggingEvent event) {
        Journal.Entry entry = LogEntries.entry(event);
        if (entry.code().isEmpty()) {
            emitDue();
            emit(event, event.getInstant(), event.getFormattedMessage());
            return;
        }
        onEvent.accept(entry);
        LineKey key = LineKey.of(entry);
        WaitingLine previous = waiting(key);
        WaitingLine line = previous == null ? new WaitingLine() : previous;
        forget(key);
        line.add(event, entry, nowMs.getAsLong(), events++);
        if (Conditions.isConditionEvent(entry)) {
            replaceStates(line);
        }
        if (key.isChange()) {
            lastChange = line.order();
            lastChangeMs = nowMs.getAsLong();
            changes.put(line.firstNumber(), line); // so that no line about the inventory overtakes it
        } else if (key.equals(LineKey.UP)) {
            lastSweep = line.order();
        }
        boolean isQuiet = entry.code().equals(SmEvent.LINK_QUIET.code());
        if (!isQuiet) {
            flapping.happened(entry, nowMs.getAsLong());
        }
        emitDue(); // afterwards, because a due line about the same condition is not true any more
        boolean hasLeft = canEmit(key, line);
        if (hasLeft) {
            emitLine(key, line, event.getInstant());
        } else {
            addWaiting(key, line);
        }
        if (isQuiet) {
            flapping.happened(entry, nowMs.getAsLong());
            releaseInOrder(flapping.released(nowMs.getAsLong()), hasLeft);
        }
    }

    private boolean canEmit(LineKey key, WaitingLine line) {
        if (flapping.isFlapping(line, nowMs.getAsLong())) {
            return false;
        } else if (lastLineMs.containsKey(key)) {
            return hasNewLines && key.equals(LineKey.UP);
        }
        return !key.isComparison() || isComparisonDue(line);
    }

    /** Checks whether the changes that a line of the inventory compares were reported, or it waited long enough. */
    private boolean isComparisonDue(WaitingLine comparison) {
        long ageMs = nowMs.getAsLong() - comparison.firstMs();
        boolean isUnswept = comparison.order() < lastChange && lastSweep < lastChange;
        boolean isSweepLate = nowMs.getAsLong() - lastChangeMs >= MAX_SWEEP_MS || ageMs >= 2 * MAX_SWEEP_MS;
        return isUnswept
                ? isSweepLate // it failed, or is longer than usual
                : ageMs >= PAUSE_MS || older(comparison).isEmpty();
    }

    /** Returns the waiting lines about changes of the fabric that began before an event. */
    private Map<Long, WaitingLine> older(WaitingLine line) {
        return changes.headMap(line.order(), false);
    }

    private @Nullable WaitingLine waiting(LineKey key) {
        return waiting.getOrDefault(key.about(), Map.of()).get(key.code());
    }

    private void addWaiting(LineKey key, WaitingLine line) {
        waiting.computeIfAbsent(key.about(), about -> new LinkedHashMap<>()).put(key.code(), line);
        if (line.isState()) {
            states.computeIfAbsent(line.guid(), guid -> new LinkedHashMap<>()).put(key, line);
        }
        if (flapping.isFlapping(line, nowMs.getAsLong())) {
            holdBack(key, line);
        }
    }

    /** Holds a line until its link is quiet. Older lines about the link no longer report its state. */
    private void holdBack(LineKey key, WaitingLine line) {
        changes.remove(line.firstNumber());
        replaceAll(line, changesOf(line.device()).filter(other -> other.isBefore(line)));
        changes.put(line.firstNumber(), line);
        flapping.hold(key, line);
    }

    private void forget(LineKey key) {
        WaitingLine line = waiting(key);
        if (line == null) {
            return;
        }
        changes.remove(line.firstNumber());
        waiting.computeIfPresent(key.about(), (about, lines) -> without(key.code(), lines));
        states.computeIfPresent(line.guid(), (guid, lines) -> without(key, lines));
    }

    private static <K> @Nullable Map<K, WaitingLine> without(K key, Map<K, WaitingLine> lines) {
        lines.remove(key);
        return lines.isEmpty() ? null : lines;
    }

    private void replaceStates(WaitingLine line) {
        List<LineKey> replaced = new ArrayList<>();
        for (Map<LineKey, WaitingLine> lines : statesNear(line.guid())) {
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
    private Collection<Map<LineKey, WaitingLine>> statesNear(String guid) {
        return guid.isEmpty()
                ? states.values()
                : List.of(states.getOrDefault(guid, Map.of()), states.getOrDefault("", Map.of()));
    }

    /** Emits a line, which replaces older waiting lines of the same device. */
    private void emitLine(LineKey key, WaitingLine line, Instant time) {
        forget(key);
        changes.remove(line.firstNumber());
        if (line.isAboutDevice()) {
            WaitingLine news = FlappingPorts.isReport(line) ? news(line.device()) : null;
            Stream<WaitingLine> older = waiting.getOrDefault(line.device(), Map.of()).values().stream()
                    .filter(other -> other.isBefore(line));
            Stream<WaitingLine> held =
                    line.code().equals(SmEvent.LINK_QUIET.code()) ? held(line.device()) : Stream.empty();
            replaceAll(line, Stream.concat(older, held).filter(other -> other != news)); // news follow
        }
        flapping.left(line);
        lastLineMs.remove(key);
        lastLineMs.put(key, nowMs.getAsLong());
        hasNewLines = !key.equals(LineKey.UP);
        boolean isOfFabric = key.equals(LineKey.UP) || key.isComparison();
        boolean isChanged = lastChange > line.order();
        emit(line.last(), time, line.text(nowMs.getAsLong(), time, isOfFabric ? missing(line) : List.of(), isChanged));
        if (lastLineMs.size() > MAX_SUBJECTS) {
            emitDueSubjects(leftMs -> lastLineMs.size() > MAX_SUBJECTS);
        }
    }

    /** Returns the last waiting line about a link if the log shows another state of the link; otherwise null. */
    private @Nullable WaitingLine news(String device) {
        return changesOf(device)
                .max(Comparator.comparingLong(WaitingLine::order))
                .filter(flapping::isNews)
                .orElse(null);
    }

    /** Returns the waiting lines about losses and returns of a link; conditions only if they are held. */
    private Stream<WaitingLine> changesOf(String device) {
        return Stream.concat(waiting.getOrDefault(device, Map.of()).values().stream(), held(device))
                .filter(FlappingPorts::isChange);
    }

    /** Returns the lines that wait because the link of a port flaps. */
    private Stream<WaitingLine> held(String device) {
        return flapping.held(device).stream().map(this::waiting).filter(Objects::nonNull);
    }

    private void replaceAll(WaitingLine line, Stream<WaitingLine> others) {
        others.distinct().toList().forEach(other -> {
            line.replace(other);
            forget(other.key());
        });
    }

    /** Returns notes about lines with older changes that are not in the log. */
    private List<String> missing(WaitingLine line) {
        Collection<WaitingLine> older = older(line).values();
        List<WaitingLine> flaps = older.stream()
                .filter(other -> flapping.isFlapping(other, nowMs.getAsLong()))
                .toList();
        int others = older.size() - flaps.size();
        List<String> notes = new ArrayList<>();
        if (!flaps.isEmpty()) {
            notes.add(
                    flaps.size() == 1
                            ? "1 link flaps" + FlappingPorts.state(flaps.get(0))
                            : flaps.size() + " links flap");
        }
        if (others > 0) {
            notes.add(others == 1 ? "1 older change has no line yet" : others + " older changes have no line yet");
        }
        return notes;
    }

    private void emit(ILoggingEvent event, Instant time, String text) {
        boolean isSetBack = time.plus(CLOCK_SET_BACK_THRESHOLD).isBefore(lastTime);
        lastTime = isSetBack || time.isAfter(lastTime) ? time : lastTime;
        boolean isSame = lastTime.equals(event.getInstant()) && text.equals(event.getFormattedMessage());
        out.accept(isSame ? event : LogEntries.copy(event, lastTime, text));
    }

    /** Emits due summaries. To be called every second. */
    public synchronized void emitDue() {
        long beforeMs = nowMs.getAsLong() - PAUSE_MS;
        emitDueSubjects(leftMs -> leftMs <= beforeMs);
    }

    /** Emits all waiting lines. */
    public synchronized void flush() {
        flapping.clear();
        emitDueSubjects(leftMs -> true);
        for (LineKey key : new LineKey[] {waitingComparison(), LineKey.UP}) {
            WaitingLine line = key == null ? null : waiting(key);
            if (line != null) {
                emitLine(key, line, clock.instant());
            }
        }
    }

    /**
     * Removes due subjects, the earliest first. Emits their summaries in the order of events, and lines that waited for
     * these.
     *
     * @param isDue test of the time when the last line of a subject left, in ms
     */
    private void emitDueSubjects(Predicate<Long> isDue) {
        List<LineKey> due = new ArrayList<>();
        while (!lastLineMs.isEmpty()) {
            Map.Entry<LineKey, Long> eldest = lastLineMs.entrySet().iterator().next();
            if (!isDue.test(eldest.getValue())) {
                break;
            }
            lastLineMs.remove(eldest.getKey());
            due.add(eldest.getKey());
        }
        due.addAll(flapping.released(nowMs.getAsLong()));
        releaseInOrder(due, false);
    }

    /**
     * Emits waiting lines in the order of events, lines that waited for these, and the summary of a sweep after them.
     *
     * @param isAfterLine true if a line has left that a waiting summary confirms
     */
    private void releaseInOrder(Collection<LineKey> subjects, boolean isAfterLine) {
        List<LineKey> due = new ArrayList<>(subjects);
        due.removeIf(key -> key.equals(LineKey.UP) || waiting(key) == null || lastLineMs.containsKey(key));
        LineKey comparison = waitingComparison();
        if (comparison != null && !due.contains(comparison)) {
            due.add(comparison);
        }
        if (due.isEmpty() && !isAfterLine) {
            return;
        }
        if (waiting(LineKey.UP) != null) {
            due.add(LineKey.UP);
        }
        due.sort(Comparator.comparingLong(this::order));
        boolean hasReleased = isAfterLine;
        for (LineKey key : due) {
            hasReleased |= emitIfInOrder(key, hasReleased);
            hasReleased |= comparison != null && emitIfInOrder(comparison, hasReleased);
        }
    }

    /** Passes on a due line unless it has left, or has to wait for others; returns whether it left. */
    private boolean emitIfInOrder(LineKey key, boolean hasReleased) {
        WaitingLine line = waiting(key);
        if (line == null || !isInOrder(key, line, hasReleased)) {
            return false;
        }
        if (flapping.isFlapping(line, nowMs.getAsLong())) {
            holdBack(key, line);
            return false;
        }
        emitLine(key, line, clock.instant());
        return true;
    }

    /** Checks whether a line that is due can leave: a summary of a sweep follows others, a comparison its changes. */
    private boolean isInOrder(LineKey key, WaitingLine line, boolean hasReleased) {
        if (key.equals(LineKey.UP)) {
            return hasReleased && lastChange < line.order();
        }
        return !key.isComparison() || (!lastLineMs.containsKey(key) && isComparisonDue(line));
    }

    private @Nullable LineKey waitingComparison() {
        return states.getOrDefault("", Map.of()).keySet().stream()
                .filter(LineKey::isComparison)
                .findFirst()
                .orElse(null);
    }

    private long order(LineKey key) {
        WaitingLine line = waiting(key);
        return line == null ? 0 : line.order();
    }
}
