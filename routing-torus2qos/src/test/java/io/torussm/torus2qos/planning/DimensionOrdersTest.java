package io.torussm.torus2qos.planning;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The orders of dimensions that are tried for a shape, as indexes of its sizes. */
class DimensionOrdersTest {
    /** Each order costs a routing with a proof, so orders that differ only in dimensions of size 1 are left out. */
    @ParameterizedTest
    @CsvSource({
        "5 4 3, '[0, 1, 2] [1, 0, 2] [0, 2, 1] [2, 1, 0] [1, 2, 0] [2, 0, 1]'",
        "5 4 1, '[0, 1, 2] [1, 0, 2]'",
        "6 1 1, '[0, 1, 2]'",
    })
    void triesEachShapeOnce(String sizes, String orders) {
        int[] radix =
                Arrays.stream(sizes.split(" ")).mapToInt(Integer::parseInt).toArray();
        TorusShape shape = new TorusShape(radix, new boolean[TorusShape.DIMENSIONS]);
        assertThat(DimensionOrders.of(new int[] {0, 1, 2}, shape).stream()
                        .map(Arrays::toString)
                        .toList())
                .hasToString("[" + orders.replace("] [", "], [") + "]");
    }
}
