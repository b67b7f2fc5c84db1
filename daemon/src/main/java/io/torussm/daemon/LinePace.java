package io.torussm.daemon;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxy;
import io.torussm.event.Subject;
import io.torussm.event.log.EventLog;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.KeyValuePair;

/**
 * Lets a line of the log through unless one of its {@link Subject} went through less than ten seconds ago; then it waits for the
 * end of that time, and all that waits by then is one line, with all that they say and how many they were. So nothing is lost,
 * the last word is that of the last event, and no device fills the log. Lines without a code pass. Any thread.
 */
final class LinePace {
    /** Between two lines of one subject. */
    static final long PAUSE_MS = 10_000;

    /** Subjects that are remembered; beyond this the line that went through first is forgotten. */
    private static final int MAX_SUBJECTS = 1 << 14;

    /** Different texts of one subject that its line repeats. */
    private static final int MAX_TEXTS = 4;

    private final LongSupplier nowMs;
    private final Consumer<ILoggingEvent> out;
    private final Consumer<String> onRepeated;

    /** By subject, in the order in which their last lines went through. */
    private final Map<String, Waiting> subjects = new LinkedHashMap<>();

    /** What waits of one subject. */
    private static final class Waiting {
        final long sinceMs;
        final Set<String> texts = new LinkedHashSet<>();
        int count;

        @Nullable
        ILoggingEvent last;

        Waiting(long sinceMs) {
            this.sinceMs = sinceMs;
        }
    }

    /**
     * Nothing waits.
     *
     * @param nowMs a clock in milliseconds
     * @param out takes the lines
     * @param onRepeated takes the codes of events that are counted in the line of another one
     */
    LinePace(LongSupplier nowMs, Consumer<ILoggingEvent> out, Consumer<String> onRepeated) {
        this.nowMs = nowMs;
        this.out = out;
        this.onRepeated = onRepeated;
    }

    /** Takes a line. */
    synchronized void take(ILoggingEvent event) {
        tick();
        Map<String, String> fields = fields(event);
        String code = fields.remove(EventLog.CODE);
        if (code == null) {
            out.accept(event);
            return;
        }
        String subject = Subject.of(code, fields, event.getFormattedMessage());
        Waiting waiting = subjects.get(subject);
        if (waiting == null) {
            pass(subject, event);
            return;
        }
        if (waiting.count > 0) {
            onRepeated.accept(code);
        }
        event.prepareForDeferredProcessing();
        waiting.count++;
        waiting.last = event;
        String text = event.getFormattedMessage().substring(code.length() + 1);
        waiting.texts.remove(text);
        waiting.texts.add(text);
        if (waiting.texts.size() > MAX_TEXTS) {
            waiting.texts.remove(waiting.texts.iterator().next());
        }
    }

    private static Map<String, String> fields(ILoggingEvent event) {
        Map<String, String> fields = new HashMap<>();
        List<KeyValuePair> pairs = event.getKeyValuePairs();
        if (pairs != null) {
            pairs.forEach(pair -> fields.put(pair.key, String.valueOf(pair.value)));
        }
        return fields;
    }

    private void pass(String subject, ILoggingEvent event) {
        subjects.put(subject, new Waiting(nowMs.getAsLong()));
        if (subjects.size() > MAX_SUBJECTS) {
            letThrough(waiting -> subjects.size() > MAX_SUBJECTS).values().forEach(out);
        }
        out.accept(event);
    }

    /** Lines whose time has come go through; to be called every second. */
    synchronized void tick() {
        long beforeMs = nowMs.getAsLong() - PAUSE_MS;
        letThrough(waiting -> waiting.sinceMs <= beforeMs).forEach(this::pass);
    }

    /** All that waits goes through. */
    synchronized void flush() {
        letThrough(waiting -> true).values().forEach(out);
    }

    /** Forgets subjects, the first ones first, as long as that holds; returns the lines of those of which something waits. */
    private Map<String, ILoggingEvent> letThrough(Predicate<Waiting> isDue) {
        Map<String, ILoggingEvent> due = new LinkedHashMap<>();
        Iterator<Map.Entry<String, Waiting>> eldest = subjects.entrySet().iterator();
        while (eldest.hasNext()) {
            Map.Entry<String, Waiting> next = eldest.next();
            ILoggingEvent last = next.getValue().last;
            if (!isDue.test(next.getValue())) {
                break;
            }
            eldest.remove();
            if (last != null) {
                due.put(next.getKey(), line(next.getValue(), last));
            }
        }
        return due;
    }

    /** One line for all that waits of a subject. */
    private static ILoggingEvent line(Waiting waiting, ILoggingEvent last) {
        String code = fields(last).get(EventLog.CODE);
        String text = String.join("; ", waiting.texts);
        LoggingEvent line = new LoggingEvent();
        line.setLoggerName(last.getLoggerName());
        line.setLevel(last.getLevel());
        line.setThreadName(last.getThreadName());
        line.setInstant(last.getInstant());
        line.setMessage(code + " " + text + (waiting.count == 1 ? "" : " (" + waiting.count + " times within 10 s)"));
        line.setKeyValuePairs(last.getKeyValuePairs());
        line.setMDCPropertyMap(Map.of());
        if (last.getThrowableProxy() instanceof ThrowableProxy cause) {
            line.setThrowableProxy(cause);
        }
        return line;
    }
}
