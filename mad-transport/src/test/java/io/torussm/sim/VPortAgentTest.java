package io.torussm.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.smp.GeneralInfo;
import io.torussm.mad.smp.Notice;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.mad.vport.VNodeDescription;
import io.torussm.mad.vport.VNodeInfo;
import io.torussm.mad.vport.VPortGuidInfo;
import io.torussm.mad.vport.VPortInfo;
import io.torussm.mad.vport.VPortModifier;
import io.torussm.mad.vport.VPortPKeyTable;
import io.torussm.mad.vport.VPortStateTable;
import io.torussm.mad.vport.VirtualizationInfo;
import io.torussm.sim.agent.VPortAgent;
import io.torussm.sim.model.DeviceModels;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.model.VPortModel;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The agent of virtual ports at the second host of a row of three. */
class VPortAgentTest {
    private static final int[] PATH = RowFabric.toHost(1);
    private static final long HOST = RowFabric.hostGuid(1);
    private static final int VPORT = 3;

    private static RowFabric row(VPortModel model) {
        DeviceModels models = DeviceModels.PERFECT.with(
                DeviceModels.byGuid(HOST), before -> before.vendor(vendor -> vendor.with(model)));
        return new RowFabric(models, FaultPlan.NONE).configure();
    }

    private static VPortAgent agent(RowFabric row) {
        return row.fabric.interventions().vports(HOST, 1);
    }

    private static void enable(RowFabric row) {
        row.sm.set(VirtualizationInfo.TYPE.zero().with(VirtualizationInfo.ENABLE, 1), 0, PATH);
    }

    private static int toState(RowFabric row, int state) {
        return row.sm.setStatus(VPortInfo.TYPE.zero().with(VPortInfo.STATE, state), VPORT, PATH);
    }

    @Test
    void aDeviceAnnouncesVPortsInBothMasks() {
        RowFabric row = row(VPortModel.of(5));
        GeneralInfo info = row.sm.get(GeneralInfo.TYPE, GeneralInfo.MASK_MODIFIER, PATH);
        assertThat(info.hasCapability(GeneralInfo.VIRTUALIZATION)).isTrue();
        assertThat(info.hasCapability(GeneralInfo.ADAPTIVE_ROUTING)).isFalse();
        assertThat(row.fabric.portInfo(HOST, 1).hasCapability2(PortInfo.CAP2_VIRTUALIZATION))
                .isTrue();
        assertThat(row.sm.getStatus(GeneralInfo.TYPE, GeneralInfo.MASK_MODIFIER, RowFabric.toHost(2)))
                .isEqualTo(MadStatus.UNSUPPORTED_METHOD_ATTRIBUTE);
        assertThat(row.sm.getStatus(VirtualizationInfo.TYPE, 0, RowFabric.toHost(2)))
                .isEqualTo(MadStatus.UNSUPPORTED_METHOD_ATTRIBUTE);
    }

    @Test
    void vportsAreDownUntilVirtualizationIsEnabled() {
        RowFabric row = row(VPortModel.of(5));
        assertThat(row.sm.get(VPortStateTable.TYPE, 0, PATH)).isEqualTo(VPortStateTable.of(2, 1, 1, 1, 1));
        enable(row);
        VPortStateTable states = row.sm.get(VPortStateTable.TYPE, 0, PATH);
        assertThat(List.of(states.state(0), states.state(4), states.state(5))).containsExactly(2, 2, 0);
        VirtualizationInfo info = row.sm.get(VirtualizationInfo.TYPE, 0, PATH);
        assertThat(info.vportIndexTop()).isEqualTo(4);
        assertThat(info.isEnabled()).isTrue();
    }

    @Test
    void aVPortBecomesActiveInTwoSetsAndFallsWithItsPort() {
        RowFabric row = row(VPortModel.of(5).enabled());
        assertThat(toState(row, PortInfo.STATE_ACTIVE)).isEqualTo(MadStatus.INVALID_FIELD);
        assertThat(toState(row, PortInfo.STATE_ARMED)).isZero();
        assertThat(toState(row, PortInfo.STATE_ACTIVE)).isZero();
        assertThat(agent(row).info(VPORT).state()).isEqualTo(PortInfo.STATE_ACTIVE);
        row.fabric.unlink(HOST, 1);
        assertThat(agent(row).info(VPORT).state()).isEqualTo(PortInfo.STATE_DOWN);
        row.fabric.relink(HOST, 1);
        assertThat(agent(row).info(VPORT).state()).isEqualTo(PortInfo.STATE_INITIALIZE);
        assertThat(toState(row, PortInfo.STATE_ARMED))
                .as("the port is in INITIALIZE")
                .isEqualTo(MadStatus.INVALID_FIELD);
    }

    @Test
    void anAgentMayTakeASetToActiveAlone() {
        RowFabric row = row(VPortModel.of(5).enabled().with(VPortModel.VPortActivation.DIRECT));
        assertThat(toState(row, PortInfo.STATE_ARMED)).isEqualTo(MadStatus.INVALID_FIELD);
        assertThat(toState(row, PortInfo.STATE_ACTIVE)).isZero();
    }

    @Test
    void onlyAVPortThatRequiresALidTakesOne() {
        RowFabric shared = row(VPortModel.of(5).enabled());
        VPortInfo lid = VPortInfo.TYPE.zero().with(VPortInfo.LID, 77);
        assertThat(shared.sm.set(lid, VPORT, PATH).lid()).isZero();
        RowFabric own = row(VPortModel.of(5).enabled().with(VPortModel.VPortLids.OWN));
        assertThat(toState(own, PortInfo.STATE_ARMED)).as("without a LID").isEqualTo(MadStatus.INVALID_FIELD);
        assertThat(own.sm.set(lid, VPORT, PATH).lid()).isEqualTo(77);
        assertThat(own.sm.get(VPortInfo.TYPE, 0, PATH).isLidRequired()).isFalse();
    }

    @Test
    void tablesAreFoundInTheOrderOfTheAgentOnly() {
        for (VPortModifier order : VPortModifier.values()) {
            RowFabric row = row(VPortModel.of(5).enabled().with(order));
            long guid = agent(row).info(VPORT).portGuid();
            VPortGuidInfo guids = row.sm.get(VPortGuidInfo.TYPE, order.of(VPORT, 0), PATH);
            assertThat(guids.guid(0)).isEqualTo(guid);
            VPortModifier other = order == VPortModifier.VPORT_IN_UPPER_HALF
                    ? VPortModifier.VPORT_IN_LOWER_HALF
                    : VPortModifier.VPORT_IN_UPPER_HALF;
            assertThat(row.sm.getStatus(VPortGuidInfo.TYPE, other.of(VPORT, 0), PATH))
                    .isEqualTo(MadStatus.INVALID_FIELD);
            VPortPKeyTable pKeys = VPortPKeyTable.blockOf(new short[] {0x7001, (short) 0x8002}, 0);
            row.sm.set(pKeys, order.of(VPORT, 1), PATH);
            assertThat(agent(row).pKeys(VPORT)[32]).isEqualTo(0x7001);
            assertThat(agent(row).pKeys(VPORT)[0]).isEqualTo(0xffff);
        }
    }

    @Test
    void theOwnGuidStaysWhenAliasesAreWritten() {
        RowFabric row = row(VPortModel.of(5).enabled());
        long own = agent(row).info(VPORT).portGuid();
        VPortGuidInfo after = row.sm.set(VPortGuidInfo.of(1, 2), VPortModifier.VPORT_IN_UPPER_HALF.of(VPORT, 0), PATH);
        assertThat(after).isEqualTo(VPortGuidInfo.of(own, 2));
    }

    @Test
    void aVPortThatArrivesIsReportedUntilTheSmRepresses() {
        RowFabric row = row(VPortModel.of(5).enabled());
        row.sm.received.clear();
        agent(row).plug(9, 0x99);
        row.loop.runFor(1);
        Notice trap = Notice.TYPE.read(row.sm.received.get(0).mad(), Smp.DATA_OFFSET);
        assertThat(MadHeader.method(row.sm.received.get(0).mad())).isEqualTo(Method.TRAP);
        assertThat(trap.vendorTrapNumber()).isEqualTo(1146);
        assertThat(trap.lidAddress()).isEqualTo(RowFabric.SM_LID + 1);
        VirtualizationInfo info = row.sm.get(VirtualizationInfo.TYPE, 0, PATH);
        assertThat(info.get(VirtualizationInfo.STATE_CHANGE)).isEqualTo(1);
        assertThat(info.vportIndexTop()).isEqualTo(9);
        assertThat(row.sm.set(info, 0, PATH).get(VirtualizationInfo.STATE_CHANGE))
                .isZero();
        assertThat(row.fabric.pendingTrapCount()).isEqualTo(1);
    }

    @Test
    void aMovedVPortKeepsItsGuidAndNothingElse() {
        RowFabric row = row(VPortModel.of(5).enabled());
        toState(row, PortInfo.STATE_ARMED);
        long guid = agent(row).info(VPORT).portGuid();
        agent(row).unplug(VPORT);
        assertThat(row.sm.getStatus(VPortInfo.TYPE, VPORT, PATH)).isEqualTo(MadStatus.INVALID_FIELD);
        assertThatIllegalArgumentException().isThrownBy(() -> agent(row).unplug(VPORT));
        agent(row).plug(1 + 4, guid);
        assertThat(agent(row).info(5).portGuid()).isEqualTo(guid);
        assertThat(agent(row).info(5).state()).isEqualTo(PortInfo.STATE_INITIALIZE);
        agent(row).changeGuid(5, 0x55);
        assertThat(row.sm.get(VPortInfo.TYPE, 5, PATH).portGuid()).isEqualTo(0x55);
    }

    @Test
    void eachVPortHasAVirtualNode() {
        RowFabric row = row(VPortModel.of(5).enabled());
        assertThat(row.sm.get(VNodeInfo.TYPE, VPORT, PATH).partitionCap()).isEqualTo(64);
        assertThat(row.sm.get(VNodeDescription.TYPE, VPORT, PATH).text()).isEqualTo("vport 3");
        agent(row).setDescription(VPORT, "guest 7");
        assertThat(row.sm.get(VNodeDescription.TYPE, VPORT, PATH).text()).isEqualTo("guest 7");
        assertThat(row.sm.getStatus(VNodeInfo.TYPE, 90, PATH)).isEqualTo(MadStatus.INVALID_FIELD);
    }

    @Test
    void clientsAreAskedToRegisterAgain() {
        RowFabric row = row(VPortModel.of(5).enabled());
        row.sm.set(VPortInfo.TYPE.zero().with(VPortInfo.CLIENT_REREGISTER, 1), VPORT, PATH);
        row.sm.set(
                VirtualizationInfo.TYPE
                        .zero()
                        .with(VirtualizationInfo.ENABLE, 1)
                        .with(VirtualizationInfo.CLIENT_REREGISTER, 1),
                0,
                PATH);
        assertThat(agent(row).reregistrations(VPORT)).isEqualTo(2);
        assertThat(agent(row).reregistrations(1)).isEqualTo(1);
    }
}
