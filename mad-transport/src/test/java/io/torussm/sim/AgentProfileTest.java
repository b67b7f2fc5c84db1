package io.torussm.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.torussm.mad.AttributeType;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.mad.smp.VlArbitrationTable;
import io.torussm.sim.model.AgentProfile;
import io.torussm.sim.model.AgentProfile.ExtendedSpeeds;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.topology.TopologyText;
import java.io.StringReader;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** One bad agent in a row of three switches: its effects, and the absence of effects on the others. */
class AgentProfileTest {
    private static final int BAD = 1;
    private static final int SPEEDS_BIT = 1 << 31;
    private static final int LFT = LinearForwardingTable.TYPE.id();

    private final RowFabric row = new RowFabric(FaultPlan.NONE).configure();

    private void setAgent(AgentProfile profile) {
        row.fabric.setAgent(RowFabric.switchGuid(BAD), profile);
    }

    private int status(AttributeType<?> type, int modifier, int sw) {
        return row.sm.getStatus(type, modifier, RowFabric.toSwitch(sw));
    }

    @Test
    void refusesOneAttributeWithAStatusAndNothingElse() {
        setAgent(AgentProfile.CONFORMING.refusing(
                VlArbitrationTable.TYPE.id(), AgentProfile.ANY, MadStatus.INVALID_FIELD, 1));
        assertThat(status(VlArbitrationTable.TYPE, 1 << 16 | 1, BAD)).isEqualTo(MadStatus.INVALID_FIELD);
        assertThat(status(LinearForwardingTable.TYPE, 0, BAD)).isEqualTo(MadStatus.OK);
        assertThat(status(VlArbitrationTable.TYPE, 1 << 16 | 1, BAD + 1)).isEqualTo(MadStatus.OK);
    }

    @Test
    void aRefusedSetChangesNothing() {
        setAgent(AgentProfile.CONFORMING.refusing(LFT, Method.SET, MadStatus.BUSY, 1));
        byte[] before = row.fabric.lft(RowFabric.switchGuid(BAD));
        LinearForwardingTable other = LinearForwardingTable.TYPE.zero();
        int answer = row.sm.setStatus(other, 0, RowFabric.toSwitch(BAD));
        assertThat(answer).isEqualTo(MadStatus.BUSY);
        assertThat(row.fabric.lft(RowFabric.switchGuid(BAD))).isEqualTo(before);
    }

    @Test
    void isBusyNowAndThenAsTheSeedSays() {
        setAgent(AgentProfile.CONFORMING.busy(0.5));
        long busy = IntStream.range(0, 200)
                .filter(i -> status(NodeInfo.TYPE, 0, BAD) == MadStatus.BUSY)
                .count();
        assertThat(busy).isBetween(60L, 140L);
    }

    @Test
    void aDeafAgentAnswersNothingWhileItsSwitchForwards() {
        setAgent(AgentProfile.CONFORMING.droppingAll());
        assertThat(status(NodeInfo.TYPE, 0, BAD)).isEqualTo(-1);
        assertThat(status(NodeInfo.TYPE, 0, BAD + 1)).isEqualTo(MadStatus.OK);
        setAgent(AgentProfile.CONFORMING);
        assertThat(status(NodeInfo.TYPE, 0, BAD)).isEqualTo(MadStatus.OK);
    }

    @Test
    void dropsOneMethodOnly() {
        setAgent(AgentProfile.CONFORMING.dropping(LFT, Method.SET, 1));
        assertThat(status(LinearForwardingTable.TYPE, 0, BAD)).isEqualTo(MadStatus.OK);
        assertThat(row.sm.setStatus(LinearForwardingTable.TYPE.zero(), 0, RowFabric.toSwitch(BAD)))
                .isEqualTo(-1);
    }

    @Test
    void acceptsASetAndAnswersWithTheOldValue() {
        setAgent(AgentProfile.CONFORMING.ignoringSets(SwitchInfo.TYPE.id()));
        SwitchInfo answer =
                row.sm.set(SwitchInfo.TYPE.zero().with(SwitchInfo.LINEAR_FDB_TOP, 7), 0, RowFabric.toSwitch(BAD));
        assertThat(answer.get(SwitchInfo.LINEAR_FDB_TOP)).isEqualTo(63);
    }

    @Test
    void hidesExtendedSpeedsUnlessTheyAreRequested() throws Exception {
        SimFabric fabric =
                new SimFabric(TopologyText.read("ndr.topo", new StringReader("""
                        switchguid=0x1(1)
                        Switch 2 "S-0000000000000001" # "sw" enhanced port 0 lid 0 lmc 0
                        [1] "H-2"[1] # "host" 4xNDR
                        Ca 1 "H-2" # "host"
                        [1](3) "S-0000000000000001"[1] # lid 0 lmc 0 "sw" 4xNDR
                        """)), row.loop, FaultPlan.NONE);
        Probe probe = new Probe(fabric, row.loop, "H-2", 1);
        int[] toSwitch = {1};
        assertThat(extendedSpeed(probe, 1, toSwitch)).isEqualTo(8);
        fabric.setAgent(1, AgentProfile.CONFORMING.showing(ExtendedSpeeds.HIDDEN));
        assertThat(extendedSpeed(probe, 1, toSwitch)).isZero();
        assertThat(extendedSpeed(probe, 1 | SPEEDS_BIT, toSwitch)).isEqualTo(8);
        assertThat(echoedBit(probe, toSwitch)).isEqualTo(1 | SPEEDS_BIT);
        fabric.setAgent(1, AgentProfile.CONFORMING.showing(ExtendedSpeeds.HIDDEN_AND_BIT_NOT_ECHOED));
        assertThat(echoedBit(probe, toSwitch)).isEqualTo(1);
    }

    private static long extendedSpeed(Probe probe, int modifier, int... path) {
        return probe.get(PortInfo.TYPE, modifier, path).get(PortInfo.LINK_SPEED_EXT_ACTIVE);
    }

    private static int echoedBit(Probe probe, int... path) {
        byte[] answer = probe.send(probe.request(Method.GET, PortInfo.TYPE, 1 | SPEEDS_BIT, DrPath.of(path)));
        return answer == null ? 0 : MadHeader.attributeModifier(answer);
    }

    @Test
    void aProbabilityIsOne() {
        assertThatThrownBy(() -> AgentProfile.CONFORMING.busy(1.5))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("0 to 1");
    }
}
