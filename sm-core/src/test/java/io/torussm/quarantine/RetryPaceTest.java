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
    private int retried() {
        int sweeps = 0;
        while (!pace.isDue(DEVICE)) {
            pace.tick();
            sweeps++;
        }
        pace.retried(Set.of(DEVICE));
        pace.ended(Set.of(DEVICE));
        return sweeps;
    }

    @Test
    void doublesAfterEachRetryInVain() {
        assertThat(pace.isDue(DEVICE)).as("before it fails").isTrue();
        pace.ended(Set.of(DEVICE));
        List<Integer> pauses = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            pauses.add(retried());
        }
        assertThat(pauses).containsExactly(1, 2, 4, 8, 16, 32, 64, 65);
    }

    @Test
    void beginsAgainWhenThePastIsForgotten() {
        pace.ended(Set.of(DEVICE));
        retried();
        retried();
        pace.ended(Set.of());
        for (int i = 0; i < 65; i++) {
            pace.tick();
        }
        pace.ended(Set.of(DEVICE));
        assertThat(retried()).isEqualTo(1);
    }
}
