package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SmOptions;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mastership.SmState;
import io.torussm.sim.SimFabric;
import io.torussm.sim.VirtualLoop;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Topology;
import io.torussm.view.PublishedView;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.io.TempDir;

/** Whole subnet managers on one embedded torus of 4 x 3 switches with a host each, in virtual time. */
abstract class SeveralSmsCase {
    private static final String TORUS = "torus:4x3x1,hosts=1";

    /** A setting that changes nothing, since options need one. */
    private static final Map<Setting<?>, String> NO_SETTING = Map.of(Settings.SIM_HOST, "");

    /** The hosts of SMs, in ascending order of port GUIDs. */
    static final String FIRST = "host-0-0-0-0";

    static final String SECOND = "host-2-1-0-0";
    static final String THIRD = "host-3-2-0-0";

    /** Max time from the last answer of a dead master until its standby is master, without the sweep. */
    static final long NOTICED_NS = TimeUnit.SECONDS.toNanos(5);

    final Topology topology = TorusSpec.parse(TORUS).topology();
    final VirtualLoop loop = new VirtualLoop();

    @TempDir
    Path dir;

    /** The fabric, which a test may replace before it starts an SM. */
    SimFabric fabric = new SimFabric(topology, loop, FaultPlan.NONE);

    /** Returns the options of an SM with more settings. */
    SmOptions options(Map<Setting<?>, String> more) throws Exception {
        Map<Setting<?>, String> settings = new TreeMap<>(more.isEmpty() ? NO_SETTING : more);
        String conf = ServiceHarness.torusConf(dir, TorusSpec.parse(TORUS));
        settings.put(Settings.TORUS_CONFIG, conf);
        return ServiceHarness.options(dir, settings);
    }

    /** Returns an SM that is not started, and knows which ports belong to SMs that may see keys. */
    FabricSm sm(String host, int priority) throws Exception {
        return new FabricSm(loop, fabric, host, priority, options(Map.of())).trustPortsOf(topology);
    }

    /** Runs the loop until a condition holds, and fails with a label if it does not in time. */
    void await(String label, long limitNs, BooleanSupplier condition) {
        assertThat(loop.runUntil(condition, limitNs)).as(label).isTrue();
    }

    /** Runs the loop for 30 s, in which sweeps, polls and handovers end. */
    void settle() {
        loop.runFor(TimeUnit.SECONDS.toNanos(30));
    }

    /** Starts an SM that becomes master. */
    FabricSm master(String host, int priority) throws Exception {
        FabricSm sm = sm(host, priority).start();
        await("the first master", NOTICED_NS, sm::isUp);
        return sm;
    }

    /** Starts an SM that becomes standby. */
    FabricSm standby(String host, int priority) throws Exception {
        FabricSm sm = sm(host, priority).start();
        await("the standby", NOTICED_NS, () -> sm.state() == SmState.STANDBY);
        return sm;
    }

    /**
     * Returns all that affects packets: LIDs, forwarding tables, SL2VL tables, and the SLs that the SA gives
     * for all paths.
     */
    List<Object> clientVisibleState(FabricSm master) {
        PublishedView view = Objects.requireNonNull(master.sweeper.view());
        List<Object> all = new ArrayList<>();
        addRegisters(all);
        for (int slid = 1; slid <= view.subnet().topLid(); slid++) {
            for (int dlid = 1; dlid <= view.subnet().topLid(); dlid++) {
                all.add(view.plan().pathSl(slid, dlid, 0));
            }
        }
        return all;
    }

    private void addRegisters(List<Object> all) {
        for (Topology.Node node : topology.nodes()) {
            int first = node.isSwitch() ? 0 : 1;
            if (node.isSwitch()) {
                all.add(Arrays.toString(fabric.lft(node.nodeGuid())));
            }
            for (int port = first; port <= node.numPorts(); port++) {
                PortInfo info = fabric.portInfo(node.nodeGuid(), port);
                all.add(List.of(info.lid(), info.lmc(), info.portState(), info.neighborMtu()));
                for (int in = first; in <= node.numPorts(); in++) {
                    all.add(fabric.sl2vl(node.nodeGuid(), in, port));
                }
                all.add(fabric.vlArbitration(node.nodeGuid(), port, 1));
            }
        }
    }

    /** Unlinks one cable between two switches. */
    void unlinkSwitches() {
        for (Topology.Node node : topology.nodes()) {
            Topology.PortRef peer = node.peer(1);
            if (node.isSwitch() && peer != null && peer.node().isSwitch()) {
                fabric.unlink(node.nodeGuid(), 1);
                return;
            }
        }
        throw new AssertionError("no cable between switches at any port 1");
    }

    /** Asserts that all ports have the LID of a master as MasterSMLID. */
    void assertFollows(FabricSm master) {
        int lid = Objects.requireNonNull(master.sweeper.view()).subnet().smLid();
        for (Topology.Node node : topology.nodes()) {
            int port = node.isSwitch() ? 0 : 1;
            assertThat(fabric.portInfo(node.nodeGuid(), port).masterSmLid())
                    .as("%s", node)
                    .isEqualTo(lid);
        }
    }
}
