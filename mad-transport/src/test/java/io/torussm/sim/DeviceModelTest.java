package io.torussm.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.MulticastForwardingTable;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.mad.smp.VlArbitrationTable;
import io.torussm.sim.model.BouncingLink;
import io.torussm.sim.model.DeviceModels;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Hardware;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Devices after power-up, the devices that a rule matches, and links that bounce at the moment of a request. */
class DeviceModelTest {
    private static final long SWITCH = RowFabric.switchGuid(1);
    private static final long HOST = RowFabric.hostGuid(1);
    private static final int[] TO_SWITCH = RowFabric.toSwitch(1);

    private static RowFabric row(DeviceModels models) {
        return new RowFabric(models, FaultPlan.NONE);
    }

    private static DeviceModels switchModels(UnaryOperator<Hardware> change) {
        return DeviceModels.PERFECT.with(DeviceModels.byDescription("sw-*"), model -> model.hardware(change));
    }

    @Test
    void laterRulesChangeWhatEarlierOnesLeft() {
        DeviceModels models = DeviceModels.PERFECT
                .with(DeviceModels.byDescription("*"), model -> model.hardware(each -> each.withVls(Hardware.VL0_TO_3)))
                .with(DeviceModels.byDescription("sw-0-0-?"), model -> model.hardware(each -> each.withMtu(5, 1)))
                .with(DeviceModels.byGuid(HOST), model -> model.hardware(each -> each.withVls(Hardware.VL0)));
        RowFabric row = row(models);
        assertThat(row.fabric.portInfo(SWITCH, 1).get(PortInfo.VL_CAP)).isEqualTo(Hardware.VL0_TO_3);
        assertThat(row.fabric.portInfo(SWITCH, 1).get(PortInfo.OPERATIONAL_VLS)).isEqualTo(Hardware.VL0_TO_3);
        assertThat(row.fabric.portInfo(SWITCH, 1).get(PortInfo.MTU_CAP)).isEqualTo(Hardware.MTU_4096);
        assertThat(row.fabric.portInfo(SWITCH, 1).get(PortInfo.NEIGHBOR_MTU)).isEqualTo(Hardware.MTU_256);
        assertThat(row.fabric.portInfo(HOST, 1).get(PortInfo.VL_CAP)).isEqualTo(Hardware.VL0);
        assertThat(row.fabric.portInfo(HOST, 1).get(PortInfo.MTU_CAP)).isEqualTo(Hardware.MTU_2048);
    }

    @Test
    void aPatternIsNoRegularExpression() {
        DeviceModels models = DeviceModels.PERFECT.with(
                DeviceModels.byDescription("host.0.0.1.0"), model -> model.hardware(each -> each.withVls(1)));
        assertThat(row(models).fabric.portInfo(HOST, 1).get(PortInfo.VL_CAP)).isEqualTo(Hardware.VL0_TO_7);
    }

    @Test
    void anEnhancedPort0MayComeUpWithAnotherMtu() {
        RowFabric row = row(switchModels(each -> each.withPort0NeighborMtu(Hardware.MTU_256)));
        assertThat(row.fabric.portInfo(SWITCH, 0).get(PortInfo.NEIGHBOR_MTU)).isEqualTo(Hardware.MTU_256);
        assertThat(row.fabric.portInfo(SWITCH, 0).get(PortInfo.MTU_CAP)).isEqualTo(Hardware.MTU_2048);
        assertThat(row.fabric.portInfo(SWITCH, 1).get(PortInfo.NEIGHBOR_MTU)).isEqualTo(Hardware.MTU_2048);
    }

    @Test
    void onlyHostsAnnounceReregistrationAndNotAllOfThem() {
        RowFabric usual = row(DeviceModels.PERFECT);
        assertThat(usual.fabric.portInfo(HOST, 1).hasCapability(PortInfo.CAP_CLIENT_REREGISTRATION))
                .isTrue();
        assertThat(usual.fabric.portInfo(SWITCH, 0).hasCapability(PortInfo.CAP_CLIENT_REREGISTRATION))
                .isFalse();
        RowFabric old = row(DeviceModels.PERFECT.with(
                DeviceModels.byGuid(HOST), model -> model.hardware(each -> each.reregistering(false))));
        assertThat(old.fabric.portInfo(HOST, 1).hasCapability(PortInfo.CAP_CLIENT_REREGISTRATION))
                .isFalse();
    }

    @Test
    void largeArbitrationTablesHaveFourParts() {
        RowFabric row = row(switchModels(each -> each.withVlArbitration(Hardware.MAX_VL_ARBITRATION_CAP)));
        for (int part = 1; part <= 4; part++) {
            row.sm.set(arbitration(part), part << 16 | RowFabric.EAST, TO_SWITCH);
        }
        for (int part = 1; part <= 4; part++) {
            assertThat(row.sm.get(VlArbitrationTable.TYPE, part << 16 | RowFabric.EAST, TO_SWITCH))
                    .isEqualTo(arbitration(part));
            assertThat(row.fabric.vlArbitration(SWITCH, RowFabric.EAST, part)).isEqualTo(arbitration(part));
        }
        assertThat(row.sm.getStatus(VlArbitrationTable.TYPE, 5 << 16 | 1, TO_SWITCH))
                .isEqualTo(MadStatus.INVALID_FIELD);
    }

    @Test
    void aTableOf40EntriesHasEightInItsSecondParts() {
        RowFabric row = row(switchModels(each -> each.withVlArbitration(40)));
        VlArbitrationTable kept = row.sm.set(arbitration(2), 2 << 16 | 1, TO_SWITCH);
        byte[] expected = Arrays.copyOf(Arrays.copyOf(arbitration(2).toBytes(), 16), 64);
        assertThat(kept.toBytes()).isEqualTo(expected);
    }

    @Test
    void aSmallTableHasNoSecondParts() {
        RowFabric row = row(DeviceModels.PERFECT);
        assertThat(row.sm.getStatus(VlArbitrationTable.TYPE, 2 << 16 | 1, TO_SWITCH))
                .isEqualTo(MadStatus.INVALID_FIELD);
    }

    private static VlArbitrationTable arbitration(int seed) {
        byte[] entries = new byte[64];
        for (int i = 0; i < entries.length; i++) {
            entries[i] = (byte) (i % 2 == 0 ? i % 8 : seed);
        }
        return VlArbitrationTable.TYPE.read(entries, 0);
    }

    @Test
    void aDirectionThatCannotBeEnforcedStaysOff() {
        RowFabric row = row(switchModels(each -> each.enforcing(true, false)));
        SwitchInfo info = row.fabric.switchInfo(SWITCH);
        assertThat(info.get(SwitchInfo.INBOUND_ENFORCEMENT_CAP)).isEqualTo(1);
        assertThat(info.get(SwitchInfo.OUTBOUND_ENFORCEMENT_CAP)).isZero();
        PortInfo answer = row.sm.set(
                PortInfo.TYPE
                        .zero()
                        .with(PortInfo.PARTITION_ENFORCEMENT_INBOUND, 1)
                        .with(PortInfo.PARTITION_ENFORCEMENT_OUTBOUND, 1),
                RowFabric.EAST,
                TO_SWITCH);
        assertThat(answer.get(PortInfo.PARTITION_ENFORCEMENT_INBOUND)).isEqualTo(1);
        assertThat(answer.get(PortInfo.PARTITION_ENFORCEMENT_OUTBOUND)).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {36, 40, 64, 65, 128, 144, 254})
    void largeSwitchesHaveAPositionForEverySixteenPorts(int ports) {
        VirtualLoop loop = new VirtualLoop();
        SimFabric fabric = new SimFabric(
                TorusSpec.parse("torus:1x1x2,mesh=z,hosts=2,ports=" + ports).topology(), loop, FaultPlan.NONE);
        Probe sm = new Probe(fabric, loop, "host-0-0-0-1", 1);
        assertThat(sm.get(NodeInfo.TYPE, 0, 1).numPorts()).isEqualTo(ports);
        assertThat(sm.get(NodeInfo.TYPE, 0, 1, ports).nodeType()).isEqualTo(NodeInfo.CHANNEL_ADAPTER);
        int last = ports / 16;
        byte[] masks = new byte[64];
        masks[0] = (byte) (1 << ports % 16 >> 8);
        masks[1] = (byte) (1 << ports % 16);
        sm.set(MulticastForwardingTable.TYPE.read(masks, 0), last << 28, 1);
        long[] forwarded = fabric.mft(0x200000, 0xC000);
        assertThat(forwarded[ports / 64]).isEqualTo(1L << ports % 64);
        assertThat(
                        last == 15
                                ? MadStatus.INVALID_FIELD
                                : sm.getStatus(MulticastForwardingTable.TYPE, last + 1 << 28, 1))
                .isEqualTo(MadStatus.INVALID_FIELD);
    }

    @Test
    void anActionTakesPlaceAtTheCountedRequestBeforeItsAnswer() {
        RowFabric row = row(DeviceModels.PERFECT).configure();
        int lft = LinearForwardingTable.TYPE.id();
        row.fabric.onRequest(lft, Method.GET, 2, () -> row.fabric.unlink(RowFabric.switchGuid(0), RowFabric.EAST));
        assertThat(row.sm.getStatus(LinearForwardingTable.TYPE, 0, TO_SWITCH)).isZero();
        assertThat(row.sm.getStatus(NodeInfo.TYPE, 0, TO_SWITCH)).isZero();
        assertThat(row.sm.getStatus(LinearForwardingTable.TYPE, 0, TO_SWITCH)).isEqualTo(-1);
        row.fabric.relink(RowFabric.switchGuid(0), RowFabric.EAST);
        assertThat(row.sm.getStatus(LinearForwardingTable.TYPE, 0, TO_SWITCH)).isZero();
    }

    @Test
    void aLinkBouncesAgainAfterItsPause() {
        long ms = TimeUnit.MILLISECONDS.toNanos(1);
        BouncingLink bounce =
                new BouncingLink(RowFabric.EAST, LinearForwardingTable.TYPE.id(), Method.SET, 1, 10 * ms, 100 * ms);
        RowFabric row = row(DeviceModels.PERFECT.with(
                DeviceModels.byGuid(RowFabric.switchGuid(0)), model -> model.bouncing(bounce)));
        for (int i = 0; i < 3; i++) {
            row.sm.setStatus(LinearForwardingTable.TYPE.zero(), 0, RowFabric.toSwitch(0));
            assertThat(isUp(row)).isFalse();
            row.loop.runFor(11 * ms);
            assertThat(isUp(row)).isTrue();
            row.sm.setStatus(LinearForwardingTable.TYPE.zero(), 0, RowFabric.toSwitch(0));
            assertThat(isUp(row)).isTrue();
            row.loop.runFor(100 * ms);
        }
    }

    private static boolean isUp(RowFabric row) {
        return row.fabric.portInfo(RowFabric.switchGuid(0), RowFabric.EAST).isLinkUp();
    }

    @Test
    void rulesOfAnAgentMayHoldForATimeOnly() {
        RowFabric row = row(DeviceModels.PERFECT.with(
                DeviceModels.byGuid(SWITCH),
                model -> model.agent(agent -> agent.droppingAll().during(1_000_000_000L, 2_000_000_000L))));
        assertThat(row.sm.getStatus(NodeInfo.TYPE, 0, TO_SWITCH)).isZero();
        row.loop.runFor(1_000_000_000L);
        assertThat(row.sm.getStatus(NodeInfo.TYPE, 0, TO_SWITCH)).isEqualTo(-1);
        row.loop.runFor(1_000_000_000L);
        assertThat(row.sm.getStatus(NodeInfo.TYPE, 0, TO_SWITCH)).isZero();
    }

    @Test
    void impossibleShapesAreRefused() {
        assertThatThrownBy(() -> Hardware.DEFAULT.withVls(6)).hasMessageContaining("VLCap is 1 to 5, not 6");
        assertThatThrownBy(() -> Hardware.DEFAULT.withVlArbitration(65)).hasMessageContaining("1 to 64");
        assertThatThrownBy(() -> new BouncingLink(0, 0, 0, 1, 0, 0)).hasMessageContaining("at least 1");
        BouncingLink nowhere = new BouncingLink(99, 0, 0, 1, 0, 0);
        assertThatThrownBy(() ->
                        row(DeviceModels.PERFECT.with(DeviceModels.byGuid(SWITCH), model -> model.bouncing(nowhere))))
                .hasMessageContaining("has no port 99");
    }
}
