package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.alias.VPortGuids;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.dump.Dumps;
import io.torussm.daemon.proof.Assumptions;
import io.torussm.daemon.proof.FabricFiles;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.mad.vport.VPortInfo;
import io.torussm.mad.vport.VPortStateTable;
import io.torussm.multicast.MulticastView;
import io.torussm.proof.FabricProof;
import io.torussm.proof.FabricTables;
import io.torussm.sim.SimFabric;
import io.torussm.sim.VirtualLoop;
import io.torussm.sim.agent.VPortAgent;
import io.torussm.sim.model.AgentProfile;
import io.torussm.sim.model.DeviceModels;
import io.torussm.sim.model.FalseValue;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.model.VPortModel;
import io.torussm.sim.model.VPortModel.VPortLids;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Topology;
import io.torussm.state.StateDirectory;
import io.torussm.subnet.Subnet;
import io.torussm.subnet.VPortLidStore;
import io.torussm.testing.LoggedEvents;
import io.torussm.testing.MortalLoop;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A whole SM, and virtual ports that require LIDs of their own. */
class VPortLidsTest {
    private static final TorusSpec TORUS = TorusSpec.parse("torus:3x3x1,hosts=1");
    private static final String SM = "host-0-0-0-0";
    private static final String STANDBY = "host-2-1-0-0";
    private static final int VPORTS = 3;
    private static final int PORTS = 18;

    @RegisterExtension
    final LoggedEvents events = new LoggedEvents();

    @TempDir
    Path dir;

    private final Topology topology = TORUS.topology();
    private final Topology.Node host = topology.node("host-1-1-0-0").orElseThrow();
    private final Topology.Node other = topology.node("host-1-2-0-0").orElseThrow();
    private final VirtualLoop loop = new VirtualLoop();
    private final List<byte[]> sent = new ArrayList<>();
    private DeviceModels models = DeviceModels.PERFECT.with(
            node -> !node.isSwitch(),
            model -> model.vendor(vendor -> vendor.with(VPortModel.of(VPORTS).with(VPortLids.OWN))));
    private SimFabric fabric;
    private int generation;
    private String virtEnabled = "2";

    private FabricSm start(String at) throws Exception {
        if (fabric == null) {
            fabric = new SimFabric(topology, models, loop, FaultPlan.NONE);
        }
        MortalLoop life = new MortalLoop(loop);
        Path state = Files.createDirectories(dir.resolve("state-" + at));
        SmOptions options = ServiceHarness.options(
                state,
                Map.of(
                        Settings.TORUS_CONFIG,
                        ServiceHarness.torusConf(dir, TORUS),
                        Settings.VIRT_ENABLED,
                        virtEnabled));
        Eavesdropper port = new Eavesdropper(fabric.attach(at, 1));
        port.sendListener = sent::add;
        FabricSm sm = new FabricSm(
                life, port, at.equals(SM) ? 8 : 3, options, StateDirectory.open(state, life), ++generation);
        sm.start();
        settle();
        return sm;
    }

    private void settle() {
        loop.runFor(TimeUnit.MINUTES.toNanos(1));
    }

    private VPortAgent agent(Topology.Node node) {
        return fabric.interventions().vports(node.nodeGuid(), 1);
    }

    private List<Topology.Node> hosts() {
        return topology.nodes().stream().filter(node -> !node.isSwitch()).toList();
    }

    /** Returns the LIDs of all vports but vport 0, by GUID. */
    private Map<Long, Integer> lids() {
        Map<Long, Integer> lids = new TreeMap<>();
        for (Topology.Node node : hosts()) {
            for (int vport = 1; vport < 16; vport++) {
                if (agent(node).hasVPort(vport)) {
                    lids.put(
                            agent(node).info(vport).portGuid(),
                            agent(node).info(vport).lid());
                }
            }
        }
        return lids;
    }

    /** Verifies that packets to a LID arrive at a host from every switch, by the tables of the switches. */
    private void verifyDelivery(Subnet subnet, int lid, Topology.Node to) {
        Fabric wired = subnet.fabric();
        for (int sw = 0; sw < wired.switchCount(); sw++) {
            int node = sw;
            for (int hops = 0; wired.isSwitch(node) && hops < 20; hops++) {
                byte[] lft = fabric.lft(wired.nodeGuid(node));
                int out = lid < lft.length ? lft[lid] & 0xff : LinearForwardingTable.NO_PATH;
                assertThat(out).as("LID %d at %s", lid, wired.name(node)).isBetween(1, wired.numPorts(node));
                node = wired.nodeOf(wired.peer(wired.port(node, out)));
            }
            assertThat(wired.nodeGuid(node)).as("LID %d", lid).isEqualTo(to.nodeGuid());
        }
    }

    private void verifyAll(FabricSm sm) {
        Subnet subnet = sm.view().subnet();
        Set<Integer> seen = new HashSet<>();
        VPortGuids vports = sm.saDatabase.registrations().aliases().vports();
        for (Topology.Node node : hosts()) {
            int port = subnet.fabric().endport(node.portGuid(1));
            for (int vport = 1; vport < 16; vport++) {
                if (agent(node).hasVPort(vport)) {
                    VPortInfo info = agent(node).info(vport);
                    assertThat(info.state()).as("vport %d of %s", vport, node).isEqualTo(PortInfo.STATE_ACTIVE);
                    assertThat(seen.add(info.lid()))
                            .as("LID %d is of one vport", info.lid())
                            .isTrue();
                    assertThat(subnet.portOfLid(info.lid())).isEqualTo(port);
                    assertThat(subnet.lid(port)).isNotEqualTo(info.lid());
                    assertThat(vports.lidOf(info.portGuid())).isEqualTo(info.lid());
                    assertThat(sm.view().plan().pathSl(subnet.smLid(), info.lid(), 0))
                            .isEqualTo(sm.view().plan().pathSl(subnet.smLid(), subnet.lid(port), 0));
                    verifyDelivery(subnet, info.lid(), node);
                }
            }
        }
    }

    private long sets(int attribute) {
        return sent.stream()
                .filter(mad -> MadHeader.mgmtClass(mad) != MgmtClass.SUBN_ADM
                        && MadHeader.method(mad) == Method.SET
                        && MadHeader.attributeId(mad) == attribute)
                .count();
    }

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
    void theLidOfAVPortThatWentReturnsWithItAndIsOtherwiseFree() throws Exception {
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

    @Test
    void aHostGetsItsShareOfTheLidsAndOthersTheirs() throws Exception {
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
