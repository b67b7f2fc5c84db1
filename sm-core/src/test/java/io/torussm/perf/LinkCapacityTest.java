package io.torussm.perf;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.smp.LinkSpeed;
import io.torussm.mad.smp.PortInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The capacity of a link, by its active width. */
class LinkCapacityTest {
    private static PortInfo port(int width) {
        PortInfo port = PortInfo.TYPE.zero().with(PortInfo.CAPABILITY_MASK, PortInfo.CAP_EXTENDED_SPEEDS);
        return LinkSpeed.HDR.applyTo(port).with(PortInfo.LINK_WIDTH_ACTIVE, width);
    }

    /** LinkWidthActive as IBA 14.2.5.6 encodes it. */
    @ParameterizedTest
    @CsvSource({"1, 1", "2, 4", "4, 8", "8, 12", "16, 2"})
    void isThatOfItsLanes(int width, int lanes) {
        assertThat(LinkCapacity.of(port(width), port(width)))
                .isEqualTo(new LinkCapacity(LinkSpeed.HDR, lanes * 50e9, lanes * 50e9));
    }

    @ParameterizedTest
    @CsvSource({"0", "3", "32"})
    void isNotKnownOfAnotherWidth(int width) {
        assertThat(LinkCapacity.of(port(width), port(width))).isNull();
    }
}
