package io.torussm.mad.sa;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The order of rates is that of the data they carry, by an account of lanes, signalling and coding. */
class RatesTest {
    private static final double TEN_FOR_EIGHT = 0.8;
    private static final double SIXTY_SIX_FOR_64 = 64.0 / 66;

    /** Code, lanes, Gbaud of a lane, share of it that is data. */
    private record Rate(int code, int lanes, double baud, double coding) {
        double data() {
            return lanes * baud * coding;
        }
    }

    private static List<Rate> rates() {
        double fdr = 14.0625;
        double edr = 25.78125;
        return List.of(
                new Rate(2, 1, 2.5, TEN_FOR_EIGHT),
                new Rate(3, 4, 2.5, TEN_FOR_EIGHT),
                new Rate(4, 12, 2.5, TEN_FOR_EIGHT),
                new Rate(5, 1, 5, TEN_FOR_EIGHT),
                new Rate(6, 4, 5, TEN_FOR_EIGHT),
                new Rate(7, 4, 10, TEN_FOR_EIGHT),
                new Rate(8, 12, 5, TEN_FOR_EIGHT),
                new Rate(9, 8, 10, TEN_FOR_EIGHT),
                new Rate(10, 12, 10, TEN_FOR_EIGHT),
                new Rate(11, 1, fdr, SIXTY_SIX_FOR_64),
                new Rate(12, 4, fdr, SIXTY_SIX_FOR_64),
                new Rate(13, 8, fdr, SIXTY_SIX_FOR_64),
                new Rate(14, 12, fdr, SIXTY_SIX_FOR_64),
                new Rate(15, 1, edr, SIXTY_SIX_FOR_64),
                new Rate(16, 4, edr, SIXTY_SIX_FOR_64),
                new Rate(17, 8, edr, SIXTY_SIX_FOR_64),
                new Rate(18, 12, edr, SIXTY_SIX_FOR_64),
                new Rate(19, 2, fdr, SIXTY_SIX_FOR_64),
                new Rate(20, 1, 2 * edr, SIXTY_SIX_FOR_64),
                new Rate(21, 4, 4 * edr, SIXTY_SIX_FOR_64),
                new Rate(22, 12, 2 * edr, SIXTY_SIX_FOR_64),
                new Rate(23, 8, 4 * edr, SIXTY_SIX_FOR_64),
                new Rate(24, 12, 4 * edr, SIXTY_SIX_FOR_64));
    }

    @Test
    void whatCarriesLessDataIsSlower() {
        List<Rate> slowestFirst = new ArrayList<>(rates());
        slowestFirst.sort(Comparator.comparingDouble(Rate::data));
        for (int i = 0; i < slowestFirst.size(); i++) {
            int code = slowestFirst.get(i).code();
            assertThat(Rates.order(code)).as("place of code %d", code).isEqualTo(i + 1);
            assertThat(Rates.code(i + 1)).isEqualTo(code);
            assertThat(Rates.nextLower(code))
                    .isEqualTo(i == 0 ? 0 : slowestFirst.get(i - 1).code());
        }
        assertThat(Rates.compare(4, 15)).as("30 Gb/s and 25 Gb/s").isNegative();
        assertThat(Rates.compare(10, 16)).as("120 Gb/s and 100 Gb/s").isNegative();
    }
}
