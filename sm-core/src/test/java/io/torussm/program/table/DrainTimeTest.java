package io.torussm.program.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;
import io.torussm.testing.Sketch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DrainTimeTest {
    /** A ring of which one cable, at both ends, has another width and speed than the others, which have 4x QDR and a VL. */
    private static Fabric ring(int width, int speed, int vls) {
        Fabric fabric = Sketch.ring(4).build();
        PortInfo[] infos = new PortInfo[fabric.portCount()];
        for (int port = 0; port < infos.length; port++) {
            PortInfo info = fabric.portInfo(port);
            boolean isSlow = port == fabric.port(0, 1) || port == fabric.peer(fabric.port(0, 1));
            infos[port] = info == null
                    ? null
                    : info.with(PortInfo.LINK_WIDTH_ACTIVE, isSlow ? width : 2)
                            .with(PortInfo.LINK_SPEED_ACTIVE, isSlow ? speed : 4)
                            .with(PortInfo.OPERATIONAL_VLS, isSlow ? vls : 1);
        }
        return fabric.with(infos);
    }

    /** 63 switches of 1 us, and of one packet of 42,240 bits on each VL. */
    @ParameterizedTest
    @CsvSource({"1, 1, 1, 1127", "1, 1, 4, 8578", "2, 1, 4, 2191", "2, 1, 5, 4054", "2, 4, 4, 1000", "1, 1, 5, 16029"})
    void theSlowestLinkOfTheFabricCounts(int width, int speed, int vls, long microseconds) {
        assertThat(TimeUnit.NANOSECONDS.toMicros(DrainTime.ns(ring(width, speed, vls))))
                .isEqualTo(microseconds);
    }

    @Test
    void aFabricWithoutCablesBetweenSwitchesNeedsTheLeast() {
        Sketch sketch = new Sketch();
        sketch.addSwitch("sw", 4);
        sketch.addHost(0, 1);
        assertThat(DrainTime.ns(sketch.build())).isEqualTo(TimeUnit.MILLISECONDS.toNanos(1));
    }
}
