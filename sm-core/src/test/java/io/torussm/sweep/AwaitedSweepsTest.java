package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.sweep.state.SweepCounts.SweepEnd;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The callback of a requested sweep gets its outcome, not that of another one. */
class AwaitedSweepsTest {
    private final SweepHarness harness = new SweepHarness("torus:3x3x1,hosts=1");

    /** Outcomes, with the number of sweeps that had ended by then. */
    private final List<String> outcomes = new ArrayList<>();

    private void await(boolean isLight) {
        harness.sweeper.awaitNext(
                isLight, end -> outcomes.add(end.map(SweepEnd::name).orElse("none") + " " + harness.ends.size()));
    }

    @Test
    void theEndIsReportedOnce() {
        await(false);
        harness.sweep();
        harness.sweep();
        assertThat(outcomes).containsExactly("UP 1");
    }

    @Test
    void aRunningSweepIsNotTheRequestedOne() {
        harness.sweeper.sweepHeavy();
        await(false);
        harness.sweeper.sweepHeavy();
        harness.await(1);
        assertThat(outcomes).isEmpty();
        harness.await(2);
        assertThat(outcomes).containsExactly("UP 2");
    }

    @Test
    void aLightSweepThatFindsNothingEndsAsSuch() {
        harness.sweep();
        await(true);
        harness.sweepLight();
        assertThat(outcomes).containsExactly("QUIET 1");
    }

    @Test
    void aLightSweepThatFindsAChangeEndsWithTheSweepThatFollows() {
        harness.sweep();
        harness.isInboundLost = mad -> true; // no traps
        harness.fabric.unlink(0x200000, 1);
        await(true);
        harness.sweepLight();
        harness.awaitRest();
        assertThat(outcomes).containsExactly("UP 2");
    }

    @Test
    void aRerouteIsASweepToo() {
        harness.sweep();
        await(false);
        harness.sweeper.reroute();
        harness.awaitRest();
        assertThat(outcomes).containsExactly("UP 2");
    }

    @Test
    void waitersAreReleasedIfTheSmGivesWayOrEnds() {
        harness.sweeper.sweepHeavy();
        await(false);
        harness.sweeper.withdraw();
        assertThat(outcomes).containsExactly("none 0");
        await(true);
        harness.sweeper.stop();
        assertThat(outcomes).containsExactly("none 0", "none 0");
    }

    @Test
    void onlySoManyMayWait() {
        for (int i = 0; i <= AwaitedSweeps.MAX; i++) {
            await(false);
        }
        assertThat(outcomes).containsExactly("none 0");
        harness.sweep();
        assertThat(outcomes).hasSize(1 + AwaitedSweeps.MAX);
        assertThat(outcomes.subList(1, outcomes.size())).isEqualTo(Collections.nCopies(AwaitedSweeps.MAX, "UP 1"));
    }

    /** If the local discovery is inconsistent, or a report arrived, another sweep continues it. */
    @Test
    void aSweepThatIsWidenedOrSupersededHasNotEnded() {
        AwaitedSweeps awaited = new AwaitedSweeps();
        List<Optional<SweepEnd>> ends = new ArrayList<>();
        awaited.await(7, false, ends::add);
        awaited.onSweepEnd(7, SweepEnd.WIDENED);
        awaited.onSweepEnd(8, SweepEnd.SUPERSEDED);
        assertThat(ends).isEmpty();
        awaited.onSweepEnd(9, SweepEnd.REFUSED);
        assertThat(ends).containsExactly(Optional.of(SweepEnd.REFUSED));
    }
}
