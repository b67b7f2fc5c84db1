package io.torussm.daemon.twin;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.testing.LoggedEvents;
import org.junit.jupiter.api.Test;

/**
 * The rehearsal of failures on a twin: a sweep, then losses of cables and switches, each with its repair. After each
 * step the subnet of the twin is up, and the log of this SM has no line of it.
 */
class FailureRehearsalTest {
    private static final int FAILURES = 16;
    private static final int STEPS = 1 + 2 * FAILURES;

    @Test
    void aRehearsalBringsTheSubnetUpAfterEachStepAndLogsNothing() throws Exception {
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
