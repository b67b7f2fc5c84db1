package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.dump.Dumps;
import io.torussm.daemon.proof.Assumptions;
import io.torussm.daemon.proof.FabricFiles;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.mad.vport.VPortInfo;
import io.torussm.multicast.MulticastView;
import io.torussm.proof.FabricProof;
import io.torussm.proof.FabricTables;
import io.torussm.sim.SimFabric;
import io.torussm.sim.model.FalseValue;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.model.VPortModel;
import io.torussm.sim.model.VPortModel.VPortLids;
import io.torussm.sim.topology.Topology;
import io.torussm.subnet.Subnet;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A whole SM, and virtual ports that require LIDs of their own: starts, takeovers, tables and limits. */
class VPortLidsTest extends VPortLidsCase {
    @Test
    void vportsWithLidsOfTheirOwnBecomeActive() throws Exception {
        FabricSm sm = start(SM);
        assertThat(lids()).hasSize(9 * (VPORTS - 1));
        verifyAll(sm);
        assertThat(events.of(SmEvent.VPORTS_LEFT)).isEmpty();
        for (int sw = 0; sw < sm.view().subnet().fabric().switchCount(); sw++) {
            SwitchInfo info =
                    Objects.requireNonNull(sm.view().subnet().fabric().node(sw).switchInfo());
            assertThat(info.linearFdbTop()).isGreaterThanOrEqualTo(PORTS);
        }
        sent.clear();
        sm.sweepHeavy();
        settle();
        assertThat(sets(VPortInfo.TYPE.id())).isZero();
        assertThat(sets(LinearForwardingTable.TYPE.id())).isZero();
    }

    /** An auditor finds the LIDs of vports in the dumps as LIDs of their ports. */
    @Test
    void theDumpsContainTheLidsAndAreFreeOfCreditLoops() throws Exception {
        FabricSm sm = start(SM);
        Path dump = Files.createDirectories(dir.resolve("dump"));
        Dumps.writeProvable(sm.view(), MulticastView.EMPTY, dump);
        FabricTables tables = new FabricFiles(Optional.of(dump), Map.of())
                .read(Assumptions.NONE)
                .tables();
        assertThat(Files.readString(dump.resolve("opensm-lfts.dump")))
                .contains(String.format("0x%04x", agent(host).info(2).lid()));
        FabricProof proof = FabricProof.of(tables);
        assertThat(proof.isWhole()).as("no path is lost").isTrue();
        assertThat(proof.verdicts())
                .allMatch(each -> each.verdict() == null || each.verdict().isFree());
    }

    @Test
    void aRestartChangesNoLidAndNoTable() throws Exception {
        FabricSm first = start(SM);
        Map<Long, Integer> before = lids();
        first.kill();
        sent.clear();
        FabricSm second = start(SM);
        assertThat(lids()).isEqualTo(before);
        assertThat(sets(LinearForwardingTable.TYPE.id())).isZero();
        assertThat(sets(VPortInfo.TYPE.id())).isZero();
        verifyAll(second);
    }

    /** The other SM has no state: it takes the LIDs over as the vports report them. */
    @Test
    void aTakeoverWithoutStateChangesNoLid() throws Exception {
        FabricSm first = start(SM);
        FabricSm second = start(STANDBY);
        Map<Long, Integer> before = lids();
        first.kill();
        settle();
        settle();
        assertThat(second.isUp()).isTrue();
        assertThat(lids()).isEqualTo(before);
        verifyAll(second);
    }

    @Test
    void aHostGetsItsShareOfTheLidsOnly() throws Exception {
        // 18 ports and LIDs to 127: vports get 54 LIDs, those of a port 6.
        models = models.with(
                Topology.Node::isSwitch,
                model -> model.agent(agent ->
                        agent.withFalseValue(FalseValue.of(SwitchInfo.TYPE.id(), SwitchInfo.LINEAR_FDB_CAP, 128))));
        FabricSm sm = start(SM);
        for (int vport = VPORTS; vport < 12; vport++) {
            agent(host).plug(vport, 0x9900L + vport);
        }
        settle();
        long active = IntStream.range(1, 12)
                .filter(vport -> agent(host).info(vport).state() == PortInfo.STATE_ACTIVE)
                .count();
        assertThat(active).isEqualTo(6);
        assertThat(events.only(SmEvent.VPORTS_LEFT).get(EventField.REASON)).contains("share");
        agent(other).plug(9, 0x77);
        settle();
        assertThat(agent(other).info(9).state()).isEqualTo(PortInfo.STATE_ACTIVE);
        agent(host).unplug(1);
        agent(host).unplug(2);
        settle();
        sm.sweepHeavy();
        settle();
        assertThat(IntStream.range(3, 12)
                        .filter(vport -> agent(host).info(vport).state() == PortInfo.STATE_ACTIVE)
                        .count())
                .as("the LIDs of the vports that went are given to others")
                .isEqualTo(6);
    }

    @Test
    void aVPortThatWaitsWhileSweepsAreSuspendedIsReported() throws Exception {
        FabricSm sm = start(SM);
        sm.sweeper.suspend(true);
        agent(host).plug(9, 0x77);
        settle();
        assertThat(events.of(SmEvent.VPORTS_LEFT)).singleElement().satisfies(event -> assertThat(
                        event.get(EventField.REASON))
                .contains("vport 9 requires a LID", "sweeps are suspended"));
        sm.sweeper.suspend(false);
        settle();
        assertThat(agent(host).info(9).state()).isEqualTo(PortInfo.STATE_ACTIVE);
        assertThat(events.of(SmEvent.VPORTS_MANAGED)).hasSize(1);
    }

    /** Its packets would have the address of the port. */
    @Test
    void aVPortWhoseLidAPortNeedsIsTakenDownIfNoOtherOneIsLeft() throws Exception {
        // LIDs to 18 for 15 ports and a vport, and then for 18 ports.
        models = models.with(
                        Topology.Node::isSwitch,
                        model -> model.agent(agent -> agent.withFalseValue(
                                FalseValue.of(SwitchInfo.TYPE.id(), SwitchInfo.LINEAR_FDB_CAP, 19))))
                .with(
                        node -> !node.isSwitch(),
                        model -> model.vendor(
                                vendor -> vendor.with(VPortModel.of(2).with(VPortLids.OWN))));
        fabric = new SimFabric(topology, models, loop, FaultPlan.NONE);
        List<Topology.Node> late = hosts().stream()
                .filter(node -> node.description().startsWith("host-2"))
                .toList();
        late.forEach(node -> fabric.unlink(node.nodeGuid(), 1));
        FabricSm sm = start(SM);
        Topology.Node only = hosts().stream()
                .filter(node -> agent(node).info(1).state() == PortInfo.STATE_ACTIVE)
                .findFirst()
                .orElseThrow();
        late.forEach(node -> fabric.relink(node.nodeGuid(), 1));
        settle();
        int lid = agent(only).info(1).lid();
        Subnet subnet = sm.view().subnet();
        assertThat(subnet.fabric().portGuid(subnet.portOfLid(lid)))
                .isIn(late.stream().map(node -> node.portGuid(1)).toList());
        assertThat(agent(only).info(1).state()).isEqualTo(PortInfo.STATE_INITIALIZE);
        assertThat(events.of(SmEvent.VPORTS_LEFT)).anySatisfy(event -> assertThat(event.get(EventField.REASON))
                .contains("its LID " + lid + " is that of a port now; it is taken down"));
    }

    @Test
    void vportsKeepTheirLidsInAllTablesWhileVirtEnabledIsZero() throws Exception {
        FabricSm first = start(SM);
        Map<Long, Integer> before = lids();
        first.kill();
        virtEnabled = "0";
        FabricSm second = start(SM);
        second.sweepHeavy();
        settle();
        verifyDelivery(second.view().subnet(), agent(host).info(2).lid(), host);
        second.kill();
        virtEnabled = "2";
        FabricSm third = start(SM);
        assertThat(lids()).isEqualTo(before);
        verifyAll(third);
    }
}
