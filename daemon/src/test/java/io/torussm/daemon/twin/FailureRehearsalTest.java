package io.torussm.daemon.twin;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.testing.LoggedEvents;
import org.junit.jupiter.api.Test;

/** The rehearsal of failures: all its steps succeed, and nothing of it is in the log. */
class FailureRehearsalTest {
    /** The first sweep, 16 failures, and their repairs. */
    private static final int STEPS = 33;

    @Test
    void losesAndRestoresAgainAndAgainWithoutAWordInTheLog() throws Exception {
        try (LoggedEvents logged = new LoggedEvents().listen()) {
            FailureRehearsal rehearsal = new FailureRehearsal("torus-2QoS,no_fallback");
            int steps = 1;
            while (rehearsal.step()) {
                steps++;
            }
            assertThat(steps).isEqualTo(STEPS);
            assertThat(rehearsal.stepsWithSubnetUp()).isEqualTo(STEPS);
            assertThat(logged.all()).isEmpty();
        }
    }
}
