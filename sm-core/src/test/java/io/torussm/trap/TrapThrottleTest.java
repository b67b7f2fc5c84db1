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
    private final List<Long> acted = new ArrayList<>();
    private final List<Long> actedAtNs = new ArrayList<>();
    private final List<String> told = new ArrayList<>();
    private final TrapThrottle damper = new TrapThrottle(
            loop,
            id -> {
                acted.add(id);
                actedAtNs.add(loop.nowNs());
            },
            (id, count, ns) -> told.add(id + " after " + count),
            (id, count, ns) -> told.add(id + " is quiet"));

    private static long ms(long ms) {
        return TimeUnit.MILLISECONDS.toNanos(ms);
    }

    @Test
    void aReportedSourceIsQuietOnceAndThirtySecondsAfterItsLastEvent() {
        for (int i = 0; i < 2 * TrapThrottle.FREE; i++) {
            damper.happened(7);
            damper.happened(9);
            loop.runFor(i < TrapThrottle.FREE ? TrapThrottle.BURST_NS : TrapThrottle.QUIET_NS - 1);
        }
        assertThat(told)
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
        told.clear();
        loop.runFor(1);
        assertThat(told).containsExactly("7 is quiet", "9 is quiet");
        damper.happened(7);
        loop.runFor(2 * TrapThrottle.QUIET_NS);
        assertThat(told).hasSize(2);
    }

    @Test
    void letsTheFirstEventsThroughAtOnce() {
        for (int i = 0; i < TrapThrottle.FREE; i++) {
            damper.happened(7);
            assertThat(acted).hasSize(i + 1);
        }
        assertThat(told).isEmpty();
        assertThat(damper.damped()).isZero();
    }

    @Test
    void spacesTheEventsOfOneSourceEverFurtherAndReportsItOnce() {
        for (int i = 0; i < 1000; i++) {
            damper.happened(7);
            loop.runFor(ms(100));
        }
        loop.runFor(TrapThrottle.LONGEST_PAUSE_NS);
        assertThat(acted).hasSizeLessThan(30);
        assertThat(told)
                .as("in the fifth second, then each half minute")
                .startsWith("7 after " + (10 * TrapThrottle.FREE + 1))
                .hasSize(4);
        for (int i = TrapThrottle.FREE + 2; i < actedAtNs.size(); i++) {
            long pause = actedAtNs.get(i) - actedAtNs.get(i - 1);
            assertThat(pause)
                    .isGreaterThanOrEqualTo(actedAtNs.get(i - 1) - actedAtNs.get(i - 2))
                    .isLessThanOrEqualTo(TrapThrottle.LONGEST_PAUSE_NS);
        }
        assertThat(damper.damped()).isEqualTo(1000 - acted.size());
    }

    @Test
    void delaysNoOther() {
        for (int i = 0; i < 100; i++) {
            damper.happened(7);
        }
        acted.clear();
        damper.happened(8);
        assertThat(acted).containsExactly(8L);
    }

    @Test
    void forgivesQuietSources() {
        flap();
        loop.runFor(TrapThrottle.QUIET_NS + TrapThrottle.LONGEST_PAUSE_NS);
        acted.clear();
        damper.happened(7);
        damper.happened(7);
        assertThat(acted).hasSize(2);
        assertThat(told).containsExactly("7 after 5", "7 after 10", "7 is quiet");
        flap();
        assertThat(told).hasSize(4);
    }

    private void flap() {
        for (int i = 0; i < 10; i++) {
            damper.happened(7);
            loop.runFor(TrapThrottle.BURST_NS);
        }
    }

    /** This happens when a switch with many cables comes up. */
    @Test
    void manyEventsAtOnceAreNoFlapping() {
        for (int burst = 0; burst < TrapThrottle.FREE; burst++) {
            for (int i = 0; i < 36; i++) {
                damper.happened(7);
            }
            loop.runFor(TrapThrottle.BURST_NS);
        }
        assertThat(told).isEmpty();
        damper.happened(7);
        assertThat(told).hasSize(1);
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
            damper.happened(id);
            loop.runFor(ms(random.nextInt(400)));
        }
        loop.runFor(TrapThrottle.LONGEST_PAUSE_NS);
        for (long id = 0; id < lastEventNs.length; id++) {
            int last = acted.lastIndexOf(id);
            assertThat(actedAtNs.get(last)).isGreaterThanOrEqualTo(lastEventNs[(int) id]);
        }
    }

    @Test
    void remembersABoundedNumberOfSources() {
        for (long id = 0; id < 3L * TrapThrottle.MAX_SOURCES; id++) {
            damper.happened(id);
        }
        assertThat(acted).hasSize(3 * TrapThrottle.MAX_SOURCES);
        assertThat(damper.sources()).isEqualTo(TrapThrottle.MAX_SOURCES);
    }
}
