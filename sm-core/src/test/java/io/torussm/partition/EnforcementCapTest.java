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
    /** PartitionCap of hosts: P_Keys in a table. */
    private static final int HOST_CAP = 8;

    /** P_Keys of a full member of the default partition, of partition 1, and of one that a virtual port has. */
    private static final int DEFAULT_KEY = 0xffff;

    private static final int KEY_OF_PORT = 0x8001;
    private static final int KEY_OF_VPORT = 0x8005;

    /** Returns a host with virtual ports at port 1 of a switch with room for a number of P_Keys at a port. */
    private static Fabric virtualHost(int enforcementCap) {
        Sketch sketch = new Sketch().partitionCaps(HOST_CAP, enforcementCap);
        sketch.addSwitch("sw", 2);
        sketch.addHost(0, 1);
        Fabric fabric = sketch.build();
        int host = fabric.port(1, 1);
        PortInfo info = Objects.requireNonNull(fabric.portInfo(host))
                .with(PortInfo.CAPABILITY_MASK, PortInfo.CAP_CAPABILITY_MASK2)
                .with(PortInfo.CAPABILITY_MASK2, PortInfo.CAP2_VIRTUALIZATION);
        return fabric.with(host, info);
    }

    /** Returns settings for a subnet whose virtual ports are not known. */
    private static PartitionSettings settings() {
        PartitionConf conf = PartitionConf.parse("test", "Default=0x7fff: ALL=full;\nP=0x1: ALL=full;", true)
                .conf();
        return new PartitionSettings(Objects.requireNonNull(conf), PartitionSettings.Enforcement.BOTH, true, false)
                .with((VPortMembers) portGuid -> null);
    }

    private static PartitionPlan plan(Fabric fabric) {
        PortKeys keysOfSwitchPort = PortKeys.of(DEFAULT_KEY, KEY_OF_VPORT);
        return PartitionPlan.of(settings(), fabric, port -> keysOfSwitchPort);
    }

    @Test
    void aSwitchPortKeepsTheKeysOfUnknownVPorts() {
        Fabric fabric = virtualHost(3);
        assertThat(plan(fabric).table(fabric.port(0, 1)))
                .isEqualTo(PortKeys.of(DEFAULT_KEY, KEY_OF_VPORT, KEY_OF_PORT));
    }

    @Test
    void aSwitchPortWithoutRoomForTheKeysOfUnknownVPortsChecksThoseOfThePort() {
        Fabric fabric = virtualHost(2);
        assertThat(plan(fabric).table(fabric.port(0, 1))).isEqualTo(PortKeys.of(DEFAULT_KEY, KEY_OF_PORT));
        assertThat(plan(fabric).findings()).singleElement().asString().contains("virtual ports, which are not known");
    }

    @ParameterizedTest(name = "inbound {0}, outbound {1}")
    @CsvSource({"1, 1", "1, 0", "0, 1"})
    void enforcementIsSetOnlyInDirectionsThatTheSwitchSupports(int inbound, int outbound) {
        Sketch sketch = new Sketch().partitionCaps(HOST_CAP, HOST_CAP);
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
