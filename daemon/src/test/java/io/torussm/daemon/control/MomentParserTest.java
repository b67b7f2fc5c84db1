package io.torussm.daemon.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.torussm.daemon.Views;
import io.torussm.history.Change;
import io.torussm.view.FabricState;
import java.time.DateTimeException;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Moments of the past as operators write them. The time is 2026-11-25T09:30:00Z. */
class MomentParserTest {
    private static final Instant NOW = Instant.parse("2026-11-25T09:30:00Z");

    private final FakeControl control = new FakeControl();

    @ParameterizedTest
    @CsvSource({
        "-10m, 2026-11-25T09:20:00Z",
        "-30s, 2026-11-25T09:29:30Z",
        "-2h, 2026-11-25T07:30:00Z",
        "-3d, 2026-11-22T09:30:00Z",
        "09:30, 2026-11-25T09:30:00Z",
        "09:31, 2026-11-24T09:31:00Z",
        "09:29:59, 2026-11-25T09:29:59Z",
        "2026-11-25T09:00, 2026-11-25T09:00:00Z",
        "2026-11-25T09:00:01.5Z, 2026-11-25T09:00:01.500Z"
    })
    void timesAreUnderstood(String word, Instant expected) {
        assertThat(isAtOrAfter(word, expected)).isTrue();
        assertThat(new MomentParserTest().isAtOrAfter(word, expected.plusMillis(1)))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "-", "-10", "10m", "24:00", "2026-11-25", "-1000000d", "+1", "9:30"})
    void othersAreNot(String word) {
        assertThatThrownBy(() -> MomentParser.find(control.changes(), word, NOW))
                .isInstanceOf(DateTimeException.class);
    }

    @Test
    void withoutChangesNothingIsFound() {
        assertThat(MomentParser.find(control.changes(), "1", NOW)).isEmpty();
        assertThat(MomentParser.find(control.changes(), "-1m", NOW)).isEmpty();
    }

    /** Checks whether a moment finds the second of two states: one since 1970, and one since a time. */
    private boolean isAtOrAfter(String word, Instant time) {
        FabricState state = FabricState.of(Views.twoSwitches(), Instant.EPOCH);
        control.addChange(state, Instant.EPOCH);
        control.addChange(state, time, "since");
        return MomentParser.find(control.changes(), word, NOW)
                .map(Change::at)
                .filter(time::equals)
                .isPresent();
    }
}
