package io.torussm.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The random numbers of seeds 0 to 999: those of the seed itself, and those of a seed and a purpose. */
class SeedsTest {
    private static final int SEEDS = 1000;

    @Test
    void aSeedAndAPurposeGiveTheSameNumbersAgain() {
        assertThat(Seeds.random(7, "sizes").nextLong())
                .isEqualTo(Seeds.random(7, "sizes").nextLong());
        assertThat(Seeds.random(7).nextLong()).isEqualTo(Seeds.random(7).nextLong());
    }

    /** Every combination of the first draws of two generators occurs for about a quarter of the seeds. */
    @Test
    void drawsOfAPurposeDoNotFollowFromOtherDrawsOfTheSeed() {
        LongFunction<Random> seed = Seeds::random;
        LongFunction<Random> sizes = number -> Seeds.random(number, "sizes");
        LongFunction<Random> losses = number -> Seeds.random(number, "losses");
        for (List<LongFunction<Random>> pair :
                List.of(List.of(seed, sizes), List.of(seed, losses), List.of(sizes, losses))) {
            int[] combinations = new int[4];
            for (long number = 0; number < SEEDS; number++) {
                int first = pair.get(0).apply(number).nextInt(2);
                int second = pair.get(1).apply(number).nextInt(2);
                combinations[2 * first + second]++;
            }
            assertThat(IntStream.of(combinations)).allMatch(count -> count > SEEDS / 5 && count < SEEDS * 3 / 10);
        }
    }
}
