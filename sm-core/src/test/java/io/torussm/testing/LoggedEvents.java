package io.torussm.testing;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.torussm.event.EventEnds;
import io.torussm.event.EventField;
import io.torussm.event.Finding.Severity;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;
import org.slf4j.event.KeyValuePair;

/**
 * The events that TorusSM logs, with their fields, so that a test does not depend on sentences. As an
 * extension it listens during each test, otherwise from {@link #listen} until {@link #close}.
 */
public final class LoggedEvents implements BeforeEachCallback, AfterEachCallback, AutoCloseable {
    private static final Map<String, SmEvent> BY_CODE =
            Arrays.stream(SmEvent.values()).collect(Collectors.toMap(SmEvent::code, Function.identity()));

    /** The end of a condition that the start of the daemon reports, which tests of the state do not run. */
    private static final SmEvent BEGUN_BY_START = SmEvent.STATE_DIR_MADE;

    private static final Pattern LINE = Pattern.compile("(TSM-\\d{4}) (.*)");
    private static final Pattern FIELD = Pattern.compile("\\{(\\w+)}");

    private final Logger logger = (Logger) LoggerFactory.getLogger("io.torussm");
    private final List<LoggedEvent> events = new CopyOnWriteArrayList<>();

    /** The events with a condition that no later event has ended. */
    private final List<LoggedEvent> openConditions = new CopyOnWriteArrayList<>();

    /** The links that an operator's order holds down. It is no condition, but has the end of one. */
    private final List<LoggedEvent> openDrains = new CopyOnWriteArrayList<>();

    /** The ends of conditions that no earlier event began. */
    private final List<LoggedEvent> strayEnds = new CopyOnWriteArrayList<>();

    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent line) {
            add(line);
        }
    };

    /** Number of events that {@link #take} has returned. */
    private int takenCount;

    /** An event and its fields as they are shown. */
    public record LoggedEvent(SmEvent event, Map<EventField, String> fields) {
        /** Returns a field, which the event must have. */
        public String get(EventField field) {
            return Objects.requireNonNull(fields.get(field), () -> field + " of " + this);
        }

        /** Checks whether this event ends the condition of another one. */
        boolean isEndOf(LoggedEvent begin) {
            return EventEnds.isEndOf(begin.event.code(), begin.byKey(), event.code(), byKey());
        }

        private boolean isSameSubject(LoggedEvent other) {
            return EventEnds.IDENTITY.stream()
                    .allMatch(field -> Objects.equals(fields.get(field), other.fields.get(field)));
        }

        private Map<String, String> byKey() {
            return fields.entrySet().stream()
                    .collect(Collectors.toMap(field -> field.getKey().key(), Map.Entry::getValue));
        }

        /** Checks whether each of these texts is in any of the fields. */
        public boolean names(Object... texts) {
            return Arrays.stream(texts)
                    .allMatch(text -> fields.values().stream().anyMatch(value -> value.contains(text.toString())));
        }
    }

    /** Starts to listen, to INFO and above. */
    public LoggedEvents listen() {
        logger.setLevel(Level.INFO);
        appender.start();
        logger.addAppender(appender);
        return this;
    }

    @Override
    public void close() {
        logger.detachAppender(appender);
        logger.setLevel(null);
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        listen();
    }

    @Override
    public void afterEach(ExtensionContext context) {
        close();
        assertThat(strayEnds)
                .as("events that end a condition, and no event with the same subject began one")
                .isEmpty();
    }

    /** Adds the event of a line; lines of DEBUG have no code. */
    private void add(ILoggingEvent line) {
        Map<EventField, String> fields = new EnumMap<>(EventField.class);
        SmEvent event = null;
        List<KeyValuePair> pairs = line.getKeyValuePairs();
        for (KeyValuePair pair : pairs == null ? List.<KeyValuePair>of() : pairs) {
            if (pair.key.equals(EventLog.CODE)) {
                event = BY_CODE.get(String.valueOf(pair.value));
            } else {
                fields.put(field(pair.key), String.valueOf(pair.value));
            }
        }
        if (event != null) {
            LoggedEvent logged = new LoggedEvent(event, fields);
            events.add(logged);
            boolean hasEnded = openConditions.removeIf(logged::isEndOf)
                    || (event == SmEvent.LINK_NOT_HELD_DOWN && openDrains.removeIf(logged::isSameSubject));
            if (event.isEndOnly() && !hasEnded && event != BEGUN_BY_START) {
                strayEnds.add(logged);
            }
            if (!event.endCode().isEmpty()) {
                openConditions.removeIf(open -> open.event() == logged.event() && logged.isSameSubject(open));
                openConditions.add(logged);
            }
            if (event == SmEvent.LINK_HELD_DOWN_BY_DRAIN) {
                openDrains.add(logged);
            }
        }
    }

    private static EventField field(String key) {
        return EventField.valueOf(key.toUpperCase(Locale.ROOT));
    }

    /** Returns all recorded events. */
    public List<LoggedEvent> all() {
        return List.copyOf(events);
    }

    /** Returns the events with a condition that no later event has ended. */
    public List<LoggedEvent> openConditions() {
        return List.copyOf(openConditions);
    }

    /** Returns the events with a code. */
    public List<LoggedEvent> of(SmEvent event) {
        return events.stream().filter(logged -> logged.event() == event).toList();
    }

    /** Returns the events of a severity. */
    public List<LoggedEvent> of(Severity severity) {
        return events.stream()
                .filter(logged -> logged.event().severity() == severity)
                .toList();
    }

    /** Returns the only event with a code. */
    public LoggedEvent only(SmEvent event) {
        assertThat(of(event)).as("all: %s", events).hasSize(1);
        return of(event).get(0);
    }

    /** Returns the events since the last call. */
    public List<LoggedEvent> take() {
        List<LoggedEvent> all = all();
        List<LoggedEvent> fresh = all.subList(takenCount, all.size());
        takenCount += fresh.size();
        return fresh;
    }

    /** Returns the events in the text of a log, with the fields that their text shows. */
    public static List<LoggedEvent> in(String text) {
        List<LoggedEvent> found = new ArrayList<>();
        Matcher line = LINE.matcher(text);
        while (line.find()) {
            SmEvent event = Objects.requireNonNull(BY_CODE.get(line.group(1)), line.group());
            found.add(new LoggedEvent(event, shown(event, line.group(2))));
        }
        return found;
    }

    private static Map<EventField, String> shown(SmEvent event, String text) {
        List<EventField> order = FIELD.matcher(event.template())
                .results()
                .map(match -> field(match.group(1)))
                .toList();
        Matcher values = Pattern.compile(Arrays.stream(FIELD.split(event.template(), -1))
                        .map(Pattern::quote)
                        .collect(Collectors.joining("(.*)")))
                .matcher(text);
        assertThat(values.matches()).as("%s shows %s", text, event).isTrue();
        MatchResult match = values.toMatchResult();
        Map<EventField, String> fields = new EnumMap<>(EventField.class);
        for (int i = 0; i < order.size(); i++) {
            fields.put(order.get(i), match.group(i + 1));
        }
        return fields;
    }
}
