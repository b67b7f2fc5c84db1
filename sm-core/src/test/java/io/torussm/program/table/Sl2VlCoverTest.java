package io.torussm.program.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.testing.Seeds;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The Sets that program the SL2VL rows of a switch: spreads, each of which covers many rows, and single rows. */
class Sl2VlCoverTest {
    /** Writes the spreads in their order, and returns the number of wanted rows that still differ. */
    private static int writeAll(Sl2VlCover cover, @Nullable Long[][] wanted) {
        int ports = wanted.length;
        Long[][] held = new Long[ports][ports];
        for (Sl2VlCover.Spread spread : cover.spreads()) {
            for (int in = 0; in < ports; in++) {
                for (int out = 0; out < ports; out++) {
                    held[in][out] = spread.covers(in, out) ? Long.valueOf(spread.row()) : held[in][out];
                }
            }
        }
        int single = 0;
        for (int in = 0; in < ports; in++) {
            for (int out = 0; out < ports; out++) {
                single += wanted[in][out] != null && !wanted[in][out].equals(held[in][out]) ? 1 : 0;
            }
        }
        return single;
    }

    @Test
    void rowsLeftForSingleWritesAreCounted() {
        Random random = Seeds.random(71);
        for (int round = 0; round < 500; round++) {
            int ports = 1 + random.nextInt(12);
            int kinds = 1 + random.nextInt(4);
            Long[][] wanted = new Long[ports][ports];
            long rows = 0;
            boolean isByOut = random.nextBoolean();
            for (int in = 0; in < ports; in++) {
                for (int out = 0; out < ports; out++) {
                    int defaultValue = (isByOut ? out : in) % kinds;
                    int kind = random.nextInt(4) == 0 ? random.nextInt(kinds) : defaultValue;
                    wanted[in][out] = random.nextInt(5) == 0 ? null : Long.valueOf(kind);
                    rows += wanted[in][out] == null ? 0 : 1;
                }
            }
            Sl2VlCover cover = Sl2VlCover.of(ports, (in, out) -> wanted[in][out]);
            assertThat(writeAll(cover, wanted)).isEqualTo(cover.singleRows());
            assertThat((long) cover.countSets()).isLessThanOrEqualTo(rows + 1);
        }
    }

    /**
     * Ports 1 to 6 are two for each dimension; port 0 and all others are local. Turns against the order of dimensions
     * have rows of their own. The 7 spreads and 12 single rows are 19 Sets.
     */
    @Test
    void aSwitchOfATorusTakesNineteenSetsHoweverManyHostsItHas() {
        for (int ports : new int[] {9, 37}) {
            Sl2VlCover cover = Sl2VlCover.of(ports, (in, out) -> {
                int from = in == 0 ? 3 : Math.min((in - 1) / 2, 3);
                int to = out == 0 ? 3 : Math.min((out - 1) / 2, 3);
                return to == 3 ? 100L : from < 3 && from > to ? 10L + to : (long) to;
            });
            assertThat(cover.spreads()).hasSize(7);
            assertThat(cover.singleRows()).isEqualTo(12);
        }
    }

    /** Rows 1 and 2 are equally frequent. */
    @Test
    void theFirstOfEquallyFrequentRowsIsThatOfAllPairs() {
        Sl2VlCover cover = Sl2VlCover.of(2, (in, out) -> out == 0 ? 1L : 2L);
        assertThat(cover.spreads())
                .containsExactly(
                        new Sl2VlCover.Spread(Sl2VlCover.ALL, Sl2VlCover.ALL, 1),
                        new Sl2VlCover.Spread(Sl2VlCover.ALL, 1, 2));
        assertThat(cover.countSets()).isEqualTo(2);
    }

    /** Two of three wanted rows to output 2 are others: a spread and one single row are as many Sets as two rows. */
    @Test
    void aSpreadThatSavesNoSetIsNotMade() {
        Sl2VlCover cover =
                Sl2VlCover.of(4, (in, out) -> out != 2 ? Long.valueOf(1) : in == 3 ? null : in == 0 ? 1L : 5L);
        assertThat(cover.spreads()).hasSize(1);
        assertThat(cover.singleRows()).isEqualTo(2);
        assertThat(cover.countSets()).isEqualTo(3);
    }

    @Test
    void rowsContinueByOutputIfInputsTakeAsManySets() {
        Sl2VlCover cover = Sl2VlCover.of(5, (in, out) -> in == 1 || out == 1 ? 9L : 1L);
        assertThat(cover.spreads())
                .containsExactly(
                        new Sl2VlCover.Spread(Sl2VlCover.ALL, Sl2VlCover.ALL, 1),
                        new Sl2VlCover.Spread(Sl2VlCover.ALL, 1, 9));
        assertThat(cover.countSets()).isEqualTo(6);
    }

    @Test
    void modifiersAreThoseOfOptimizedProgramming() {
        assertThat(new Sl2VlCover.Spread(Sl2VlCover.ALL, Sl2VlCover.ALL, 0).modifier())
                .isEqualTo(0x30000);
        assertThat(new Sl2VlCover.Spread(5, Sl2VlCover.ALL, 0).modifier()).isEqualTo(0x10500);
        assertThat(new Sl2VlCover.Spread(Sl2VlCover.ALL, 7, 0).modifier()).isEqualTo(0x20007);
    }
}
