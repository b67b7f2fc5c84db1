package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.vport.VPortStateTable;
import io.torussm.sim.SimFabric;
import io.torussm.sim.model.AgentProfile;
import io.torussm.sim.model.DeviceModels;
import io.torussm.sim.model.FaultPlan;
import io.torussm.subnet.VPortLidStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A whole SM, and virtual ports with LIDs of their own that move, leave, return or change. */
class VPortLidMovesTest extends VPortLidsCase {
    @Test
    void aVPortThatMovesKeepsItsLid() throws Exception {
        FabricSm sm = start(SM);
        long guid = agent(host).info(2).portGuid();
        int lid = agent(host).info(2).lid();
        agent(host).unplug(2);
        agent(other).plug(7, guid);
        settle();
        assertThat(agent(other).info(7).lid()).isEqualTo(lid);
        verifyAll(sm);
    }

    @Test
    void aVPortThatMovedWhileNoSmRanKeepsItsLid() throws Exception {
        FabricSm first = start(SM);
        long guid = agent(host).info(2).portGuid();
        int lid = agent(host).info(2).lid();
        first.kill();
        agent(host).unplug(2);
        agent(other).plug(7, guid);
        FabricSm second = start(SM);
        settle();
        assertThat(agent(other).info(7).lid()).isEqualTo(lid);
        verifyAll(second);
    }

    /** The state of an earlier mastership says that the vport is at a host whose adapter is silent now. */
    @Test
    void aVPortWaitsTwoMinutesForASilentPortThatMayHaveIt() throws Exception {
        models = models.with(
                DeviceModels.byGuid(host.nodeGuid()),
                model -> model.agent(agent -> agent.dropping(VPortStateTable.TYPE.id(), AgentProfile.ANY, 1)));
        fabric = new SimFabric(topology, models, loop, FaultPlan.NONE);
        String line = Guid.format(agent(other).info(2).portGuid()) + " 0x0028 " + Guid.format(host.portGuid(1));
        Path state = Files.createDirectories(dir.resolve("state-" + SM));
        Files.write(state.resolve("vport2lid"), VPortLidStore.FILE.content(Stream.of(line)));
        start(SM);
        assertThat(agent(other).info(1).state()).isEqualTo(PortInfo.STATE_ACTIVE);
        assertThat(agent(other).info(2).state()).isNotEqualTo(PortInfo.STATE_ACTIVE);
        settle();
        assertThat(events.of(SmEvent.VPORTS_LEFT)).anySatisfy(event -> assertThat(event.get(EventField.REASON))
                .contains(Guid.format(host.portGuid(1)) + " are read"));
        settle();
        settle();
        assertThat(agent(other).info(2).state()).isEqualTo(PortInfo.STATE_ACTIVE);
        assertThat(agent(other).info(2).lid()).isEqualTo(40);
    }

    @Test
    void theLidOfAnAbsentVPortHasNoPortUntilItsReturn() throws Exception {
        FabricSm sm = start(SM);
        long guid = agent(host).info(2).portGuid();
        int lid = agent(host).info(2).lid();
        agent(host).unplug(2);
        settle();
        sm.sweepHeavy();
        settle();
        assertThat(sm.view().subnet().portOfLid(lid)).isEqualTo(Fabric.NONE);
        agent(host).plug(2, guid);
        settle();
        assertThat(agent(host).info(2).lid()).isEqualTo(lid);
        verifyAll(sm);
    }

    /** As by a link that flaps: what the tables of switches need for the vports is known at the return of the port. */
    @Test
    void aFlapOfAHostChangesNoLidOfItsVPorts() throws Exception {
        FabricSm sm = start(SM);
        Map<Long, Integer> before = lids();
        fabric.unlink(host.nodeGuid(), 1);
        settle();
        agent(other).plug(9, 0x77);
        settle();
        int ends = sm.ends.size();
        sent.clear();
        fabric.relink(host.nodeGuid(), 1);
        settle();
        int runs = sm.ends.size() - ends;
        Map<Long, Integer> after = lids();
        assertThat(after.remove(0x77L)).as("no LID of another").isNotIn(before.values());
        assertThat(after).isEqualTo(before);
        verifyAll(sm);
        assertThat(runs).as("runs of the engine").isEqualTo(1);
    }

    @Test
    void aVPortThatReturnsSoonCostsNoRunOfTheEngine() throws Exception {
        FabricSm sm = start(SM);
        int ends = sm.ends.size();
        long guid = agent(host).info(2).portGuid();
        agent(host).unplug(2);
        loop.runFor(TimeUnit.SECONDS.toNanos(2));
        agent(host).plug(2, guid);
        loop.runFor(TimeUnit.SECONDS.toNanos(2));
        assertThat(sm.ends).hasSize(ends);
        verifyAll(sm);
    }

    @Test
    void aDeviceThatChangesItsMindCostsItselfOnly() throws Exception {
        FabricSm sm = start(SM);
        int before = sm.ends.size();
        long guid = agent(host).info(1).portGuid();
        for (int i = 0; i < 1000; i++) {
            agent(host).changeGuid(1, guid + i % 3);
            agent(host).setLidRequired(1, i % 2 == 0);
            loop.runFor(TimeUnit.MILLISECONDS.toNanos(30));
        }
        assertThat(sm.ends.size() - before).as("runs of the engine in 30 s").isLessThan(100);
        agent(host).changeGuid(1, guid);
        settle();
        sm.sweepHeavy();
        settle();
        verifyAll(sm);
    }

    @Test
    void clientsOfAVPortWhoseLidChangesRegisterAgain() throws Exception {
        FabricSm first = start(SM);
        int lid = agent(host).info(2).lid();
        first.kill();
        agent(host).setLid(2, agent(host).info(1).lid());
        int before = agent(host).reregistrations(2) - agent(host).reregistrations(1);
        FabricSm second = start(SM);
        assertThat(agent(host).info(2).lid()).isEqualTo(lid);
        assertThat(agent(host).info(2).state()).isEqualTo(PortInfo.STATE_ACTIVE);
        assertThat(agent(host).reregistrations(2) - agent(host).reregistrations(1))
                .isEqualTo(before + 1);
        verifyAll(second);
    }
}
