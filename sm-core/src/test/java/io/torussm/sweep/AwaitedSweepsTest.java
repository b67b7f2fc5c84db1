package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.sweep.state.SweepCounts.SweepEnd;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The outcome that a requester of a sweep receives: that of the requested sweep, not of another one. */
class AwaitedSweepsTest {
    private final SweepHarness harness = new SweepHarness("torus:3x3x1,hosts=1");

    /** The outcomes that requesters received, as {@code UP 2}: with the number of sweeps that had ended by then. */
    private final List<String> outcomes = new ArrayList<>();

    private void awaitHeavySweep() {
        harness.sweeper.awaitNext(false, this::recordOutcome);
    }

    private void awaitLightSweep() {
        harness.sweeper.awaitNext(true, this::recordOutcome);
    }

    private void recordOutcome(Optional<SweepEnd> end) {
        outcomes.add(end.map(SweepEnd::name).orElse("none") + " " + harness.ends.size());
    }

    @Test
    void theOutcomeOfARequestedSweepIsReportedOnce() {
        awaitHeavySweep();
        harness.sweep();
        harness.sweep();
        assertThat(outcomes).containsExactly("UP 1");
    }

    @Test
    void aRequestDuringASweepGetsTheOutcomeOfTheNext() {
        harness.sweeper.sweepHeavy();
        awaitHeavySweep();
        harness.sweeper.sweepHeavy();
        harness.await(1);
        assertThat(outcomes).isEmpty();
        harness.await(2);
        assertThat(outcomes).containsExactly("UP 2");
    }

    @Test
    void aLightSweepThatFindsNoChangeIsQuiet() {
        harness.sweep();
        awaitLightSweep();
        harness.sweepLight();
        assertThat(outcomes).containsExactly("QUIET 1");
    }

    @Test
    void aLightSweepThatFindsAChangeHasTheOutcomeOfTheSweepThatFollows() {
        harness.sweep();
        harness.isInboundLost = mad -> true; // no traps
        harness.fabric.unlink(0x200000, 1);
        awaitLightSweep();
        harness.sweepLight();
        harness.awaitRest();
        assertThat(outcomes).containsExactly("UP 2");
    }

    @Test
    void aRerouteEndsTheWaitForASweep() {
        harness.sweep();
        awaitHeavySweep();
        harness.sweeper.reroute();
        harness.awaitRest();
        assertThat(outcomes).containsExactly("UP 2");
    }

    @Test
    void requestersGetNoOutcomeIfTheSmIsPreemptedOrEnds() {
        harness.sweeper.sweepHeavy();
        awaitHeavySweep();
        harness.sweeper.withdraw();
        assertThat(outcomes).containsExactly("none 0");
        awaitLightSweep();
        harness.sweeper.stop();
        assertThat(outcomes).containsExactly("none 0", "none 0");
    }

    @Test
    void aRequesterBeyondTheMaxNumberGetsNoOutcomeImmediately() {
        for (int i = 0; i <= AwaitedSweeps.MAX; i++) {
            awaitHeavySweep();
        }
        assertThat(outcomes).containsExactly("none 0");
        harness.sweep();
        assertThat(outcomes).hasSize(1 + AwaitedSweeps.MAX);
        assertThat(outcomes.subList(1, outcomes.size())).isEqualTo(Collections.nCopies(AwaitedSweeps.MAX, "UP 1"));
    }

    /**
     * A sweep is widened if its local discovery is inconsistent, and superseded if a change is reported meanwhile.
     * Another sweep continues it.
     */
    @Test
    void theOutcomeOfASweepThatIsWidenedOrSupersededIsThatOfItsContinuation() {
        AwaitedSweeps awaited = new AwaitedSweeps();
        List<Optional<SweepEnd>> ends = new ArrayList<>();
        long sweep = 7;
        boolean isLight = false;
        awaited.await(sweep, isLight, ends::add);
        awaited.onSweepEnd(sweep, SweepEnd.WIDENED);
        awaited.onSweepEnd(sweep + 1, SweepEnd.SUPERSEDED);
        assertThat(ends).isEmpty();
        awaited.onSweepEnd(sweep + 2, SweepEnd.REFUSED);
        assertThat(ends).containsExactly(Optional.of(SweepEnd.REFUSED));
    }
}
