package io.torussm.daemon.twin;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.testing.LoggedEvents;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rehearsal of takeovers with several engines: all six succeed, and nothing of it is in the log. */
class StandbyRehearsalTest {
    @ParameterizedTest
    @ValueSource(strings = {"torus-2QoS", "torus-2QoS,no_fallback", "minhop", "lash"})
    void takesOverAgainAndAgainWithoutAWordInTheLog(String engines) throws Exception {
        try (LoggedEvents logged = new LoggedEvents().listen()) {
            assertThat(StandbyRehearsal.run(engines, () -> true)).isEqualTo(6);
            assertThat(logged.all()).isEmpty();
        }
    }

    @Test
    void endsAtOnceWhenItIsNotWantedAnyMore() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        assertThat(StandbyRehearsal.run("torus-2QoS", () -> asked.incrementAndGet() < 10))
                .isZero();
        assertThat(asked.get()).isLessThan(20);
    }
}
