package io.torussm.program.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;
import io.torussm.testing.Sketch;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The drain time stays within its limits, whatever one port reports. */
class DrainTimeTest {
    private static Fabric with(int width, int speed, int vls) {
        Fabric fabric = Sketch.ring(3).build();
        int port = fabric.port(1, 1);
        return fabric.with(
                port,
                Objects.requireNonNull(fabric.portInfo(port))
                        .with(PortInfo.LINK_WIDTH_ACTIVE, width)
                        .with(PortInfo.LINK_SPEED_ACTIVE, speed)
                        .with(PortInfo.OPERATIONAL_VLS, vls));
    }

    @ParameterizedTest
    @CsvSource({"2, 4, 1", "1, 1, 5", "0, 0, 0", "1, 15, 15", "15, 15, 15", "0, 0, 15"})
    void isBetween1And20Milliseconds(int width, int speed, int vls) {
        assertThat(TimeUnit.NANOSECONDS.toMicros(DrainTime.ns(with(width, speed, vls))))
                .isBetween(1_000L, 20_000L);
    }
}
