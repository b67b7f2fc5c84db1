package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.alias.VPortGuids;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SmOptions;
import io.torussm.fabric.Fabric;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.vport.VPortInfo;
import io.torussm.sim.SimFabric;
import io.torussm.sim.VirtualLoop;
import io.torussm.sim.agent.VPortAgent;
import io.torussm.sim.model.DeviceModels;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.model.VPortModel;
import io.torussm.sim.model.VPortModel.VPortLids;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Topology;
import io.torussm.state.StateDirectory;
import io.torussm.subnet.Subnet;
import io.torussm.testing.LoggedEvents;
import io.torussm.testing.MortalLoop;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The fixture of a whole SM on a torus of nine hosts, with virtual ports that require LIDs of their own. */
abstract class VPortLidsCase {
    static final TorusSpec TORUS = TorusSpec.parse("torus:3x3x1,hosts=1");
    static final String SM = "host-0-0-0-0";
    static final String STANDBY = "host-2-1-0-0";
    static final int VPORTS = 3;
    static final int PORTS = 18;

    @RegisterExtension
    final LoggedEvents events = new LoggedEvents();

    @TempDir
    Path dir;

    final Topology topology = TORUS.topology();
    final Topology.Node host = topology.node("host-1-1-0-0").orElseThrow();
    final Topology.Node other = topology.node("host-1-2-0-0").orElseThrow();
    final VirtualLoop loop = new VirtualLoop();
    final List<byte[]> sent = new ArrayList<>();
    DeviceModels models = DeviceModels.PERFECT.with(
            node -> !node.isSwitch(),
            model -> model.vendor(vendor -> vendor.with(VPortModel.of(VPORTS).with(VPortLids.OWN))));
    SimFabric fabric;
    int generation;
    String virtEnabled = "2";

    FabricSm start(String at) throws Exception {
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

    void settle() {
        loop.runFor(TimeUnit.MINUTES.toNanos(1));
    }

    VPortAgent agent(Topology.Node node) {
        return fabric.interventions().vports(node.nodeGuid(), 1);
    }

    List<Topology.Node> hosts() {
        return topology.nodes().stream().filter(node -> !node.isSwitch()).toList();
    }

    /** Returns the LIDs of all vports but vport 0, by GUID. */
    Map<Long, Integer> lids() {
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
    void verifyDelivery(Subnet subnet, int lid, Topology.Node to) {
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

    void verifyAll(FabricSm sm) {
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

    long sets(int attribute) {
        return sent.stream()
                .filter(mad -> MadHeader.mgmtClass(mad) != MgmtClass.SUBN_ADM
                        && MadHeader.method(mad) == Method.SET
                        && MadHeader.attributeId(mad) == attribute)
                .count();
    }
}
