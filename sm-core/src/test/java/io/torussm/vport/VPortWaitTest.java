package io.torussm.vport;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.vport.VNodeInfo;
import io.torussm.mad.vport.VPortInfo;
import io.torussm.mad.vport.VPortPKeyTable;
import io.torussm.mad.vport.VirtualizationInfo;
import io.torussm.partition.PartitionConf;
import io.torussm.partition.PartitionSettings;
import io.torussm.sim.model.AgentProfile;
import io.torussm.sim.model.DeviceModels;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.model.VPortModel;
import io.torussm.sim.model.VPortModel.VPortLids;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sweep.SweepHarness;
import io.torussm.sweep.state.SweepEvent;
import io.torussm.vport.VPortManager.RoutingStart;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Virtual ports that wait for tables of switches with their LIDs. */
class VPortWaitTest extends VPortCase {
    private static final VPortModel OWN = VPortModel.of(4).with(VPortLids.OWN);

    private RoutingStart start = RoutingStart.BUSY;

    @BeforeEach
    void waitForTables() {
        use(OWN, AgentProfile.CONFORMING);
        open();
        harness.sweep();
        settle();
        assertThat(state(GOOD, 3)).isEqualTo(PortInfo.STATE_INITIALIZE);
        assertThat(gets(VPortInfo.TYPE.id())).isEqualTo(12);
    }

    private void open() {
        manager.assignLids(harness.memory.lids(), harness.memory.vportLids(), this::route);
        harness.onUp = this::visit;
    }

    private RoutingStart route() {
        if (start == RoutingStart.BEGUN) {
            harness.sweeper.reroute();
        }
        return start;
    }

    private void visit(SweepEvent.SubnetUp up) {
        if (up.report().hasReadDevices()) {
            manager.visitPorts(up.view().subnet(), plan());
        } else {
            manager.visitChangedPorts(up.view().subnet(), plan());
        }
    }

    private void write() {
        start = RoutingStart.BEGUN;
        settle();
    }

    private long gets(int attribute) {
        return harness.requests.stream()
                .filter(mad -> MadHeader.method(mad) == Method.GET && MadHeader.attributeId(mad) == attribute)
                .count();
    }

    private void verifyActive(int vport) {
        VPortInfo info = agent(GOOD).info(vport);
        assertThat(info.state()).isEqualTo(PortInfo.STATE_ACTIVE);
        assertThat(harness.publishedView().subnet().vportLids().guidOf(info.lid()))
                .isEqualTo(info.portGuid());
        assertThat(manager.table().lidOf(info.portGuid())).isEqualTo(info.lid());
    }

    @Test
    void aVPortThatWaitsIsReadOnce() {
        long keys = gets(VPortPKeyTable.TYPE.id());
        write();
        verifyActive(3);
        assertThat(manager.table().countActive()).isEqualTo(12);
        assertThat(gets(VPortInfo.TYPE.id())).isEqualTo(12);
        assertThat(gets(VNodeInfo.TYPE.id())).isEqualTo(12);
        assertThat(gets(VPortPKeyTable.TYPE.id())).isEqualTo(keys);
    }

    /** The trap is lost. VPortStateChange of the port reports the change. */
    @Test
    void aVPortWhoseGuidChangedIsReadAgain() {
        harness.sweeper.traps().whenVPortsChange(lid -> {});
        agent(GOOD).changeGuid(3, 0x77);
        write();
        verifyActive(3);
        assertThat(agent(GOOD).info(3).portGuid()).isEqualTo(0x77);
    }

    @Test
    void aVPortThatWentAndReturnedGetsItsKeys() {
        long guid = agent(GOOD).info(3).portGuid();
        partition(guid);
        manager.repartitioned(plan());
        settle();
        harness.sweeper.traps().whenVPortsChange(lid -> {});
        agent(GOOD).unplug(3);
        agent(GOOD).plug(3, guid);
        write();
        verifyActive(3);
        assertThat(Arrays.stream(agent(GOOD).pKeys(3))).contains(0x8005);
    }

    @Test
    void aVPortWhoseKeysChangedIsReadAgain() {
        partition(agent(GOOD).info(3).portGuid());
        manager.repartitioned(plan());
        write();
        verifyActive(3);
        assertThat(Arrays.stream(agent(GOOD).pKeys(3))).contains(0x8005);
    }

    private void partition(long guid) {
        String lines = String.format("Default=0x7fff: ALL=full;\nP=5: 0x%016x=full;", guid);
        partitions = new PartitionSettings(
                Objects.requireNonNull(PartitionConf.parse("test", lines, true).conf()),
                PartitionSettings.Enforcement.BOTH,
                true,
                false);
    }

    @Test
    void aVPortThatHasAnotherGuidWithoutAReportStaysAsItIs() {
        harness.changeResponse = mad -> {
            if (MadHeader.attributeId(mad) == VPortInfo.TYPE.id() && MadHeader.attributeModifier(mad) == 3) {
                byte[] other = VPortInfo.TYPE
                        .read(mad, 64)
                        .with(VPortInfo.PORT_GUID, 0x99)
                        .toBytes();
                System.arraycopy(other, 0, mad, 64, other.length);
            }
        };
        write();
        assertThat(manager.table().portOf(0x99)).isZero();
        assertThat(manager.table().countActive()).isEqualTo(9);
    }

    /** 70 ports get their LIDs at the same time. */
    @Test
    void aPortThatWaitsForLidsIsNotReportedAsSlow() {
        DeviceModels models = DeviceModels.PERFECT.with(
                node -> !node.isSwitch() && !node.description().equals(SweepHarness.HOST),
                model -> model.vendor(vendor -> vendor.with(OWN)));
        harness = new SweepHarness(TorusSpec.parse("torus:9x8x1,hosts=1").topology(), models, FaultPlan.NONE);
        manager = manager();
        start = RoutingStart.BUSY;
        open();
        harness.sweep();
        settle();
        List<Long> begun = new ArrayList<>();
        harness.onUp = up -> {
            harness.requests.clear();
            visit(up);
            begun.add(gets(VirtualizationInfo.TYPE.id()));
        };
        write();
        assertThat(begun).contains((long) VPortManager.MAX_VISITS);
        assertThat(manager.table().countActive()).isEqualTo(71 * 4);
    }
}
