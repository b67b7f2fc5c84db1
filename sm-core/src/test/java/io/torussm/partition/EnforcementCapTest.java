package io.torussm.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.testing.Sketch;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Switches that check P_Keys in one direction only. */
class EnforcementCapTest {
    @ParameterizedTest
    @CsvSource({"1, 1", "1, 0", "0, 1"})
    void aSwitchIsAskedForNothingThatItCannotCheck(int inbound, int outbound) {
        Sketch sketch = new Sketch().partitionCaps(8, 8);
        sketch.addSwitch("sw", 2);
        sketch.addHost(0, 1);
        Fabric all = sketch.build();
        SwitchInfo info = Objects.requireNonNull(all.node(0).switchInfo())
                .with(SwitchInfo.INBOUND_ENFORCEMENT_CAP, inbound)
                .with(SwitchInfo.OUTBOUND_ENFORCEMENT_CAP, outbound);
        Fabric fabric = all.with(new SwitchInfo[] {info});
        PortInfo wanted = PartitionPlan.open(fabric).enforced(fabric.port(0, 1), PortInfo.TYPE.zero());
        assertThat(wanted.get(PortInfo.PARTITION_ENFORCEMENT_INBOUND)).isEqualTo(inbound);
        assertThat(wanted.get(PortInfo.PARTITION_ENFORCEMENT_OUTBOUND)).isEqualTo(outbound);
    }
}
