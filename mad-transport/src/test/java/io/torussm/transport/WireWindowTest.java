package io.torussm.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The causes of growth and shrinkage of the window. */
class WireWindowTest {
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long TIMEOUT = 200 * MS;

    private static void answers(WireWindow window, int count, long nowNs) {
        for (int i = 0; i < count; i++) {
            window.answered(nowNs, MS, true, TIMEOUT);
        }
    }

    @Test
    void growsByOneForEachWindowOfAnswersUpToItsLimit() {
        WireWindow window = WireWindow.adaptive(128);
        assertThat(window.size()).isEqualTo(64);
        answers(window, 63, 0);
        assertThat(window.size()).isEqualTo(64);
        answers(window, 1, 0);
        assertThat(window.size()).isEqualTo(65);
        answers(window, 20_000, 0);
        assertThat(window.size()).isEqualTo(128);
    }

    @Test
    void doesNotGrowAboveTheUsualWhileAnswersQueue() {
        WireWindow window = WireWindow.adaptive(128);
        for (int i = 0; i < 20; i++) {
            window.answered(0, MS, false, TIMEOUT);
        }
        for (int i = 0; i < 1_000; i++) {
            window.answered(0, 3 * MS, true, TIMEOUT);
        }
        assertThat(window.size()).isEqualTo(64);
        for (int device = 0; device < 3; device++) {
            window.lost(device, 0, 200 * MS);
        }
        for (int i = 0; i < 1_000; i++) {
            window.answered(210 * MS, 3 * MS, true, TIMEOUT);
        }
        assertThat(window.size()).as("below it, what was lost counts").isEqualTo(48);
    }

    @Test
    void doesNotGrowWhileItIsNotUsedUp() {
        WireWindow window = WireWindow.adaptive(128);
        for (int i = 0; i < 1_000; i++) {
            window.answered(0, MS, false, TIMEOUT);
        }
        assertThat(window.size()).isEqualTo(64);
    }

    @Test
    void halvesOnceForWhatSeveralDevicesLostTogether() {
        WireWindow window = WireWindow.adaptive(128);
        for (int device = 0; device < 50; device++) {
            window.lost(device, 10 * MS, 210 * MS);
        }
        assertThat(window.size()).isEqualTo(32);
        assertThat(window.halvings()).isEqualTo(1);
        window.lost(1, 300 * MS, 500 * MS);
        window.lost(2, 300 * MS, 500 * MS);
        window.lost(2, 300 * MS, 500 * MS);
        assertThat(window.size()).as("two devices may be dead").isEqualTo(32);
        window.lost(3, 300 * MS, 500 * MS);
        assertThat(window.size()).isEqualTo(16);
    }

    @Test
    void lossesAtDifferentTimesHaveDifferentCauses() {
        WireWindow window = WireWindow.adaptive(128);
        for (int device = 0; device < 50; device++) {
            window.lost(device, 2L * device * MS, (2L * device + 200) * MS);
        }
        assertThat(window.halvings()).isZero();
    }

    @Test
    void goesBackToThreeQuartersFastAndFurtherSlowly() {
        WireWindow window = WireWindow.adaptive(128);
        for (int device = 0; device < 3; device++) {
            window.lost(device, 0, 200 * MS);
        }
        answers(window, 10_000, 210 * MS);
        assertThat(window.size()).isEqualTo(48);
        answers(window, 10_000, 400 * MS);
        answers(window, 10_000, 599 * MS);
        assertThat(window.size()).as("one in each time-out").isEqualTo(49);
        answers(window, 10_000, 600 * MS);
        assertThat(window.size()).isEqualTo(50);
    }

    @Test
    void neverFallsBelowFourUnlessTheLimitDoes() {
        WireWindow window = WireWindow.adaptive(128);
        WireWindow narrow = WireWindow.adaptive(2);
        WireWindow fixed = WireWindow.fixed(64);
        for (long round = 1; round < 20; round++) {
            for (int device = 0; device < 3; device++) {
                window.lost(device, round * 1_000 * MS, (round * 1_000 + 200) * MS);
                narrow.lost(device, round * 1_000 * MS, (round * 1_000 + 200) * MS);
                fixed.lost(device, round * 1_000 * MS, (round * 1_000 + 200) * MS);
            }
        }
        assertThat(window.size()).isEqualTo(4);
        assertThat(narrow.size()).isEqualTo(2);
        assertThat(fixed.size()).isEqualTo(64);
    }
}
