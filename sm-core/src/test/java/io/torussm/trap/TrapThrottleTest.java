package io.torussm.trap;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.sim.VirtualLoop;
import io.torussm.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The pauses between actions for one source of traps, of which the first 4 are free. */
class TrapThrottleTest {
    private final VirtualLoop loop = new VirtualLoop();
    private final List<Long> actedSources = new ArrayList<>();
    private final List<Long> actedAtNs = new ArrayList<>();
    private final List<String> reports = new ArrayList<>();
    private final TrapThrottle throttle = new TrapThrottle(
            loop,
            id -> {
                actedSources.add(id);
                actedAtNs.add(loop.nowNs());
            },
            (id, count, ns) -> reports.add(id + " after " + count),
            (id, count, ns) -> reports.add(id + " is quiet"));

    private static long ms(long ms) {
        return TimeUnit.MILLISECONDS.toNanos(ms);
    }

    @Test
    void aReportedSourceIsQuietOnceAndThirtySecondsAfterItsLastEvent() {
        for (int i = 0; i < 2 * TrapThrottle.UNTHROTTLED_EVENTS; i++) {
            throttle.onEvent(7);
            throttle.onEvent(9);
            loop.runFor(i < TrapThrottle.UNTHROTTLED_EVENTS ? TrapThrottle.BURST_NS : TrapThrottle.QUIET_NS - 1);
        }
        assertThat(reports)
                .as("again while they are not quiet")
                .containsExactly(
                        "7 after 5",
                        "9 after 5",
                        "7 after 6",
                        "9 after 6",
                        "7 after 7",
                        "9 after 7",
                        "7 after 8",
                        "9 after 8");
        reports.clear();
        loop.runFor(1);
        assertThat(reports).containsExactly("7 is quiet", "9 is quiet");
        throttle.onEvent(7);
        loop.runFor(2 * TrapThrottle.QUIET_NS);
        assertThat(reports).hasSize(2);
    }

    @Test
    void letsTheFirstEventsThroughAtOnce() {
        for (int i = 0; i < TrapThrottle.UNTHROTTLED_EVENTS; i++) {
            throttle.onEvent(7);
            assertThat(actedSources).hasSize(i + 1);
        }
        assertThat(reports).isEmpty();
        assertThat(throttle.dampedEvents()).isZero();
    }

    @Test
    void increasesThePauseBetweenEventsOfASourceAndReportsItOnce() {
        for (int i = 0; i < 1000; i++) {
            throttle.onEvent(7);
            loop.runFor(ms(100));
        }
        loop.runFor(TrapThrottle.MAX_PAUSE_NS);
        assertThat(actedSources).hasSizeLessThan(30);
        assertThat(reports)
                .as("in the fifth second, then each half minute")
                .startsWith("7 after " + (10 * TrapThrottle.UNTHROTTLED_EVENTS + 1))
                .hasSize(4);
        for (int i = TrapThrottle.UNTHROTTLED_EVENTS + 2; i < actedAtNs.size(); i++) {
            long pause = actedAtNs.get(i) - actedAtNs.get(i - 1);
            assertThat(pause)
                    .isGreaterThanOrEqualTo(actedAtNs.get(i - 1) - actedAtNs.get(i - 2))
                    .isLessThanOrEqualTo(TrapThrottle.MAX_PAUSE_NS);
        }
        assertThat(throttle.dampedEvents()).isEqualTo(1000 - actedSources.size());
    }

    @Test
    void delaysNoOther() {
        for (int i = 0; i < 100; i++) {
            throttle.onEvent(7);
        }
        actedSources.clear();
        throttle.onEvent(8);
        assertThat(actedSources).containsExactly(8L);
    }

    @Test
    void forgivesQuietSources() {
        flap();
        loop.runFor(TrapThrottle.QUIET_NS + TrapThrottle.MAX_PAUSE_NS);
        actedSources.clear();
        throttle.onEvent(7);
        throttle.onEvent(7);
        assertThat(actedSources).hasSize(2);
        assertThat(reports).containsExactly("7 after 5", "7 after 10", "7 is quiet");
        flap();
        assertThat(reports).hasSize(4);
    }

    private void flap() {
        for (int i = 0; i < 10; i++) {
            throttle.onEvent(7);
            loop.runFor(TrapThrottle.BURST_NS);
        }
    }

    /** This happens when a switch with many cables comes up. */
    @Test
    void manyEventsAtOnceAreNoFlapping() {
        for (int burst = 0; burst < TrapThrottle.UNTHROTTLED_EVENTS; burst++) {
            for (int i = 0; i < 36; i++) {
                throttle.onEvent(7);
            }
            loop.runFor(TrapThrottle.BURST_NS);
        }
        assertThat(reports).isEmpty();
        throttle.onEvent(7);
        assertThat(reports).hasSize(1);
    }

    /** The last event of a source passes soon, so that its change cannot be overlooked. */
    @ParameterizedTest
    @MethodSource("io.torussm.testing.Seeds#few")
    void missesNothing(long seed) {
        Random random = Seeds.random(seed);
        long[] lastEventNs = new long[5];
        for (int i = 0; i < 300; i++) {
            int id = random.nextInt(lastEventNs.length);
            lastEventNs[id] = loop.nowNs();
            throttle.onEvent(id);
            loop.runFor(ms(random.nextInt(400)));
        }
        loop.runFor(TrapThrottle.MAX_PAUSE_NS);
        for (long id = 0; id < lastEventNs.length; id++) {
            int last = actedSources.lastIndexOf(id);
            assertThat(actedAtNs.get(last)).isGreaterThanOrEqualTo(lastEventNs[(int) id]);
        }
    }

    @Test
    void remembersABoundedNumberOfSources() {
        for (long id = 0; id < 3L * TrapThrottle.MAX_SOURCES; id++) {
            throttle.onEvent(id);
        }
        assertThat(actedSources).hasSize(3 * TrapThrottle.MAX_SOURCES);
        assertThat(throttle.sources()).isEqualTo(TrapThrottle.MAX_SOURCES);
    }
}
