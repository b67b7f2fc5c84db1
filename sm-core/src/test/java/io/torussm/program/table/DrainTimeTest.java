package io.torussm.program.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;
import io.torussm.testing.Sketch;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A ring of three switches, all links at 4x QDR with one data VL, but one port that differs. */
class DrainTimeTest {
    private static final int CABLE = 1;
    private static final int HOST = 3;
    private static final int UNPLUGGED = 4;

    private static Fabric with(int portNum, int width, int speed, int vls) {
        Fabric fabric = Sketch.ring(3).build();
        for (int port = 0; port < fabric.portCount(); port++) {
            fabric = fabric.portInfo(port) == null ? fabric : with(fabric, port, 2, 4, 1);
        }
        return with(fabric, fabric.port(1, portNum), width, speed, vls);
    }

    private static Fabric with(Fabric fabric, int port, int width, int speed, int vls) {
        PortInfo info = Objects.requireNonNull(fabric.portInfo(port));
        return fabric.with(
                port,
                info.with(PortInfo.LINK_WIDTH_ACTIVE, width)
                        .with(PortInfo.LINK_SPEED_ACTIVE, speed)
                        .with(PortInfo.OPERATIONAL_VLS, vls));
    }

    @ParameterizedTest
    @CsvSource({"2, 4, 1", "1, 1, 5", "0, 0, 0", "1, 15, 15", "15, 15, 15", "0, 0, 15"})
    void isBetween1And20Milliseconds(int width, int speed, int vls) {
        assertThat(TimeUnit.NANOSECONDS.toMicros(DrainTime.ns(with(CABLE, width, speed, vls))))
                .isBetween(1_000L, 20_000L);
    }

    /** At 4x SDR a packet of 4,224 bytes takes 4,224 ns; 63 switches with 8 VLs and 1,000 ns each. */
    @Test
    void drainTimeIsThatOf63SwitchesWithAPacketOnEachVl() {
        assertThat(DrainTime.ns(with(CABLE, 2, 1, 4))).isEqualTo(63 * (8 * 4_224 + 1_000));
        assertThat(DrainTime.ns(with(CABLE, 1, 1, 5))).isEqualTo(63 * (15 * 16_896 + 1_000));
    }

    @Test
    void doesNotDependOnHostsAndUnpluggedPorts() {
        assertThat(DrainTime.ns(with(HOST, 1, 1, 5))).isEqualTo(1_000_000);
        assertThat(DrainTime.ns(with(UNPLUGGED, 1, 1, 5))).isEqualTo(1_000_000);
    }
}
