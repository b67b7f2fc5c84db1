package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.stage.Phase;
import io.torussm.sweep.state.SweepCounts;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The SM does not wait for answers of a lost switch, or over a lost cable, if other devices can report the
 * loss.
 */
class LostSwitchTest extends LocalSweepCase {
    /**
     * The time after which the neighbours of a silent switch are checked; the 7 tries of one request
     * take 12.7 s.
     */
    private static final long DOUBT_NS = TimeUnit.MILLISECONDS.toNanos(20);

    private final List<Long> neighbours = new ArrayList<>();

    /**
     * Either end may report the loss. The path to that end may have used the cable; the SM does not wait for
     * dead paths.
     */
    @Test
    void noLostCableCostsAWaitForAnAnswer() {
        harness.sweep();
        for (int sw = 0; sw < fabric(harness).switchCount(); sw++) {
            for (int portNum = 1; portNum <= 4; portNum++) {
                long guid = fabric(harness).nodeGuid(sw);
                int ends = harness.ends.size();
                harness.fabric.unlink(guid, portNum);
                harness.await(ends + 1);
                assertThat(harness.lastReport().phaseNs().get(Phase.DISCOVER))
                        .as("discovery after port %d of switch %d is lost", portNum, sw)
                        .isLessThan(TimeUnit.MILLISECONDS.toNanos(1));
                settle(harness);
                harness.fabric.relink(guid, portNum);
                settle(harness);
            }
        }
        assertThat(harness.ends).doesNotContain("failed");
        assertIsAsAWholeSweepSeesIt(harness);
    }

    /**
     * The links of the switch go down one after the other while the SM reads switches, some of them through this
     * switch. The switch itself reports some losses.
     */
    @ParameterizedTest
    @ValueSource(longs = {0, 3_000, 20_000, 100_000})
    void noLostSwitchCostsAWaitForAnAnswer(long betweenNs) {
        harness.sweep();
        for (int sw = 1; sw < fabric(harness).switchCount(); sw++) {
            long guid = fabric(harness).nodeGuid(sw);
            int ends = harness.ends.size();
            for (int portNum = 1; portNum <= 6; portNum++) {
                harness.fabric.unlink(guid, portNum);
                harness.loop.runFor(betweenNs);
            }
            harness.await(ends + 1);
            assertThat(harness.lastReport().phaseNs().get(Phase.DISCOVER))
                    .as("discovery after switch %d is lost", sw)
                    .isLessThan(TimeUnit.MILLISECONDS.toNanos(2));
            settle(harness);
            assertThat(fabric(harness).nodeByGuid(guid)).isEqualTo(Fabric.NONE);
            for (int portNum = 1; portNum <= 6; portNum++) {
                harness.fabric.relink(guid, portNum);
            }
            settle(harness);
        }
        assertThat(harness.ends).doesNotContain("failed");
        assertIsAsAWholeSweepSeesIt(harness);
    }

    /** Traps of the switch and of some neighbours may arrive before other neighbours have noticed the loss. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3})
    void aSwitchThatIsGoneIsMissedByItsNeighboursAlone(int first) {
        long guid = failSilently("sw-1-1-0");
        harness.sweeper.sweepNeighbourhood(lid(guid));
        harness.sweeper.sweepNeighbourhood(lid(neighbours.get(first)));
        harness.await(2);
        assertThat(harness.lastReport().phaseNs().get(Phase.DISCOVER))
                .as("a switch that answers would have done so long ago")
                .isBetween(DOUBT_NS, DOUBT_NS + TimeUnit.MILLISECONDS.toNanos(2));
        assertIsGone(guid);
    }

    /** All traps but one are lost. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void hardlyAnybodyWaitsForASwitchThatOneOfItsNeighboursMisses(int first) {
        long guid = failSilently("sw-1-1-0");
        harness.sweeper.sweepNeighbourhood(lid(neighbours.get(first)));
        harness.await(2);
        assertThat(harness.lastReport().phaseNs().get(Phase.DISCOVER))
                .isLessThan(DOUBT_NS + TimeUnit.MILLISECONDS.toNanos(2));
        assertIsGone(guid);
    }

    /** The traps of the other neighbours may take paths through the lost switch, so these traps are lost. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void nobodyWaitsForASwitchThatTwoOfItsNeighboursMiss(int first) {
        long guid = failSilently("sw-1-1-0");
        harness.sweeper.sweepNeighbourhood(lid(guid));
        harness.sweeper.sweepNeighbourhood(lid(neighbours.get(first)));
        harness.sweeper.sweepNeighbourhood(lid(neighbours.get((first + 1) % 4)));
        harness.await(2);
        assertThat(harness.lastReport().phaseNs().get(Phase.DISCOVER)).isLessThan(TimeUnit.MILLISECONDS.toNanos(2));
        assertIsGone(guid);
    }

    /** Takes a switch down without a trap; its neighbours are in {@link #neighbours}. */
    private long failSilently(String description) {
        harness.sweep();
        long guid = guid(description);
        int sw = fabric(harness).nodeByGuid(guid);
        for (int portNum = 1; portNum <= 4; portNum++) {
            int far = fabric(harness).peer(fabric(harness).port(sw, portNum));
            neighbours.add(fabric(harness).nodeGuid(fabric(harness).nodeOf(far)));
        }
        harness.isInboundLost = mad -> true;
        harness.fabric.failSwitch(guid);
        settle(harness);
        return guid;
    }

    private void assertIsGone(long guid) {
        assertThat(harness.ends).containsExactly("up", "up");
        assertThat(harness.sweeper.counts().counts())
                .as("the first sweep is the only one of everything")
                .filteredOn(count -> count.kind() == SweepCounts.SweepScope.HEAVY && count.count() > 0)
                .containsExactly(new SweepCounts.Count(SweepCounts.SweepScope.HEAVY, SweepCounts.SweepEnd.UP, 1));
        assertThat(fabric(harness).nodeByGuid(guid)).isEqualTo(Fabric.NONE);
        SweeperTest.assertHeld(harness);
        assertIsAsAWholeSweepSeesIt(harness);
    }
}
