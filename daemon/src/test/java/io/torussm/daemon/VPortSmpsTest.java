package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SmOptions;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.mad.vport.VirtualizationInfo;
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
import io.torussm.testing.MortalLoop;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The SMPs of a whole SM for changes of virtual ports that require LIDs of their own. */
class VPortSmpsTest {
    private static final TorusSpec TORUS = TorusSpec.parse("torus:3x3x1,hosts=1");
    private static final String SM = "host-0-0-0-0";

    @TempDir
    Path dir;

    private final Topology topology = TORUS.topology();
    private final Topology.Node host = topology.node("host-1-1-0-0").orElseThrow();
    private final Topology.Node other = topology.node("host-1-2-0-0").orElseThrow();
    private final VirtualLoop loop = new VirtualLoop();
    private final List<byte[]> sent = new ArrayList<>();
    private SimFabric fabric;
    private FabricSm sm;

    @BeforeEach
    void start() throws Exception {
        DeviceModels models = DeviceModels.PERFECT.with(
                node -> !node.isSwitch(),
                model -> model.vendor(vendor -> vendor.with(VPortModel.of(3).with(VPortLids.OWN))));
        fabric = new SimFabric(topology, models, loop, FaultPlan.NONE);
        MortalLoop life = new MortalLoop(loop);
        SmOptions options = ServiceHarness.options(
                dir, Map.of(Settings.TORUS_CONFIG, ServiceHarness.torusConf(dir, TORUS), Settings.VIRT_ENABLED, "2"));
        Eavesdropper port = new Eavesdropper(fabric.attach(SM, 1));
        port.sendListener = sent::add;
        sm = new FabricSm(life, port, 8, options, StateDirectory.open(dir, life), 1);
        sm.start();
        settle();
        sent.clear();
    }

    private void settle() {
        loop.runFor(TimeUnit.SECONDS.toNanos(5));
    }

    private VPortAgent agent(Topology.Node node) {
        return fabric.interventions().vports(node.nodeGuid(), 1);
    }

    /** Returns the routes to the ports that were asked for their vports. */
    private Set<DrPath> visited() {
        return sent.stream()
                .filter(mad -> MadHeader.mgmtClass(mad) == MgmtClass.SUBN_DIRECTED_ROUTE
                        && MadHeader.attributeId(mad) == VirtualizationInfo.TYPE.id())
                .map(Smp::path)
                .collect(Collectors.toSet());
    }

    private long sets(int attribute) {
        return sent.stream()
                .filter(mad -> MadHeader.mgmtClass(mad) == MgmtClass.SUBN_DIRECTED_ROUTE
                        && MadHeader.method(mad) == Method.SET
                        && MadHeader.attributeId(mad) == attribute)
                .count();
    }

    @Test
    void aVPortThatComesCostsNoSmpsOfOtherHosts() {
        int ends = sm.ends.size();
        agent(host).plug(9, 0x77);
        settle();
        assertThat(agent(host).info(9).state()).isEqualTo(PortInfo.STATE_ACTIVE);
        assertThat(sm.ends).as("runs of the engine").hasSize(ends + 1);
        assertThat(visited()).hasSize(1);
        assertThat(sets(LinearForwardingTable.TYPE.id())).isEqualTo(9);
        assertThat(sets(SwitchInfo.TYPE.id()))
                .as("the block of its LID was forwarded before")
                .isZero();
    }

    @Test
    void aVPortThatMovesCostsSmpsOfTwoHosts() {
        long guid = agent(host).info(2).portGuid();
        agent(host).unplug(2);
        agent(other).plug(9, guid);
        settle();
        assertThat(agent(other).info(9).state()).isEqualTo(PortInfo.STATE_ACTIVE);
        assertThat(visited()).hasSize(2);
    }

    @Test
    void aSweepAsksAllHosts() {
        sm.sweepHeavy();
        settle();
        assertThat(visited()).hasSize(9);
    }
}
