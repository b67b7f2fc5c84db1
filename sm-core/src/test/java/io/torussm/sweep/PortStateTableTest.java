package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.Notice;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.mad.smp.SwitchPortStateTable;
import io.torussm.sim.model.AgentProfile;
import io.torussm.sim.model.DeviceModels;
import io.torussm.sim.model.FalseValue;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Topology;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Local sweeps around switches of 65 ports that answer with the states of all ports at once. */
class PortStateTableTest extends LocalSweepCase {
    private static final String TORUS = "torus:4x3x1,hosts=2,ports=65";
    private static final String SWITCH = "sw-1-1-0";

    /** A port of {@link #SWITCH} to sw-1-2-0. */
    private static final int CABLE = 3;

    private static final int PORTS_IN_USE = 6;

    /** The switch at the other end of {@link #CABLE}. */
    private static final String FAR_SWITCH = "sw-1-2-0";

    /** PortInfos that an SM without the table reads of one switch, besides port 0. */
    private static final int PORTS_OF_SWITCH = 65;

    /** Max number of SMPs for a lost cable if both its switches respond with the table; reading all ports takes 130. */
    private static final int MAX_SMPS_WITH_TABLE = 24;

    /** Brings up a torus in which the agent of {@link #SWITCH} has a fault. */
    private static SweepHarness bringUp(UnaryOperator<AgentProfile> agent) {
        return bringUp(DeviceModels.byDescription(SWITCH), agent);
    }

    private static SweepHarness bringUp(Predicate<Topology.Node> changed, UnaryOperator<AgentProfile> agent) {
        DeviceModels models = DeviceModels.PERFECT
                .with(node -> true, model -> model.hardware(usual -> usual.withPortStateTable(true)))
                .with(changed, model -> model.agent(agent));
        SweepHarness sm = new SweepHarness(TorusSpec.parse(TORUS).topology(), models, FaultPlan.NONE);
        sm.sweep();
        sm.awaitRest();
        for (int i = 0; i < SecondReads.LIGHT_SWEEPS_AFTER_FIRST_SWEEP; i++) {
            sm.sweepLight(); // until then tables and devices of the first sweep are read once more
        }
        return sm;
    }

    /** Loses the cable, and returns the SMPs of the sweep that follows, without those for forwarding entries. */
    private static Map<String, Long> smpsOfALostCable(SweepHarness sm) {
        SmpCensus census = SmpCensus.of(sm);
        sm.fabric.unlink(sm.node(SWITCH).nodeGuid(), CABLE);
        settle(sm);
        Map<String, Long> smps = census.takeCounts();
        smps.keySet()
                .removeIf(kind ->
                        kind.contains(LinearForwardingTable.TYPE.layout().name()));
        assertLost(sm);
        return smps;
    }

    private static void assertLost(SweepHarness sm) {
        Fabric fabric = fabric(sm);
        int sw = fabric.nodeByGuid(sm.node(SWITCH).nodeGuid());
        assertThat(fabric.peer(fabric.port(sw, CABLE))).isEqualTo(Fabric.NONE);
        SweeperTest.assertHeld(sm);
        assertIsAsAWholeSweepSeesIt(sm);
    }

    @Test
    void aLostCableCostsFourPortInfosIfBothSwitchesHaveTheTable() {
        Map<String, Long> smps = smpsOfALostCable(bringUp(agent -> agent));
        assertThat(smps.values().stream().mapToLong(Long::longValue).sum())
                .as("%s", smps)
                .isLessThanOrEqualTo(MAX_SMPS_WITH_TABLE);
        assertThat(smps).containsEntry("Get(PortInfo)", 4L); // port 0 and the lost cable, at both ends
    }

    @Test
    void aCableThatIsBackIsUsedAgain() {
        SweepHarness sm = bringUp(agent -> agent);
        sm.fabric.unlink(sm.node(SWITCH).nodeGuid(), CABLE);
        settle(sm);
        sm.fabric.relink(sm.node(SWITCH).nodeGuid(), CABLE);
        settle(sm);
        SweeperTest.assertHeld(sm);
        assertIsAsAWholeSweepSeesIt(sm);
    }

    @ParameterizedTest
    @ValueSource(ints = {MadStatus.UNSUPPORTED_METHOD_ATTRIBUTE, MadStatus.BUSY})
    void allPortsOfASwitchThatRejectsTheTableAreRead(int status) {
        Map<String, Long> smps = smpsOfALostCable(
                bringUp(agent -> agent.refusing(SwitchPortStateTable.TYPE.id(), Method.GET, status, 1)));
        assertThat(smps.get("Get(PortInfo)")).isGreaterThanOrEqualTo(PORTS_OF_SWITCH);
    }

    /** The table shows the lost port as ACTIVE, and no change, although the switch reports one. */
    @Test
    void allPortsAreReadIfTheTableHidesTheReportedChange() {
        Map<String, Long> smps =
                smpsOfALostCable(bringUp(agent -> agent.withFalseValue(stateOf(CABLE, PortInfo.STATE_ACTIVE))));
        assertThat(smps.get("Get(PortInfo)")).isGreaterThanOrEqualTo(PORTS_OF_SWITCH);
    }

    /** The table shows the change at another port. */
    @Test
    void allPortsAreReadIfAnAnswerContradictsTheTable() {
        Map<String, Long> smps =
                smpsOfALostCable(bringUp(agent -> agent.withFalseValue(stateOf(CABLE, PortInfo.STATE_ACTIVE))
                        .withFalseValue(stateOf(CABLE + 20, PortInfo.STATE_INITIALIZE))));
        assertThat(smps.get("Get(PortInfo)")).isGreaterThanOrEqualTo(PORTS_OF_SWITCH);
    }

    /** Changes the fabric while traps are lost; light sweeps until each table was read once follow. */
    private static void changeWithoutTraps(SweepHarness sm, Runnable change) {
        sm.isRequestLost = mad -> MadHeader.attributeId(mad) == Notice.TYPE.id();
        change.run();
        sm.loop.runFor(TimeUnit.SECONDS.toNanos(1));
        for (int i = 0; i < PortStateCheck.TURNS; i++) {
            sm.sweepLight();
            sm.awaitRest();
        }
    }

    /** PortStateChange is never set, as if another program cleared it. The cable ends at a switch with that fault. */
    @Test
    void lightSweepsFindAChangeWithoutTrapAndPortStateChange() {
        FalseValue cleared = FalseValue.of(SwitchInfo.TYPE.id(), SwitchInfo.PORT_STATE_CHANGE, 0);
        SweepHarness sm = bringUp(
                DeviceModels.byDescription(SWITCH).or(DeviceModels.byDescription(FAR_SWITCH)),
                agent -> agent.withFalseValue(cleared));
        long guid = sm.node(SWITCH).nodeGuid();
        changeWithoutTraps(sm, () -> sm.fabric.unlink(guid, CABLE));
        assertLost(sm);
        changeWithoutTraps(sm, () -> sm.fabric.relink(guid, CABLE));
        Fabric fabric = fabric(sm);
        assertThat(fabric.peer(fabric.port(fabric.nodeByGuid(guid), CABLE))).isNotEqualTo(Fabric.NONE);
        assertIsAsAWholeSweepSeesIt(sm);
    }

    /** Each false table costs one PortInfo, and no sweep. */
    @Test
    void aFalseTableCausesNoSweep() {
        SweepHarness sm = bringUp(agent -> agent.withFalseValue(stateOf(CABLE, PortInfo.STATE_DOWN)));
        sm.ends.clear();
        SmpCensus census = SmpCensus.of(sm);
        for (int i = 0; i < PortStateCheck.TURNS; i++) {
            sm.sweepLight();
        }
        assertThat(census.takeCounts())
                .containsEntry("Get(SwitchPortStateTable)", (long) fabric(sm).switchCount())
                .containsEntry("Get(PortInfo)", 1L + PortStateCheck.TURNS); // each light sweep reads the own port
        assertThat(sm.ends).isEmpty();
    }

    /**
     * Returns a false state of a port in the table, which has the states of two ports in each byte. Ports 1 to 6 of a
     * switch of the torus are in use, the others are down.
     */
    private static FalseValue stateOf(int portNum, int state) {
        boolean isHighNibble = portNum % 2 == 0;
        int neighbour = isHighNibble ? portNum + 1 : portNum - 1;
        int stateOfNeighbour = neighbour > PORTS_IN_USE ? PortInfo.STATE_DOWN : PortInfo.STATE_ACTIVE;
        int value = isHighNibble ? state << 4 | stateOfNeighbour : stateOfNeighbour << 4 | state;
        return FalseValue.ofByte(SwitchPortStateTable.TYPE.id(), portNum / 2, value);
    }
}
