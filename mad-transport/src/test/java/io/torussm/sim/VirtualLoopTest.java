package io.torussm.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.torussm.testing.BoundedWait;
import io.torussm.testing.Seeds;
import io.torussm.transport.Loop;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The order of tasks in virtual time, most of which are cancelled, as most time-outs are. */
class VirtualLoopTest {
    private static final int TASKS = 5_000;

    private final VirtualLoop loop = new VirtualLoop();

    @Test
    void theOrderIsThatOfTimeThenOfHandingOver() {
        Random random = Seeds.random(17);
        int[] delays = random.ints(TASKS, 0, 500).toArray();
        boolean[] isCancelled = new boolean[TASKS];
        List<Loop.Timer> timers = new ArrayList<>();
        List<Integer> ran = new ArrayList<>();
        for (int i = 0; i < TASKS; i++) {
            int number = i;
            timers.add(loop.schedule(delays[i], () -> ran.add(number)));
            int victim = random.nextInt(timers.size());
            if (random.nextInt(4) > 0) {
                timers.get(victim).cancel();
                isCancelled[victim] = true;
            }
        }
        assertThat(loop.runUntil(() -> ran.size() == TASKS, 1_000)).isFalse();
        assertThat(ran)
                .isEqualTo(IntStream.range(0, TASKS)
                        .filter(i -> !isCancelled[i])
                        .boxed()
                        .sorted(Comparator.comparing(i -> delays[i]))
                        .toList());
        assertThat(loop.taskCount()).isZero();
    }

    @Test
    void aConditionThatStaysFalseFailsTheWait() {
        List<Long> ran = new ArrayList<>();
        loop.schedule(5, () -> ran.add(loop.nowNs()));
        loop.schedule(2_000_000_000, () -> ran.add(loop.nowNs()));
        BoundedWait.until(loop, "the first task runs", () -> ran.size() == 1, 5);
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> BoundedWait.until(loop, "the second task runs", () -> ran.size() == 2, 1_000_000_000))
                .withMessage("not within 1.0 s of virtual time: the second task runs");
        assertThat(ran).containsExactly(5L);
    }

    @Test
    void cancelledTimeOutsDoNotPileUp() {
        List<Integer> ran = new ArrayList<>();
        for (int i = 0; i < TASKS; i++) {
            Loop.Timer timeout = loop.schedule(1_000_000, () -> ran.add(-1));
            loop.schedule(1, () -> ran.add(1));
            loop.runFor(1);
            timeout.cancel();
            assertThat(loop.taskCount()).isLessThan(200);
        }
        loop.runFor(2_000_000);
        assertThat(ran).hasSize(TASKS).doesNotContain(-1);
        assertThat(loop.taskCount()).isZero();
    }
}
