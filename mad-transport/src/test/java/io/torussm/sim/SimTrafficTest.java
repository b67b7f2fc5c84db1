package io.torussm.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.model.PortCounter;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Packets between three hosts at three switches in a row: each arrives, or is lost for the reason that there is. */
class SimTrafficTest {
    private static final int HOST_PAIRS = 6;

    private final RowFabric row = new RowFabric(FaultPlan.NONE);
    private final SimTraffic traffic = new SimTraffic(row.fabric, row.loop, 1);

    private SimTraffic.Tally sendFromAllHosts() {
        traffic.resetCounts();
        traffic.sendAll();
        return traffic.tally();
    }

    @Test
    void noHostSendsBeforeAnSmHasGivenLids() {
        assertThat(sendFromAllHosts()).isEqualTo(new SimTraffic.Tally(0, 0, 0, HOST_PAIRS, Map.of()));
    }

    @Test
    void everyPairArrivesOverGoodTables() {
        row.configure();
        assertThat(sendFromAllHosts().arrived()).isEqualTo(HOST_PAIRS);
        assertThat(sendFromAllHosts().losses()).isZero();
    }

    @Test
    void sendsAtItsRateInTime() {
        row.configure();
        traffic.setRate(5_000);
        row.loop.runFor(TimeUnit.SECONDS.toNanos(2));
        assertThat(traffic.tally().sent()).isBetween(9_990L, 10_000L);
        assertThat(traffic.tally().losses()).isZero();
        traffic.setRate(0);
        long sent = traffic.tally().sent();
        row.loop.runFor(TimeUnit.SECONDS.toNanos(2));
        assertThat(traffic.tally().sent()).isEqualTo(sent);
    }

    @Test
    void portsCountThePackets() {
        row.configure();
        sendFromAllHosts();
        // From west to east: two packets from the first switch, and two to the last.
        assertThat(row.fabric.portCounters().get(RowFabric.switchGuid(0), RowFabric.EAST, PortCounter.XMIT_PKTS))
                .isEqualTo(2);
        assertThat(row.fabric.portCounters().get(RowFabric.hostGuid(2), 1, PortCounter.RCV_PKTS))
                .isEqualTo(2);
    }

    @Test
    void aPulledCableLosesPacketsWhereItWas() {
        row.configure();
        row.fabric.unlink(RowFabric.switchGuid(0), RowFabric.EAST);
        assertThat(sendFromAllHosts().lost()).containsExactly(entry(PacketLoss.LINK_DOWN, 4L));
        assertThat(traffic.lastLosses()).hasSize(4).anySatisfy(loss -> assertThat(loss.location())
                .contains("sw-0-0-0")
                .endsWith("port " + RowFabric.EAST));
    }

    @Test
    void aLinkThatIsNotActiveLosesPackets() {
        row.configure();
        row.fabric.unlink(RowFabric.switchGuid(0), RowFabric.EAST);
        row.fabric.relink(RowFabric.switchGuid(0), RowFabric.EAST);
        assertThat(sendFromAllHosts().lost()).containsExactly(entry(PacketLoss.NOT_ACTIVE, 4L));
    }

    @Test
    void anEntryThatIsMissingLosesPackets() {
        row.configure();
        byte[] lft = RowFabric.lft(1);
        lft[RowFabric.SM_LID] = LinearForwardingTable.NO_PATH_ENTRY;
        row.sm.set(LinearForwardingTable.blockOf(lft, 0), 0, RowFabric.toSwitch(1));
        assertThat(sendFromAllHosts().lost()).containsExactly(entry(PacketLoss.NO_ENTRY, 2L));
    }

    @Test
    void aLoopOfTwoSwitchesLosesPackets() {
        row.configure();
        byte[] lft = RowFabric.lft(1);
        lft[RowFabric.SM_LID + 2] = RowFabric.WEST;
        row.sm.set(LinearForwardingTable.blockOf(lft, 0), 0, RowFabric.toSwitch(1));
        assertThat(sendFromAllHosts().lost()).containsExactly(entry(PacketLoss.LOOP, 2L));
    }

    @Test
    void anEntryToAnotherHostLosesPackets() {
        row.configure();
        byte[] lft = RowFabric.lft(1);
        lft[RowFabric.SM_LID + 2] = RowFabric.HOST_PORT;
        row.sm.set(LinearForwardingTable.blockOf(lft, 0), 0, RowFabric.toSwitch(1));
        assertThat(sendFromAllHosts().lost()).containsExactly(entry(PacketLoss.WRONG_END, 2L));
    }

    @Test
    void slsOfVl15LosePackets() {
        row.configure();
        row.sm.set(
                SlToVlMappingTable.of(0x000f_0000_0000_0000L),
                RowFabric.EAST << 8 | RowFabric.WEST,
                RowFabric.toSwitch(1));
        assertThat(sendFromAllHosts().losses()).isZero();
        traffic.setSl(3);
        assertThat(sendFromAllHosts().lost()).containsExactly(entry(PacketLoss.VL_15, 1L));
    }

    @Test
    void eachPairMayHaveAnSlOfItsOwn() {
        row.configure();
        row.sm.set(
                SlToVlMappingTable.of(0x000f_0000_0000_0000L),
                RowFabric.EAST << 8 | RowFabric.WEST,
                RowFabric.toSwitch(1));
        int east = RowFabric.SM_LID + 2;
        traffic.setSls((slid, dlid) -> slid == east ? 3 : 0);
        assertThat(sendFromAllHosts().lost()).containsExactly(entry(PacketLoss.VL_15, 1L));
        traffic.setSls((slid, dlid) -> slid == east ? 0 : 3);
        assertThat(sendFromAllHosts().losses()).isZero();
    }

    @Test
    void aLossyCableLosesPackets() {
        row.configure();
        row.fabric.setLoss(RowFabric.switchGuid(0), RowFabric.EAST, 1);
        assertThat(sendFromAllHosts().lost()).containsExactly(entry(PacketLoss.SPOILED, 4L));
    }

    @Test
    void hostsThatAreOffOrNotActiveNeitherSendNorAreSentTo() {
        row.configure();
        row.fabric.restartHost(RowFabric.hostGuid(1));
        assertThat(row.fabric.portInfo(RowFabric.hostGuid(1), 1).portState()).isEqualTo(PortInfo.STATE_INITIALIZE);
        assertThat(sendFromAllHosts()).isEqualTo(new SimTraffic.Tally(0, 2, 2, 4, Map.of()));
        row.fabric.interventions().powerOff(RowFabric.hostGuid(2));
        assertThat(sendFromAllHosts().unsent()).isEqualTo(HOST_PAIRS);
    }

    @Test
    void refusesRatesAndSlsOutOfRange() {
        assertThatThrownBy(() -> traffic.setRate(-1)).hasMessageContaining("0 to 100000");
        assertThatThrownBy(() -> traffic.setSl(16)).hasMessageContaining("0 to 15");
    }
}
