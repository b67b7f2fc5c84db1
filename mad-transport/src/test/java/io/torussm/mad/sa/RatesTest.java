package io.torussm.mad.sa;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.smp.LinkSpeed;
import io.torussm.mad.smp.LinkWidth;
import io.torussm.mad.smp.PortInfo;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The codes of rates (IBA 15.2.5.16), which are not in the order of speed. The test orders them by the data that they
 * carry: lanes, signalling rate and line code.
 */
class RatesTest {
    private static final int FIRST_CODE = 2;
    private static final int LAST_CODE = 26;

    /** A LinkSpeedExtActive with the bits of FDR and EDR, though a link has one speed. */
    private static final int TWO_SPEEDS = 3;

    /** The signalling rate of a lane (IBA volume 2), its nominal rate, and the share that is data. */
    private enum Lane {
        SDR(2.5, 2.5, 8.0 / 10),
        DDR(5, 5, 8.0 / 10),
        QDR(10, 10, 8.0 / 10),
        FDR(14.0625, 14, 64.0 / 66),
        EDR(25.78125, 25, 64.0 / 66),
        HDR(2 * 25.78125, 50, 64.0 / 66),
        NDR(4 * 25.78125, 100, 64.0 / 66),
        XDR(8 * 25.78125, 200, 64.0 / 66);

        final double gigabaud;
        final double nominalGigabits;
        final double dataShare;

        Lane(double gigabaud, double nominalGigabits, double dataShare) {
            this.gigabaud = gigabaud;
            this.nominalGigabits = nominalGigabits;
            this.dataShare = dataShare;
        }
    }

    private record Rate(int code, int lanes, Lane lane) {
        double data() {
            return lanes * lane.gigabaud * lane.dataShare;
        }

        /** Returns the rate without a fraction of 0, such as {@code 2.5} and {@code 40}. */
        String nominalGigabits() {
            return String.valueOf(lanes * lane.nominalGigabits).replace(".0", "");
        }
    }

    private static List<Rate> rates() {
        return List.of(
                new Rate(2, 1, Lane.SDR),
                new Rate(3, 4, Lane.SDR),
                new Rate(4, 12, Lane.SDR),
                new Rate(5, 1, Lane.DDR),
                new Rate(6, 4, Lane.DDR),
                new Rate(7, 4, Lane.QDR),
                new Rate(8, 12, Lane.DDR),
                new Rate(9, 8, Lane.QDR),
                new Rate(10, 12, Lane.QDR),
                new Rate(11, 1, Lane.FDR),
                new Rate(12, 4, Lane.FDR),
                new Rate(13, 8, Lane.FDR),
                new Rate(14, 12, Lane.FDR),
                new Rate(15, 1, Lane.EDR),
                new Rate(16, 4, Lane.EDR),
                new Rate(17, 8, Lane.EDR),
                new Rate(18, 12, Lane.EDR),
                new Rate(19, 2, Lane.FDR),
                new Rate(20, 1, Lane.HDR),
                new Rate(21, 4, Lane.NDR),
                new Rate(22, 12, Lane.HDR),
                new Rate(23, 8, Lane.NDR),
                new Rate(24, 12, Lane.NDR),
                new Rate(25, 8, Lane.XDR),
                new Rate(26, 12, Lane.XDR));
    }

    @Test
    void codesFrom2To26AreDefined() {
        assertThat(IntStream.rangeClosed(FIRST_CODE, LAST_CODE)).allMatch(Rates::isDefined);
        assertThat(Rates.isDefined(FIRST_CODE - 1)).isFalse();
        assertThat(Rates.isDefined(LAST_CODE + 1)).isFalse();
    }

    @Test
    void theOrderOfCodesIsThatOfTheDataTheyCarry() {
        List<Rate> slowestFirst = new ArrayList<>(rates());
        slowestFirst.sort(Comparator.comparingDouble(Rate::data));
        for (int i = 0; i < slowestFirst.size(); i++) {
            int code = slowestFirst.get(i).code();
            assertThat(Rates.order(code)).as("place of code %d", code).isEqualTo(i + 1);
            assertThat(Rates.code(i + 1)).isEqualTo(code);
            assertThat(Rates.nextLower(code))
                    .isEqualTo(i == 0 ? 0 : slowestFirst.get(i - 1).code());
        }
    }

    /** Of 30 Gb/s SDR, 24 are data; of 25 Gb/s EDR, 25. */
    @Test
    void aRateOfAnOldLineCodeIsBelowALowerRateOfTheNewOne() {
        int sdr30 = 4;
        int edr25 = 15;
        int qdr120 = 10;
        int edr100 = 16;
        assertThat(Rates.compare(sdr30, edr25)).isNegative();
        assertThat(Rates.compare(qdr120, edr100)).isNegative();
    }

    @Test
    void theNameOfARateIsTheNominalRateOfItsLanes() {
        for (Rate rate : rates()) {
            assertThat(Rates.name(rate.code())).isEqualTo(rate.nominalGigabits() + " Gb/s");
            assertThat(Rates.ofGigabits(rate.nominalGigabits())).hasValue(rate.code());
        }
        assertThat(Rates.ofGigabits("7")).isEmpty();
    }

    /** XDR is the fastest speed. If a width has no code at XDR, that of another width with as many Gb/s counts. */
    @ParameterizedTest
    @CsvSource({"X1, 17", "X2, 21", "X4, 23", "X8, 25", "X12, 26"})
    void anUnknownExtendedSpeedCountsAsTheFastestKnownOne(LinkWidth width, int code) {
        PortInfo port = PortInfo.TYPE
                .zero()
                .with(PortInfo.CAPABILITY_MASK, PortInfo.CAP_EXTENDED_SPEEDS | PortInfo.CAP_CAPABILITY_MASK2)
                .with(PortInfo.CAPABILITY_MASK2, PortInfo.CAP2_EXTENDED_SPEEDS_2)
                .with(PortInfo.LINK_WIDTH_ACTIVE, width.code())
                .with(PortInfo.LINK_SPEED_ACTIVE, LinkSpeed.QDR.active());
        PortInfo newer = port.with(PortInfo.LINK_SPEED_EXT_ACTIVE2, LinkSpeed.XDR.extActive2() << 1);
        assertThat(Rates.of(newer, newer)).isEqualTo(code);
        assertThat(LinkSpeed.isUnknownExtended(newer, newer)).isTrue();
        assertThat(newer.speedText("?")).isEqualTo("?");
        PortInfo undefined = port.with(PortInfo.LINK_SPEED_EXT_ACTIVE, TWO_SPEEDS);
        assertThat(Rates.of(undefined, undefined)).isEqualTo(code);
    }

    @Test
    void anUnknownExtendedSpeedThatThePortDoesNotAnnounceIsIgnored() {
        PortInfo port = PortInfo.TYPE
                .zero()
                .with(PortInfo.LINK_WIDTH_ACTIVE, LinkWidth.X4.code())
                .with(PortInfo.LINK_SPEED_ACTIVE, LinkSpeed.QDR.active());
        PortInfo undefined = port.with(PortInfo.LINK_SPEED_EXT_ACTIVE, TWO_SPEEDS);
        assertThat(Rates.of(undefined, null)).isEqualTo(Rates.of(port, port));
        assertThat(LinkSpeed.isUnknownExtended(undefined, null)).isFalse();
    }
}
