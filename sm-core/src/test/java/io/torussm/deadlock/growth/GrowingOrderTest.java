package io.torussm.deadlock.growth;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.deadlock.ChannelDependencyGraph;
import io.torussm.deadlock.DatelineRouter;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.deadlock.Dependencies;
import io.torussm.testing.Seeds;
import io.torussm.testing.TestRouting;
import io.torussm.testing.TorusSketch;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The order of a growing graph, compared with a search through the whole graph for every dependency. */
class GrowingOrderTest {
    @ParameterizedTest
    @MethodSource("io.torussm.testing.Seeds#few")
    void turnsDownExactlyWhatClosesACycle(long seed) {
        TorusSketch torus = TorusSketch.of(4, 3, 1, 1, 1);
        ChannelDependencyGraph graph =
                new DeadlockChecker(1).graph(DatelineRouter.route(torus).plan(), TestRouting.QOS);
        Random random = Seeds.random(seed);
        GrowingOrder order = new GrowingOrder(graph, Objects.requireNonNull(graph.numbering()));
        Set<Long> added = new HashSet<>();
        int refused = 0;
        for (int i = 0; i < 400; i++) {
            int held = random.nextInt(graph.size() / 4) * 4;
            int wanted = random.nextInt(graph.size() / 4) * 4;
            boolean closes = reaches(graph, added, wanted, held);
            int mark = order.mark();
            assertThat(order.add(held, wanted))
                    .as("seed %d, %d to %d", seed, held, wanted)
                    .isEqualTo(!closes);
            if (closes) {
                refused++;
            } else if (random.nextInt(4) == 0) {
                order.undo(mark);
            } else {
                added.add((long) held << 32 | wanted);
            }
        }
        assertThat(refused).isPositive();
        assertThat(added).isNotEmpty();
    }

    /** Each upward dependency is accepted without a search. */
    @Test
    void withoutEffortOnlyDownwardDependenciesAreRejected() {
        ChannelDependencyGraph graph = new DeadlockChecker(1)
                .graph(DatelineRouter.route(TorusSketch.of(4, 3, 1, 1, 1)).plan(), TestRouting.QOS);
        int[] numbering = Objects.requireNonNull(graph.numbering());
        GrowingOrder unlimited = new GrowingOrder(graph, numbering);
        GrowingOrder limited = new GrowingOrder(graph, numbering, 2);
        int accepted = 0;
        long safe = 0;
        for (int held = 0; held < graph.size(); held++) {
            for (int wanted = 0; wanted < graph.size(); wanted++) {
                if (graph.isUsed(held) && graph.isUsed(wanted) && numbering[held] > numbering[wanted]) {
                    int mark = unlimited.mark();
                    boolean isSafe = unlimited.add(held, wanted);
                    unlimited.undo(mark);
                    int limitedMark = limited.mark();
                    boolean isAccepted = limited.add(held, wanted);
                    limited.undo(limitedMark);
                    assertThat(isSafe || !isAccepted).isTrue();
                    accepted += isAccepted ? 1 : 0;
                    safe = isSafe && !isAccepted ? (long) held << 32 | wanted : safe;
                }
            }
        }
        assertThat(accepted).isLessThanOrEqualTo(3);
        assertThat(safe).as("rejected, though it closes no cycle").isPositive();
        GrowingOrder none = new GrowingOrder(graph, numbering, 0);
        assertThat(none.add((int) (safe >>> 32), (int) safe)).isFalse();
        assertThat(unlimited.add((int) (safe >>> 32), (int) safe)).isTrue();
        int first = 0;
        while (!graph.isUsed(first) || graph.first(first) == graph.first(first + 1)) {
            first++;
        }
        int successor = graph.successor(graph.first(first));
        assertThat(none.add(successor, first)).isFalse();
        assertThat(none.add(first, successor)).isTrue();
    }

    /** Chains 0 to 3, 4 to 7 and 8 to 9. The search from 7 back to 4 and from 0 ahead to 3 visits six dependencies. */
    @Test
    void aSearchUsesTheEffortOfBothItsDirections() {
        int[] first = {0, 1, 2, 3, 3, 4, 5, 6, 6, 7, 7};
        int[] successors = {1, 2, 3, 5, 6, 7, 9};
        Dependencies chains = new Dependencies() {
            @Override
            public int size() {
                return 10;
            }

            @Override
            public int first(int channel) {
                return first[channel];
            }

            @Override
            public int successor(int edge) {
                return successors[edge];
            }

            @Override
            public int dependencyCount() {
                return successors.length;
            }
        };
        int[] numbering = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
        for (int effort = 1; effort <= 8; effort++) {
            GrowingOrder order = new GrowingOrder(chains, numbering, effort);
            assertThat(order.add(7, 0)).isTrue();
            assertThat(order.add(9, 3)).isEqualTo(effort > 6);
        }
    }

    private static boolean reaches(ChannelDependencyGraph graph, Set<Long> added, int from, int to) {
        BitSet seen = new BitSet();
        ArrayDeque<Integer> queue = new ArrayDeque<>();
        queue.add(from);
        seen.set(from);
        while (!queue.isEmpty()) {
            int channel = queue.remove();
            for (int edge = graph.first(channel); edge < graph.first(channel + 1); edge++) {
                visit(graph.successor(edge), seen, queue);
            }
            for (long each : added) {
                if (each >>> 32 == channel) {
                    visit((int) each, seen, queue);
                }
            }
        }
        return seen.get(to);
    }

    private static void visit(int channel, BitSet seen, ArrayDeque<Integer> queue) {
        if (!seen.get(channel)) {
            seen.set(channel);
            queue.add(channel);
        }
    }
}
