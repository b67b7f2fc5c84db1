package io.torussm.routing.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.torussm.testing.Seeds;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The heaviest matching, compared with all matchings. */
class AssignmentTest {

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.torussm.testing.Seeds#few")
    void isAsHeavyAsTheBestOfAll(long seed) {
        Random random = Seeds.random(seed);
        for (int round = 0; round < 200; round++) {
            int rows = random.nextInt(7);
            int columns = rows + random.nextInt(3);
            int max = 1 + random.nextInt(5);
            int[][] weights = new int[rows][columns];
            for (int[] row : weights) {
                Arrays.setAll(row, column -> random.nextInt(3) == 0 ? 0 : random.nextInt(max + 1));
            }
            int[] matched = HeaviestMatching.heaviest(weights);
            assertThat(Arrays.stream(matched).distinct()).hasSize(rows);
            int weight = 0;
            for (int row = 0; row < rows; row++) {
                weight += weights[row][matched[row]];
            }
            assertThat(weight).as(Arrays.deepToString(weights)).isEqualTo(best(weights, 0, 0));
        }
    }

    private static int best(int[][] weights, int row, int taken) {
        if (row == weights.length) {
            return 0;
        }
        int best = 0;
        for (int column = 0; column < weights[row].length; column++) {
            if ((taken & 1 << column) == 0) {
                best = Math.max(best, weights[row][column] + best(weights, row + 1, taken | 1 << column));
            }
        }
        return best;
    }

    @Test
    void takesNoMoreRowsThanColumns() {
        assertThatThrownBy(() -> HeaviestMatching.heaviest(new int[][] {{1}, {2}}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("2 rows, 1 columns");
    }
}
