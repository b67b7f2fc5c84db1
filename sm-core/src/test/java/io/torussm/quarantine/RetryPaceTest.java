package io.torussm.quarantine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Light sweeps between retries of a device that keeps failing. */
class RetryPaceTest {
    private static final String DEVICE = "device";
    private final RetryPace pace = new RetryPace();

    /** Returns the light sweeps until the device is due, and retries it in vain. */
    private int sweepsUntilRetry() {
        int sweeps = 0;
        while (!pace.isDue(DEVICE)) {
            pace.countLightSweep();
            sweeps++;
        }
        pace.onRetry(Set.of(DEVICE));
        pace.onSweepEnd(Set.of(DEVICE));
        return sweeps;
    }

    @Test
    void doublesAfterEachRetryInVain() {
        assertThat(pace.isDue(DEVICE)).as("before it fails").isTrue();
        pace.onSweepEnd(Set.of(DEVICE));
        List<Integer> pauses = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            pauses.add(sweepsUntilRetry());
        }
        assertThat(pauses).containsExactly(1, 2, 4, 8, 16, 32, 64, 65);
    }

    @Test
    void beginsAgainWhenThePastIsForgotten() {
        pace.onSweepEnd(Set.of(DEVICE));
        sweepsUntilRetry();
        sweepsUntilRetry();
        pace.onSweepEnd(Set.of());
        for (int i = 0; i < 65; i++) {
            pace.countLightSweep();
        }
        pace.onSweepEnd(Set.of(DEVICE));
        assertThat(sweepsUntilRetry()).isEqualTo(1);
    }
}
