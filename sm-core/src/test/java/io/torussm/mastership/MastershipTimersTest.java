package io.torussm.mastership;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.sim.VirtualLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The timers: their times, and that each is active once at most. */
class MastershipTimersTest {
    private final VirtualLoop loop = new VirtualLoop();
    private final List<MastershipTimer> expired = new ArrayList<>();
    private final MastershipTimers timers = new MastershipTimers(loop, () -> 1000, () -> 30, expired::add);

    /** docs/operator/mastership.md, "Times". */
    @ParameterizedTest
    @CsvSource({"POLL,1000", "ACKNOWLEDGE,1000", "RETRY,2000", "EXCLUSION,60000", "SILENCE,30000", "END,2500"})
    void aTimerExpiresAfterItsTime(MastershipTimer timer, long ms) {
        timers.start(timer);
        loop.runFor(TimeUnit.MILLISECONDS.toNanos(ms) - 1);
        assertThat(expired).isEmpty();
        loop.runFor(TimeUnit.MINUTES.toNanos(5));
        assertThat(expired).containsExactly(timer);
    }

    @Test
    void aSecondStartReplacesTheFirst() {
        timers.start(MastershipTimer.POLL);
        loop.runFor(TimeUnit.MILLISECONDS.toNanos(600));
        timers.start(MastershipTimer.POLL);
        loop.runFor(TimeUnit.MILLISECONDS.toNanos(600));
        assertThat(expired).isEmpty();
        loop.runFor(TimeUnit.MINUTES.toNanos(5));
        assertThat(expired).containsExactly(MastershipTimer.POLL);
    }

    @Test
    void aStoppedTimerDoesNotExpire() {
        timers.start(MastershipTimer.POLL);
        timers.start(MastershipTimer.RETRY);
        timers.stop(MastershipTimer.POLL);
        timers.stop(MastershipTimer.END);
        loop.runFor(TimeUnit.MINUTES.toNanos(5));
        assertThat(expired).containsExactly(MastershipTimer.RETRY);
    }
}
