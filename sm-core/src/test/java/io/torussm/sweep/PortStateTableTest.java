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

    /** The switch at the other end of {@link #CABLE}. */
    private static final String FAR_SWITCH = "sw-1-2-0";

    private static SweepHarness bringUp(UnaryOperator<AgentProfile> agent) {
        return bringUp(DeviceModels.byDescription(SWITCH), agent);
    }

    private static SweepHarness bringUp(Predicate<Topology.Node> changed, UnaryOperator<AgentProfile> agent) {
        DeviceModels models = DeviceModels.PERFECT
                .with(node -> true, model -> model.hardware(usual -> usual.withPortStateTable(true)))
                .with(changed, model -> model.agent(agent));
        SweepHarness of = new SweepHarness(TorusSpec.parse(TORUS).topology(), models, FaultPlan.NONE);
        of.sweep();
        of.awaitRest();
        for (int i = 0; i < SecondReads.LIGHT_SWEEPS_AFTER_FIRST_SWEEP; i++) {
            of.sweepLight(); // until then tables and devices of the first sweep are read once more
        }
        return of;
    }

    /** Loses the cable, and returns the SMPs of the sweep that follows, without those for forwarding entries. */
    private static Map<String, Long> smpsOfALoss(SweepHarness of) {
        SmpCensus census = SmpCensus.of(of);
        of.fabric.unlink(of.node(SWITCH).nodeGuid(), CABLE);
        settle(of);
        Map<String, Long> smps = census.takeCounts();
        smps.keySet()
                .removeIf(kind ->
                        kind.contains(LinearForwardingTable.TYPE.layout().name()));
        assertLost(of);
        return smps;
    }

    private static void assertLost(SweepHarness of) {
        Fabric fabric = fabric(of);
        int sw = fabric.nodeByGuid(of.node(SWITCH).nodeGuid());
        assertThat(fabric.peer(fabric.port(sw, CABLE))).isEqualTo(Fabric.NONE);
        SweeperTest.assertHeld(of);
        assertIsAsAWholeSweepSeesIt(of);
    }

    @Test
    void aLostCableCostsFewSmps() {
        Map<String, Long> smps = smpsOfALoss(bringUp(agent -> agent));
        assertThat(smps.values().stream().mapToLong(Long::longValue).sum())
                .as("%s", smps)
                .isLessThanOrEqualTo(24);
        assertThat(smps).containsEntry("Get(PortInfo)", 4L); // port 0 and the lost cable, at both ends
    }

    @Test
    void aCableThatIsBackIsUsedAgain() {
        SweepHarness of = bringUp(agent -> agent);
        of.fabric.unlink(of.node(SWITCH).nodeGuid(), CABLE);
        settle(of);
        of.fabric.relink(of.node(SWITCH).nodeGuid(), CABLE);
        settle(of);
        SweeperTest.assertHeld(of);
        assertIsAsAWholeSweepSeesIt(of);
    }

    @ParameterizedTest
    @ValueSource(ints = {MadStatus.UNSUPPORTED_METHOD_ATTRIBUTE, MadStatus.BUSY})
    void allPortsOfASwitchThatRejectsTheTableAreRead(int status) {
        Map<String, Long> smps =
                smpsOfALoss(bringUp(agent -> agent.refusing(SwitchPortStateTable.TYPE.id(), Method.GET, status, 1)));
        assertThat(smps.get("Get(PortInfo)")).isGreaterThan(64);
    }

    /** The table shows the lost port as ACTIVE, and no change, although the switch reports one. */
    @Test
    void allPortsAreReadIfTheTableHidesTheReportedChange() {
        Map<String, Long> smps =
                smpsOfALoss(bringUp(agent -> agent.withFalseValue(stateOf(CABLE, PortInfo.STATE_ACTIVE))));
        assertThat(smps.get("Get(PortInfo)")).isGreaterThan(64);
    }

    /** The table shows the change at another port. */
    @Test
    void allPortsAreReadIfAnAnswerContradictsTheTable() {
        Map<String, Long> smps =
                smpsOfALoss(bringUp(agent -> agent.withFalseValue(stateOf(CABLE, PortInfo.STATE_ACTIVE))
                        .withFalseValue(stateOf(CABLE + 20, PortInfo.STATE_INITIALIZE))));
        assertThat(smps.get("Get(PortInfo)")).isGreaterThan(64);
    }

    /** Changes the fabric while traps are lost; light sweeps until each table was read once follow. */
    private static void changeWithoutTraps(SweepHarness of, Runnable change) {
        of.isRequestLost = mad -> MadHeader.attributeId(mad) == Notice.TYPE.id();
        change.run();
        of.loop.runFor(TimeUnit.SECONDS.toNanos(1));
        for (int i = 0; i < PortStateCheck.TURNS; i++) {
            of.sweepLight();
            of.awaitRest();
        }
    }

    /** PortStateChange is never set, as if another program cleared it. The cable ends at a switch with that fault. */
    @Test
    void lightSweepsFindAChangeWithoutTrapAndPortStateChange() {
        FalseValue cleared = FalseValue.of(SwitchInfo.TYPE.id(), SwitchInfo.PORT_STATE_CHANGE, 0);
        SweepHarness of = bringUp(
                DeviceModels.byDescription(SWITCH).or(DeviceModels.byDescription(FAR_SWITCH)),
                agent -> agent.withFalseValue(cleared));
        long guid = of.node(SWITCH).nodeGuid();
        changeWithoutTraps(of, () -> of.fabric.unlink(guid, CABLE));
        assertLost(of);
        changeWithoutTraps(of, () -> of.fabric.relink(guid, CABLE));
        Fabric fabric = fabric(of);
        assertThat(fabric.peer(fabric.port(fabric.nodeByGuid(guid), CABLE))).isNotEqualTo(Fabric.NONE);
        assertIsAsAWholeSweepSeesIt(of);
    }

    /** Each false table costs one PortInfo, and no sweep. */
    @Test
    void aFalseTableCausesNoSweep() {
        SweepHarness of = bringUp(agent -> agent.withFalseValue(stateOf(CABLE, PortInfo.STATE_DOWN)));
        of.ends.clear();
        SmpCensus census = SmpCensus.of(of);
        for (int i = 0; i < PortStateCheck.TURNS; i++) {
            of.sweepLight();
        }
        assertThat(census.takeCounts())
                .containsEntry("Get(SwitchPortStateTable)", (long) fabric(of).switchCount())
                .containsEntry("Get(PortInfo)", 1L + PortStateCheck.TURNS); // each light sweep reads the own port
        assertThat(of.ends).isEmpty();
    }

    private static FalseValue stateOf(int portNum, int state) {
        // Down is 1 in each nibble; the other port of the byte is a link or unused.
        int other = portNum % 2 == 0 ? portNum + 1 : portNum - 1;
        int otherState = other > 6 ? PortInfo.STATE_DOWN : PortInfo.STATE_ACTIVE;
        int value = portNum % 2 == 0 ? state << 4 | otherState : otherState << 4 | state;
        return FalseValue.ofByte(SwitchPortStateTable.TYPE.id(), portNum / 2, value);
    }
}
