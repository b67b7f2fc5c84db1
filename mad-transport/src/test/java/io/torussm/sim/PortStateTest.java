package io.torussm.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.MadStatus;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The port state machine and the fields of PortInfo, on port 3 of the middle switch of a row of three. */
class PortStateTest {
    private static final long MIDDLE = 0x200010;
    private static final int EAST = 5;
    private static final int WEST = 6;
    private static final int UNPLUGGED = 1;
    private static final int[] TO_MIDDLE = {1, EAST};

    private final VirtualLoop loop = new VirtualLoop();
    private final SimFabric fabric =
            new SimFabric(TorusSpec.parse("torus:1x1x3,mesh=z").topology(), loop, FaultPlan.NONE);
    private final Probe probe = new Probe(fabric, loop, "host-0-0-0-0", 1);

    private int setPortState(int portNum, int state) {
        return probe.setStatus(PortInfo.TYPE.zero().with(PortInfo.PORT_STATE, state), portNum, TO_MIDDLE);
    }

    private int portState(int portNum) {
        return fabric.portInfo(MIDDLE, portNum).portState();
    }

    @ParameterizedTest(name = "{0} to {1}: {2}")
    @CsvSource({
        "2, 0, ok, 2",
        "2, 1, ok, 2",
        "2, 2, no, 2",
        "2, 3, ok, 3",
        "2, 4, no, 2",
        "2, 5, no, 2",
        "2, 15, no, 2",
        "3, 0, ok, 3",
        "3, 1, ok, 2",
        "3, 2, no, 3",
        "3, 3, no, 3",
        "3, 4, ok, 4",
        "3, 5, no, 3",
        "4, 0, ok, 4",
        "4, 1, ok, 2",
        "4, 2, no, 4",
        "4, 3, no, 4",
        "4, 4, no, 4",
        "4, 5, no, 4"
    })
    void takesOneStepUpPerSetAndGoesDownFromAnywhere(int from, int asked, String answer, int then) {
        for (int state = PortInfo.STATE_ARMED; state <= from; state++) {
            assertThat(setPortState(EAST, state)).isZero();
        }
        assertThat(setPortState(EAST, asked)).isEqualTo(answer.equals("ok") ? MadStatus.OK : MadStatus.INVALID_FIELD);
        assertThat(portState(EAST)).isEqualTo(then);
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "1, 0x1c", "2, 0x1c", "3, 0x1c", "4, 0x1c"})
    void anEmptySocketStaysDown(int asked, String status) {
        assertThat(setPortState(UNPLUGGED, asked)).isEqualTo(Integer.decode(status));
        assertThat(portState(UNPLUGGED)).isEqualTo(PortInfo.STATE_DOWN);
    }

    @Test
    void goingDownRetrainsBothEndsAndTellsBothSwitches() {
        setPortState(EAST, PortInfo.STATE_ARMED);
        setPortState(EAST, PortInfo.STATE_ACTIVE);
        assertThat(fabric.switchInfo(MIDDLE).portStateChange()).isFalse();
        setPortState(EAST, PortInfo.STATE_DOWN);
        assertThat(portState(EAST)).isEqualTo(PortInfo.STATE_INITIALIZE);
        assertThat(fabric.portInfo(0x200020, WEST).portState()).isEqualTo(PortInfo.STATE_INITIALIZE);
        assertThat(fabric.switchInfo(MIDDLE).portStateChange()).isTrue();
        assertThat(fabric.switchInfo(0x200020).portStateChange()).isTrue();
    }

    @Test
    void portStateChangeIsClearedByASetWithOneOnly() {
        fabric.unlink(MIDDLE, EAST);
        SwitchInfo info = probe.get(SwitchInfo.TYPE, 0, TO_MIDDLE);
        assertThat(info.portStateChange()).isTrue();
        assertThat(probe.set(info.with(SwitchInfo.PORT_STATE_CHANGE, 0), 0, TO_MIDDLE)
                        .portStateChange())
                .isTrue();
        assertThat(probe.set(info, 0, TO_MIDDLE).portStateChange()).isFalse();
    }

    @Test
    void aDisabledPortStaysDownUntilASetToPolling() {
        PortInfo disable = PortInfo.TYPE
                .zero()
                .with(PortInfo.PORT_STATE, PortInfo.STATE_DOWN)
                .with(PortInfo.PORT_PHYSICAL_STATE, PortInfo.PHYS_DISABLED);
        PortInfo after = probe.set(disable, EAST, TO_MIDDLE);
        assertThat(after.portState()).isEqualTo(PortInfo.STATE_DOWN);
        assertThat(after.portPhysicalState()).isEqualTo(PortInfo.PHYS_DISABLED);
        assertThat(fabric.portInfo(0x200020, WEST).portPhysicalState()).isEqualTo(PortInfo.PHYS_POLLING);

        fabric.unlink(MIDDLE, EAST);
        fabric.relink(MIDDLE, EAST);
        assertThat(portState(EAST)).isEqualTo(PortInfo.STATE_DOWN);

        probe.set(disable.with(PortInfo.PORT_PHYSICAL_STATE, PortInfo.PHYS_POLLING), EAST, TO_MIDDLE);
        assertThat(portState(EAST)).isEqualTo(PortInfo.STATE_INITIALIZE);
    }

    @Test
    void aPortThatSleepsWhenDownDoesNotRetrain() {
        probe.set(PortInfo.TYPE.zero().with(PortInfo.LINK_DOWN_DEFAULT_STATE, SimLinks.PHYS_SLEEP), EAST, TO_MIDDLE);
        setPortState(EAST, PortInfo.STATE_DOWN);
        assertThat(portState(EAST)).isEqualTo(PortInfo.STATE_DOWN);
        assertThat(fabric.portInfo(MIDDLE, EAST).portPhysicalState()).isEqualTo(SimLinks.PHYS_SLEEP);
    }

    @Test
    void storesOnlyFieldsOfASwitchPort() {
        PortInfo ones = PortInfo.TYPE
                .zero()
                .with(PortInfo.M_KEY, 7)
                .with(PortInfo.LID, 9)
                .with(PortInfo.MTU_CAP, 5)
                .with(PortInfo.VL_CAP, 5)
                .with(PortInfo.NEIGHBOR_MTU, 3)
                .with(PortInfo.OPERATIONAL_VLS, 2)
                .with(PortInfo.VL_HIGH_LIMIT, 200)
                .with(PortInfo.VL_STALL_COUNT, 6)
                .with(PortInfo.HOQ_LIFE, 18)
                .with(PortInfo.LINK_WIDTH_ENABLED, 255)
                .with(PortInfo.LINK_SPEED_ENABLED, 3)
                .with(PortInfo.PARTITION_ENFORCEMENT_INBOUND, 1);
        PortInfo held = probe.set(ones, EAST, TO_MIDDLE);
        assertThat(held.get(PortInfo.M_KEY)).isZero();
        assertThat(held.lid()).isZero();
        assertThat(held.mtuCap()).isEqualTo(4);
        assertThat(held.vlCap()).isEqualTo(4);
        assertThat(held.neighborMtu()).isEqualTo(3);
        assertThat(held.operationalVls()).isEqualTo(2);
        assertThat(held.get(PortInfo.VL_HIGH_LIMIT)).isEqualTo(200);
        assertThat(held.get(PortInfo.VL_STALL_COUNT)).isEqualTo(6);
        assertThat(held.get(PortInfo.HOQ_LIFE)).isEqualTo(18);
        assertThat(held.get(PortInfo.LINK_WIDTH_ENABLED)).isEqualTo(3);
        assertThat(held.get(PortInfo.LINK_SPEED_ENABLED)).isEqualTo(3);
        assertThat(held.get(PortInfo.PARTITION_ENFORCEMENT_INBOUND)).isEqualTo(1);
        assertThat(held.localPortNum()).isEqualTo(WEST);
        assertThat(probe.get(PortInfo.TYPE, EAST, TO_MIDDLE)).isEqualTo(held);
    }

    @Test
    void storesTheAddressesOfEndPorts() {
        PortInfo wanted = PortInfo.TYPE
                .zero()
                .with(PortInfo.LID, 9)
                .with(PortInfo.LMC, 2)
                .with(PortInfo.MASTER_SM_LID, 4)
                .with(PortInfo.MASTER_SM_SL, 3)
                .with(PortInfo.SUBNET_TIME_OUT, 18)
                .with(PortInfo.GID_PREFIX, 0xfec0_0000_0000_0000L)
                .with(PortInfo.PORT_STATE, PortInfo.STATE_ARMED);
        for (PortInfo held : new PortInfo[] {probe.set(wanted, 0, TO_MIDDLE), probe.set(wanted, 1)}) {
            assertThat(held.lid()).isEqualTo(9);
            assertThat(held.lmc()).isEqualTo(2);
            assertThat(held.masterSmLid()).isEqualTo(4);
            assertThat(held.masterSmSl()).isEqualTo(3);
            assertThat(held.get(PortInfo.SUBNET_TIME_OUT)).isEqualTo(18);
            assertThat(held.gidPrefix()).isEqualTo(0xfec0_0000_0000_0000L);
        }
        assertThat(portState(0)).isEqualTo(PortInfo.STATE_ACTIVE);
    }

    @ParameterizedTest
    @CsvSource({
        "OperationalVLs, 5, 5",
        "NeighborMTU, 5, 5",
        "LinkWidthEnabled, 4, 5",
        "LinkSpeedEnabled, 8, 5",
        "LinkSpeedExtEnabled, 1, 5",
        "PortPhysicalState, 5, 5",
        "LinkDownDefaultState, 3, 5",
        "LID, 0xC000, 0",
        "MasterSMLID, 0xFFFF, 0"
    })
    void refusesIllegalFieldsAndChangesNothing(String name, String value, int portNum) {
        PortInfo before = fabric.portInfo(MIDDLE, portNum);
        PortInfo asked = PortInfo.TYPE.zero().with(PortInfo.VL_HIGH_LIMIT, 99);
        for (var field : PortInfo.TYPE.layout().fields()) {
            asked = field.name().equals(name) ? asked.with(field, Long.decode(value)) : asked;
        }
        assertThat(probe.setStatus(asked, portNum, TO_MIDDLE)).isEqualTo(MadStatus.INVALID_FIELD);
        assertThat(fabric.portInfo(MIDDLE, portNum)).isEqualTo(before);
        assertThat(probe.setStatus(asked, 99, TO_MIDDLE)).isEqualTo(MadStatus.INVALID_FIELD);
    }

    @Test
    void tellsThroughWhichPortItWasAsked() {
        assertThat(probe.get(NodeInfo.TYPE, 0).localPortNum()).isEqualTo(1);
        assertThat(probe.get(NodeInfo.TYPE, 0, 1).localPortNum()).isEqualTo(7);
        assertThat(probe.get(NodeInfo.TYPE, 0, TO_MIDDLE).localPortNum()).isEqualTo(WEST);
        assertThat(probe.get(NodeInfo.TYPE, 0, 1, EAST, EAST).nodeGuid()).isEqualTo(0x200020);
    }
}
