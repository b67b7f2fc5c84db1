package io.torussm.deadlock.incremental;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.deadlock.ChannelDependencyGraph;
import io.torussm.deadlock.DatelineRouter;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.fabric.Fabric;
import io.torussm.routing.PlanSketch;
import io.torussm.testing.Seeds;
import io.torussm.testing.TestRouting;
import io.torussm.testing.TorusSketch;
import java.util.Arrays;
import java.util.BitSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Numbers that are made to fit, against the dependencies; and the bound on how far they grow. */
class RaisedNumbersTest {
    private final ChannelDependencyGraph graph = new DeadlockChecker(1)
            .graph(DatelineRouter.route(TorusSketch.of(4, 3, 1, 1, 1)).plan(), TestRouting.QOS);

    private boolean leadsUpward(int[] number) {
        for (int channel = 0; channel < number.length; channel++) {
            for (int edge = graph.first(channel); edge < graph.first(channel + 1); edge++) {
                if (number[channel] >= number[graph.successor(edge)]) {
                    return false;
                }
            }
        }
        return true;
    }

    /** For any initial numbers, fitting ones lead upward, belong to used channels alone, and never decreased. */
    @ParameterizedTest
    @MethodSource("io.torussm.testing.Seeds#few")
    void numbersThatFitLeadUpward(long seed) {
        int[] before = Seeds.random(seed).ints(graph.size(), Fabric.NONE, 8).toArray();
        int[] number = before.clone();
        assertThat(RaisedNumbers.fit(graph, null, number, 1)).isEqualTo(RaisedNumbers.Outcome.FITTING);
        assertThat(leadsUpward(number)).isTrue();
        for (int channel = 0; channel < number.length; channel++) {
            assertThat(number[channel] != Fabric.NONE).isEqualTo(graph.isUsed(channel));
            assertThat(!graph.isUsed(channel) || number[channel] >= before[channel])
                    .isTrue();
        }
    }

    /** A cycle is found before the effort is used up. Without a cycle, no initial numbers lead to that result. */
    @Test
    void aCycleIsReported() {
        PlanSketch plan = DatelineRouter.route(TorusSketch.of(5, 5, 1, 1, 1));
        plan.rows = (sw, in, out) -> DatelineRouter.row(0, false);
        ChannelDependencyGraph withCycles = new DeadlockChecker(1).graph(plan.plan(), TestRouting.QOS);
        assertThat(withCycles.numbering()).isNull();
        assertThat(RaisedNumbers.fit(withCycles, null, new int[withCycles.size()], 1))
                .isEqualTo(RaisedNumbers.Outcome.CYCLE);
        for (long seed = 0; seed < 50; seed++) {
            int[] number = Seeds.random(seed)
                    .ints(graph.size(), Fabric.NONE, graph.size())
                    .toArray();
            assertThat(RaisedNumbers.fit(graph, null, number, 1)).isNotEqualTo(RaisedNumbers.Outcome.CYCLE);
        }
    }

    /**
     * Each proof raises the numbers of the previous one, and no number ever decreases. Numbers above the
     * count of channels, which a new numbering never needs, are therefore no longer raised. Otherwise they
     * would grow through all changes of a year.
     */
    @Test
    void numbersGrowNoFurtherThanThereAreChannels() {
        int[] number = new int[graph.size()];
        BitSet isWaitedFor = new BitSet();
        for (int edge = 0; edge < graph.dependencyCount(); edge++) {
            isWaitedFor.set(graph.successor(edge));
        }
        int highest = 0;
        for (int round = 0; RaisedNumbers.fit(graph, null, number, 1) == RaisedNumbers.Outcome.FITTING; round++) {
            assertThat(round).as("rounds in which numbers grew").isLessThan(graph.size());
            highest = Arrays.stream(number).max().orElseThrow();
            assertThat(highest).isLessThanOrEqualTo(graph.size());
            for (int channel = 0; channel < number.length; channel++) {
                // as if channels without a predecessor now had been the last ones under other routes
                number[channel] = isWaitedFor.get(channel) ? number[channel] : highest;
            }
        }
        assertThat(highest).isGreaterThan(graph.channelCount());
    }
}
