package io.torussm.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.testing.Sketch;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Switches that check P_Keys in one direction only, or have room for few. */
class EnforcementCapTest {
    private static Fabric virtualHost(int enforcementCap) {
        Sketch sketch = new Sketch().partitionCaps(8, enforcementCap);
        sketch.addSwitch("sw", 2);
        sketch.addHost(0, 1);
        Fabric fabric = sketch.build();
        int host = fabric.port(1, 1);
        PortInfo info = Objects.requireNonNull(fabric.portInfo(host))
                .with(PortInfo.CAPABILITY_MASK, PortInfo.CAP_CAPABILITY_MASK2)
                .with(PortInfo.CAPABILITY_MASK2, PortInfo.CAP2_VIRTUALIZATION);
        return fabric.with(host, info);
    }

    @Test
    void aSwitchWithoutRoomForTheKeysOfUnknownVPortsChecksThoseOfThePort() {
        PartitionConf conf = PartitionConf.parse("test", "Default=0x7fff: ALL=full;\nP=0x1: ALL=full;", true)
                .conf();
        PartitionSettings settings = new PartitionSettings(
                        Objects.requireNonNull(conf), PartitionSettings.Enforcement.BOTH, true, false)
                .with((VPortMembers) portGuid -> null);
        PortKeys held = PortKeys.of(0xffff, 0x8005);
        Fabric large = virtualHost(3);
        assertThat(PartitionPlan.of(settings, large, port -> held).table(large.port(0, 1)))
                .isEqualTo(PortKeys.of(0xffff, 0x8005, 0x8001));
        Fabric small = virtualHost(2);
        PartitionPlan plan = PartitionPlan.of(settings, small, port -> held);
        assertThat(plan.table(small.port(0, 1))).isEqualTo(PortKeys.of(0xffff, 0x8001));
        assertThat(plan.findings()).singleElement().asString().contains("virtual ports, which are not known");
    }

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
        PortInfo wanted = PartitionPlan.withoutConf(fabric).withEnforcement(fabric.port(0, 1), PortInfo.TYPE.zero());
        assertThat(wanted.get(PortInfo.PARTITION_ENFORCEMENT_INBOUND)).isEqualTo(inbound);
        assertThat(wanted.get(PortInfo.PARTITION_ENFORCEMENT_OUTBOUND)).isEqualTo(outbound);
    }
}
