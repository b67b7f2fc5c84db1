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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The top LID of a subnet: the highest LID in its forwarding tables, with LIDs of virtual ports. Two switches have LIDs
 * 1 and 2, a host at switch 0 has LID 3, and a virtual port of the host has another LID. Tables are written in blocks
 * of 64 entries.
 */
class VPortTopLidTest {
    private static final long VPORT_GUID = 0x77;

    private final Subnet withoutVPorts = Subnets.of(fabric());

    private static Fabric fabric() {
        Sketch sketch = new Sketch();
        int sw = sketch.addSwitch("switch 1", 36);
        sketch.addSwitch("switch 2", 36);
        sketch.addHost(sw, 1);
        sketch.link(0, 2, 1, 2);
        return sketch.build();
    }

    /** Returns the subnet with a switch whose forwarding table has few entries. */
    private Subnet withCap(int sw, int linearFdbCap) {
        Fabric fabric = withoutVPorts.fabric();
        @Nullable SwitchInfo[] infos = new SwitchInfo[fabric.switchCount()];
        infos[sw] = Objects.requireNonNull(fabric.node(sw).switchInfo()).with(SwitchInfo.LINEAR_FDB_CAP, linearFdbCap);
        return withoutVPorts.with(fabric.with(infos));
    }

    private static Subnet withVPort(Subnet subnet, int lid) {
        Fabric fabric = subnet.fabric();
        int host = fabric.switchCount();
        boolean isPresent = true;
        VPortLid vport = new VPortLid(lid, fabric.portGuid(fabric.port(host, 1)), isPresent);
        return subnet.with(VPortLids.NONE.with(VPORT_GUID, vport));
    }

    @Test
    void theTopLidOfASubnetWithoutVPortsIsThatOfItsLastPort() {
        assertThat(withoutVPorts.topLid()).isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource({"4, 63", "63, 63", "64, 127", "0xBFFF, 0xBFFF"})
    void theTopLidOfASubnetWithAVPortEndsTheBlockOfItsLid(String lid, String topLid) {
        assertThat(withVPort(withoutVPorts, Integer.decode(lid)).topLid()).isEqualTo(Integer.decode(topLid));
    }

    @ParameterizedTest(name = "{0} entries")
    @CsvSource({"40, 39", "5, 4"})
    void theTopLidIsAtMostTheLastEntryOfASwitchThatForwardsTheLid(int linearFdbCap, int topLid) {
        assertThat(withVPort(withCap(0, linearFdbCap), 4).topLid()).isEqualTo(topLid);
    }

    @ParameterizedTest(name = "{0} entries")
    @ValueSource(ints = {0, 5})
    void aSwitchWithoutAnEntryForTheLidDoesNotLimitTheTopLid(int linearFdbCap) {
        assertThat(withVPort(withCap(1, linearFdbCap), 7).topLid()).isEqualTo(63);
    }
}
