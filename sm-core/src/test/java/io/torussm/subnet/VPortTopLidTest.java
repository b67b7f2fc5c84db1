package io.torussm.subnet;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.subnet.VPortLids.VPortLid;
import io.torussm.testing.Sketch;
import io.torussm.testing.Subnets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The highest LID in forwarding tables with LIDs of virtual ports. Two switches have LIDs 1 and 2, a host LID 3. */
class VPortTopLidTest {
    private final Subnet plain = Subnets.of(fabric());

    private static Fabric fabric() {
        Sketch sketch = new Sketch();
        int sw = sketch.addSwitch("switch 1", 36);
        sketch.addSwitch("switch 2", 36);
        sketch.addHost(sw, 1);
        sketch.link(0, 2, 1, 2);
        return sketch.build();
    }

    private Subnet withCap(int sw, int linearFdbCap) {
        Fabric fabric = plain.fabric();
        @Nullable SwitchInfo[] infos = new SwitchInfo[fabric.switchCount()];
        infos[sw] = Objects.requireNonNull(fabric.node(sw).switchInfo()).with(SwitchInfo.LINEAR_FDB_CAP, linearFdbCap);
        return plain.with(fabric.with(infos));
    }

    private static Subnet withVPort(Subnet subnet, int lid) {
        Fabric fabric = subnet.fabric();
        long portGuid = fabric.portGuid(fabric.port(2, 1));
        return subnet.with(VPortLids.NONE.with(0x77, new VPortLid(lid, portGuid, true)));
    }

    @Test
    void itIsTheLastOneOfABlock() {
        assertThat(plain.topLid()).isEqualTo(3);
        assertThat(withVPort(plain, 4).topLid()).isEqualTo(63);
        assertThat(withVPort(plain, 63).topLid()).isEqualTo(63);
        assertThat(withVPort(plain, 64).topLid()).isEqualTo(127);
        assertThat(withVPort(plain, 0xBFFF).topLid()).isEqualTo(0xBFFF);
    }

    /** A switch that does not forward the LID of the vport anyway does not limit others. */
    @Test
    void itExceedsNoLimitOfASwitch() {
        assertThat(withVPort(withCap(0, 40), 4).topLid()).isEqualTo(39);
        assertThat(withVPort(withCap(0, 5), 4).topLid()).isEqualTo(4);
        assertThat(withVPort(withCap(1, 5), 7).topLid()).isEqualTo(63);
        assertThat(withVPort(withCap(1, 0), 7).topLid()).isEqualTo(63);
    }
}
