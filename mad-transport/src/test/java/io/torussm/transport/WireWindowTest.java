package io.torussm.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The causes of growth and shrinkage of the window. */
class WireWindowTest {
    private static final long MS_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long TIMEOUT_NS = 200 * MS_NS;

    private static void passResponses(WireWindow window, int count, long nowNs) {
        for (int i = 0; i < count; i++) {
            window.handleResponse(nowNs, MS_NS, true, TIMEOUT_NS);
        }
    }

    @Test
    void growsByOneForEachWindowOfAnswersUpToItsLimit() {
        WireWindow window = WireWindow.adaptive(128);
        assertThat(window.size()).isEqualTo(64);
        passResponses(window, 63, 0);
        assertThat(window.size()).isEqualTo(64);
        passResponses(window, 1, 0);
        assertThat(window.size()).isEqualTo(65);
        passResponses(window, 20_000, 0);
        assertThat(window.size()).isEqualTo(128);
    }

    @Test
    void doesNotGrowAboveTheDefaultWhileAnswersQueue() {
        WireWindow window = WireWindow.adaptive(128);
        for (int i = 0; i < 20; i++) {
            window.handleResponse(0, MS_NS, false, TIMEOUT_NS);
        }
        for (int i = 0; i < 1_000; i++) {
            window.handleResponse(0, 3 * MS_NS, true, TIMEOUT_NS);
        }
        assertThat(window.size()).isEqualTo(64);
        for (int device = 0; device < 3; device++) {
            window.handleLoss(device, 0, 200 * MS_NS);
        }
        for (int i = 0; i < 1_000; i++) {
            window.handleResponse(210 * MS_NS, 3 * MS_NS, true, TIMEOUT_NS);
        }
        assertThat(window.size()).as("below it, what was lost counts").isEqualTo(48);
    }

    @Test
    void doesNotGrowWhileItIsNotUsedUp() {
        WireWindow window = WireWindow.adaptive(128);
        for (int i = 0; i < 1_000; i++) {
            window.handleResponse(0, MS_NS, false, TIMEOUT_NS);
        }
        assertThat(window.size()).isEqualTo(64);
    }

    @Test
    void halvesOnceForWhatSeveralDevicesLostTogether() {
        WireWindow window = WireWindow.adaptive(128);
        for (int device = 0; device < 50; device++) {
            window.handleLoss(device, 10 * MS_NS, 210 * MS_NS);
        }
        assertThat(window.size()).isEqualTo(32);
        assertThat(window.halvings()).isEqualTo(1);
        window.handleLoss(1, 300 * MS_NS, 500 * MS_NS);
        window.handleLoss(2, 300 * MS_NS, 500 * MS_NS);
        window.handleLoss(2, 300 * MS_NS, 500 * MS_NS);
        assertThat(window.size()).as("two devices may be dead").isEqualTo(32);
        window.handleLoss(3, 300 * MS_NS, 500 * MS_NS);
        assertThat(window.size()).isEqualTo(16);
    }

    @Test
    void lossesAtDifferentTimesHaveDifferentCauses() {
        WireWindow window = WireWindow.adaptive(128);
        for (int device = 0; device < 50; device++) {
            window.handleLoss(device, 2L * device * MS_NS, (2L * device + 200) * MS_NS);
        }
        assertThat(window.halvings()).isZero();
    }

    @Test
    void goesBackToThreeQuartersFastAndFurtherSlowly() {
        WireWindow window = WireWindow.adaptive(128);
        for (int device = 0; device < 3; device++) {
            window.handleLoss(device, 0, 200 * MS_NS);
        }
        passResponses(window, 10_000, 210 * MS_NS);
        assertThat(window.size()).isEqualTo(48);
        passResponses(window, 10_000, 400 * MS_NS);
        passResponses(window, 10_000, 599 * MS_NS);
        assertThat(window.size()).as("one in each time-out").isEqualTo(49);
        passResponses(window, 10_000, 600 * MS_NS);
        assertThat(window.size()).isEqualTo(50);
    }

    @Test
    void neverFallsBelowFourUnlessTheLimitDoes() {
        WireWindow window = WireWindow.adaptive(128);
        WireWindow narrow = WireWindow.adaptive(2);
        WireWindow fixed = WireWindow.fixed(64);
        for (long round = 1; round < 20; round++) {
            for (int device = 0; device < 3; device++) {
                window.handleLoss(device, round * 1_000 * MS_NS, (round * 1_000 + 200) * MS_NS);
                narrow.handleLoss(device, round * 1_000 * MS_NS, (round * 1_000 + 200) * MS_NS);
                fixed.handleLoss(device, round * 1_000 * MS_NS, (round * 1_000 + 200) * MS_NS);
            }
        }
        assertThat(window.size()).isEqualTo(4);
        assertThat(narrow.size()).isEqualTo(2);
        assertThat(fixed.size()).isEqualTo(64);
    }
}
