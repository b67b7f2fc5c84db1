package io.torussm.daemon.opensm;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.alias.VPortGuids;
import io.torussm.fabric.Fabric;
import io.torussm.subnet.Subnet;
import io.torussm.subnet.VPortLids;
import io.torussm.testing.Sketch;
import io.torussm.testing.Subnets;
import org.junit.jupiter.api.Test;

class SubscriberLidsTest {
    private static final long SHARING = 0x77;
    private static final long SEPARATE = 0x78;
    private static final long WAITING = 0x79;

    /** A host with three virtual ports: one with its LID, one with LID 40, and one that has none yet. */
    @Test
    void aVirtualPortHasTheLidOfItsPortOrItsOwn() {
        Sketch sketch = new Sketch();
        sketch.addHost(sketch.addSwitch("switch", 36), 1);
        Subnet plain = Subnets.of(sketch.build());
        Fabric fabric = plain.fabric();
        int port = fabric.port(1, 1);
        long portGuid = fabric.portGuid(port);
        VPortGuids vports = new VPortGuids() {
            @Override
            public long portOf(long guid) {
                return guid >= SHARING && guid <= WAITING ? portGuid : 0;
            }

            @Override
            public int lidOf(long guid) {
                return guid == SHARING ? 0 : guid == SEPARATE ? 40 : NO_LID;
            }
        };
        Subnet subnet = plain.with(VPortLids.NONE.with(SEPARATE, new VPortLids.VPortLid(40, portGuid, true)));
        SubscriberLids lids = new SubscriberLids(subnet, vports);
        assertThat(lids.applyAsInt(portGuid)).isEqualTo(plain.lid(port));
        assertThat(lids.applyAsInt(SHARING)).isEqualTo(plain.lid(port));
        assertThat(lids.applyAsInt(SEPARATE)).isEqualTo(40);
        assertThat(lids.applyAsInt(WAITING)).isZero();
        assertThat(new SubscriberLids(plain, vports).applyAsInt(SEPARATE))
                .as("without tables")
                .isZero();
        assertThat(subnet.guidOfLid(40)).isEqualTo(SEPARATE);
        assertThat(subnet.guidOfLid(plain.lid(port))).isEqualTo(portGuid);
        assertThat(subnet.guidOfLid(41)).isZero();
    }
}
