package io.torussm.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.Gid;
import io.torussm.mad.Lids;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.mad.smp.Smp;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.sim.model.FaultPlan;
import io.torussm.transport.GlobalRoute;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import org.junit.jupiter.api.Test;

class LidRoutingTest {
    private final RowFabric row = new RowFabric(FaultPlan.NONE).configure();
    private final Probe secondProbe = new Probe(row.fabric, row.loop, "host-0-0-2-0", 1);

    private static byte[] gmp() {
        return MadHeader.create(MgmtClass.SUBN_ADM, 2, Method.GET, 1, 0x35, 0);
    }

    private boolean gmpArrives(int lid, int sl) {
        int before = secondProbe.received.size();
        row.sm.send(new MadAddress(lid, 1, sl, 0), gmp());
        return secondProbe.received.size() > before;
    }

    private long nodeGuidAt(int lid) {
        byte[] request = Smp.lidRouted(Method.GET, 5, NodeInfo.TYPE.id(), 0, 0);
        byte[] answer = row.sm.send(new MadAddress(lid, 0, 0, 0), request);
        return answer == null ? 0 : NodeInfo.TYPE.read(answer, Smp.DATA_OFFSET).nodeGuid();
    }

    @Test
    void smpsFollowTheTablesToEveryLidAndBack() {
        for (int sw = 0; sw < RowFabric.SWITCHES; sw++) {
            assertThat(nodeGuidAt(1 + sw)).isEqualTo(RowFabric.switchGuid(sw));
            assertThat(nodeGuidAt(RowFabric.SM_LID + sw)).isEqualTo(RowFabric.hostGuid(sw));
        }
        assertThat(row.sm.received.get(4).peer()).isEqualTo(new MadAddress(3, 0, 0, 0));
        assertThat(nodeGuidAt(Lids.PERMISSIVE)).as("the local port").isEqualTo(RowFabric.hostGuid(0));
        assertThat(nodeGuidAt(0)).isZero();
        assertThat(nodeGuidAt(20)).as("0xFF discards").isZero();
        assertThat(nodeGuidAt(0xC001)).as("no multicast of SMPs").isZero();
    }

    @Test
    void lidsAboveTheTopAreNotLookedUp() {
        row.sm.set(SwitchInfo.TYPE.zero().with(SwitchInfo.LINEAR_FDB_TOP, 12), 0, RowFabric.toSwitch(1));
        assertThat(nodeGuidAt(13)).isZero();
        assertThat(nodeGuidAt(12)).isEqualTo(RowFabric.hostGuid(1));
    }

    @Test
    void otherMadsReachTheClientWithTheirSource() {
        assertThat(gmpArrives(13, 3)).isTrue();
        MadFrame frame = secondProbe.received.get(0);
        assertThat(frame.peer()).isEqualTo(new MadAddress(RowFabric.SM_LID, 1, 3, 0));
        assertThat(frame.mad()).isEqualTo(gmp());
        assertThat(gmpArrives(12, 0)).as("no port is attached there").isFalse();
    }

    @Test
    void theGlobalRouteArrivesWithTheSendersGid() {
        GlobalRoute to = new GlobalRoute(new Gid(1, 2), 0, 9, 8, 7);
        row.sm.send(new MadAddress(13, 1, 3, 0, 0, to), gmp());
        long prefix = row.fabric.portInfo(RowFabric.hostGuid(0), 1).get(PortInfo.GID_PREFIX);
        Gid sender = new Gid(prefix, row.fabric.guids(RowFabric.hostGuid(0), 1)[0]);
        assertThat(secondProbe.received.get(0).peer())
                .isEqualTo(new MadAddress(RowFabric.SM_LID, 1, 3, 0, 0, new GlobalRoute(sender, 0, 9, 8, 7)));
    }

    @Test
    void pathBitsSelectOneOfTheLidsOfThePort() {
        row.sm.set(
                row.fabric
                        .portInfo(RowFabric.hostGuid(2), 1)
                        .with(PortInfo.LID, 12)
                        .with(PortInfo.LMC, 1)
                        .with(PortInfo.PORT_STATE, 0)
                        .with(PortInfo.PORT_PHYSICAL_STATE, 0),
                0,
                RowFabric.toHost(2));
        row.sm.send(new MadAddress(13, 1, 0, 0), gmp());
        assertThat(secondProbe.received.get(0).peer().pathBits()).isEqualTo(1);
    }

    @Test
    void otherMadsNeedActiveLinks() {
        row.sm.set(
                PortInfo.TYPE.zero().with(PortInfo.PORT_STATE, PortInfo.STATE_DOWN),
                RowFabric.EAST,
                RowFabric.toSwitch(1));
        assertThat(gmpArrives(13, 0)).isFalse();
        assertThat(nodeGuidAt(13)).as("SMPs pass").isEqualTo(RowFabric.hostGuid(2));
    }

    @Test
    void aPacketWithoutAVlIsDropped() {
        SlToVlMappingTable noVlForSl3 = SlToVlMappingTable.of(0x000f_0000_0000_0000L);
        row.sm.set(noVlForSl3, RowFabric.WEST << 8 | RowFabric.EAST, RowFabric.toSwitch(1));
        assertThat(gmpArrives(13, 3)).isFalse();
        assertThat(gmpArrives(13, 2)).isTrue();
    }

    @Test
    void anAdapterDropsPacketsForOtherLids() {
        byte[] lft = RowFabric.lft(2);
        lft[14] = RowFabric.HOST_PORT;
        byte[] through = RowFabric.lft(1);
        through[14] = RowFabric.EAST;
        byte[] first = RowFabric.lft(0);
        first[14] = RowFabric.EAST;
        row.sm.set(LinearForwardingTable.blockOf(first, 0), 0, RowFabric.toSwitch(0));
        row.sm.set(LinearForwardingTable.blockOf(through, 0), 0, RowFabric.toSwitch(1));
        row.sm.set(LinearForwardingTable.blockOf(lft, 0), 0, RowFabric.toSwitch(2));
        assertThat(gmpArrives(14, 0)).isFalse();

        PortInfo two = PortInfo.TYPE.zero().with(PortInfo.LID, 14).with(PortInfo.LMC, 1);
        row.sm.set(two, 1, RowFabric.toHost(2));
        assertThat(gmpArrives(14, 0)).isTrue();
        assertThat(gmpArrives(13, 0)).isFalse();
    }

    @Test
    void aRoutingLoopEnds() {
        byte[] back = RowFabric.lft(1);
        back[13] = RowFabric.WEST;
        row.sm.set(LinearForwardingTable.blockOf(back, 0), 0, RowFabric.toSwitch(1));
        long before = row.fabric.counters().hops();
        assertThat(nodeGuidAt(13)).isZero();
        assertThat(row.fabric.counters().hops() - before).isBetween(500L, 520L);
    }
}
