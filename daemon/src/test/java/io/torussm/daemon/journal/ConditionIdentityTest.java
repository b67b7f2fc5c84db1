package io.torussm.daemon.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.EventEnds;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Pairs of all events: a condition is ended by the event that the reference names, and only about the same subject. */
class ConditionIdentityTest {
    static Stream<SmEvent> begins() {
        return Arrays.stream(SmEvent.values()).filter(event -> !event.endCode().isEmpty());
    }

    private static SmEvent endOf(SmEvent begin) {
        return Objects.requireNonNull(SmEvent.ofCode(begin.endCode()));
    }

    /** Returns identifying fields with values that are the same for all events. */
    private static Map<String, String> identity(SmEvent event) {
        Map<String, String> fields = new HashMap<>();
        EventEnds.IDENTITY.stream()
                .filter(event.fields()::contains)
                .forEach(field -> fields.put(field.key(), "same " + field));
        return fields;
    }

    private static List<EventField> common(SmEvent begin) {
        return EventEnds.IDENTITY.stream()
                .filter(field ->
                        begin.fields().contains(field) && endOf(begin).fields().contains(field))
                .toList();
    }

    private static boolean ends(SmEvent begin, Map<String, String> begun, SmEvent end, Map<String, String> ended) {
        Conditions conditions = new Conditions();
        conditions.add(entry(begin, begun));
        assertThat(conditions.openEvents()).hasSize(1);
        conditions.add(entry(end, ended));
        return conditions.openEvents().stream().noneMatch(open -> open.code().equals(begin.code()));
    }

    private static Journal.Entry entry(SmEvent event, Map<String, String> fields) {
        return new Journal.Entry(0, Instant.EPOCH, event.severity().level(), event.code(), event.name(), fields);
    }

    @ParameterizedTest
    @MethodSource("begins")
    void noOtherEventEndsACondition(SmEvent begin) {
        for (SmEvent event : SmEvent.values()) {
            assertThat(ends(begin, identity(begin), event, identity(event)))
                    .as("%s ends %s", event, begin)
                    .isEqualTo(event.code().equals(begin.endCode()));
        }
    }

    /** A subject with a port, or with an attribute, is another one than its whole device. */
    @ParameterizedTest
    @MethodSource("begins")
    void anEndAboutAnotherSubjectEndsNoCondition(SmEvent begin) {
        for (EventField field : common(begin)) {
            Map<String, String> other = identity(endOf(begin));
            other.put(field.key(), "other");
            Map<String, String> absent = identity(endOf(begin));
            absent.remove(field.key());
            Map<String, String> without = identity(begin);
            without.remove(field.key());
            assertThat(ends(begin, identity(begin), endOf(begin), other))
                    .as("another %s", field)
                    .isFalse();
            assertThat(ends(begin, identity(begin), endOf(begin), absent))
                    .as("no %s at the end", field)
                    .isFalse();
            assertThat(ends(begin, without, endOf(begin), identity(endOf(begin))))
                    .as("no %s", field)
                    .isFalse();
            assertThat(ends(begin, without, endOf(begin), absent))
                    .as("no %s in both", field)
                    .isTrue();
        }
    }
}
