package io.torussm.mad.sa;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.smp.LinkSpeed;
import io.torussm.mad.smp.PortInfo;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
                new Rate(24, 12, 4 * edr, SIXTY_SIX_FOR_64),
                new Rate(25, 8, 8 * edr, SIXTY_SIX_FOR_64),
                new Rate(26, 12, 8 * edr, SIXTY_SIX_FOR_64));
    }

    @Test
    void slowerLinksCarryLessData() {
        List<Rate> slowestFirst = new ArrayList<>(rates());
        slowestFirst.sort(Comparator.comparingDouble(Rate::data));
        for (int i = 0; i < slowestFirst.size(); i++) {
            int code = slowestFirst.get(i).code();
            assertThat(Rates.order(code)).as("place of code %d", code).isEqualTo(i + 1);
            assertThat(Rates.code(i + 1)).isEqualTo(code);
            assertThat(Rates.nextLower(code))
                    .isEqualTo(i == 0 ? 0 : slowestFirst.get(i - 1).code());
        }
        assertThat(Rates.isDefined(27)).isFalse();
        assertThat(Rates.compare(4, 15)).as("30 Gb/s and 25 Gb/s").isNegative();
        assertThat(Rates.compare(10, 16)).as("120 Gb/s and 100 Gb/s").isNegative();
    }

    /** Lanes are called by less than their Gbaud, from FDR on. */
    @Test
    void aRateIsCalledBySpeedAndLanes() {
        for (Rate rate : rates()) {
            double lane = rate.coding() == TEN_FOR_EIGHT ? rate.baud() : Math.floor(rate.baud() / 1.03);
            String gigabits = String.valueOf(rate.lanes() * nominal(lane)).replace(".0", "");
            assertThat(Rates.name(rate.code())).isEqualTo(gigabits + " Gb/s");
            assertThat(Rates.ofGigabits(gigabits)).hasValue(rate.code());
        }
        assertThat(Rates.ofGigabits("7")).isEmpty();
    }

    private static double nominal(double lane) {
        return lane == 13 ? 14 : lane;
    }

    /** A rate that is newer than this program is not slower than any known one. */
    @ParameterizedTest
    @CsvSource({"1, 17", "16, 21", "2, 23", "4, 25", "8, 26"})
    void anExtendedSpeedThatIsNotKnownCountsAsTheFastestThatIs(int width, int code) {
        PortInfo port = PortInfo.TYPE
                .zero()
                .with(PortInfo.CAPABILITY_MASK, PortInfo.CAP_EXTENDED_SPEEDS | PortInfo.CAP_CAPABILITY_MASK2)
                .with(PortInfo.CAPABILITY_MASK2, PortInfo.CAP2_EXTENDED_SPEEDS_2)
                .with(PortInfo.LINK_WIDTH_ACTIVE, width)
                .with(PortInfo.LINK_SPEED_ACTIVE, LinkSpeed.QDR.active());
        PortInfo newer = port.with(PortInfo.LINK_SPEED_EXT_ACTIVE2, 2);
        assertThat(Rates.of(newer, newer)).isEqualTo(code);
        assertThat(LinkSpeed.isUnknownExtended(newer, newer)).isTrue();
        assertThat(newer.speedText("?")).isEqualTo("?");
        PortInfo odd = port.with(PortInfo.LINK_SPEED_EXT_ACTIVE, 3);
        assertThat(Rates.of(odd, odd)).isEqualTo(code);
        assertThat(Rates.of(odd, null)).as("not announced").isEqualTo(Rates.of(port, port));
        assertThat(LinkSpeed.isUnknownExtended(odd, null)).isFalse();
    }
}
