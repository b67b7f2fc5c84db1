package io.torussm.torus2qos;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The sizes that are proposed if the sizes in torus-2QoS.conf do not fit the fabric. */
class SizeSearchTest {
    /**
     * @param wired sizes of the fabric; m: a mesh in this dimension
     * @param sizes the line of the file
     * @param proposal the sizes that are proposed
     * @param refused true if the file is refused, false if it is accepted with a warning
     */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "3 3 3|torus 4 3 3|torus 3 3 3|true",
                "3 3 3|torus 5 3 3|torus 3 3 3|true",
                "3 3 3|torus 3 3 2|torus 3 3 3|false",
                "3 3 3|torus 3m 3 3|torus 3 3 3|false",
                "4 4 3|torus 5 4 3|torus 4 4 3|true",
                "6 5 1|torus 5 5 1|torus 6 5 1|false",
                "5 5 1|torus 6 5 1|torus 5 5 1|true",
                "5 4m 3|torus 5 5 3|torus 5 4m 3|false"
            })
    void proposesTheSizesThatFit(String wired, String sizes, String proposal, boolean refused) {
        TestTorus torus = TestTorus.ofSizes(wired);
        PlacementResult placed = PlacementResult.of(torus, sizes + "\n" + links(torus, sizes));
        String expected = "the fabric looks like \"" + proposal + "\", in which each of its " + torus.count()
                + " switches has a place and each cable fits; the file says \"" + sizes + "\"";
        assertThat(!placed.errors().isEmpty()).isEqualTo(refused);
        assertThat(refused ? placed.errors() : placed.warnings()).anyMatch(text -> text.contains(expected));
    }

    /** Returns the links of the seed: in both directions of a dimension of size 4, otherwise in one. */
    private static String links(TestTorus torus, String sizes) {
        StringBuilder links = new StringBuilder();
        for (int d = 0; d < 3; d++) {
            boolean both = sizes.split(" ", -1)[d + 1].equals("4");
            for (int step : both ? new int[] {1, -1} : torus.radix[d] > 1 ? new int[] {1} : new int[0]) {
                int[] next = new int[3];
                next[d] = Math.floorMod(step, torus.radix[d]);
                links.append(String.format(
                        "%s%s_link 0x%x 0x%x%n",
                        "xyz".charAt(d), step > 0 ? "p" : "m", torus.guid(0, 0, 0), torus.guid(next)));
            }
        }
        return links.toString();
    }

    @Test
    void acceptsASmallerTorusAsOpenSmDoesWithAWarning() {
        TestTorus torus = new TestTorus(3, 3, 3);
        PlacementResult placed = PlacementResult.of(torus, "torus 3 3 2\n" + torus.seed(0, 0, 0));
        assertThat(placed.completeTorus().slots()).isEqualTo(18);
        assertThat(placed.errors()).isEmpty();
        assertThat(placed.warnings())
                .filteredOn(text -> text.contains("is no part of the torus"))
                .hasSize(9);
        assertThat(placed.warnings().get(0)).contains("leaves 9 switches without a place", "correct the sizes");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void proposesNoSizesForADamagedTorus(int lost) {
        TestTorus torus = new TestTorus(5, 5, 3);
        for (int y = 0; y < lost; y++) {
            torus.fabric.remove(torus.guid(2, y, 1));
        }
        PlacementResult placed = PlacementResult.of(torus, torus.conf());
        assertThat(placed.completeTorus().slots()).isEqualTo(75 - lost);
        assertThat(placed.findings()).isEmpty();
    }
}
