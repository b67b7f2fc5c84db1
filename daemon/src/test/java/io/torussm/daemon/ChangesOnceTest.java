package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.journal.SweepHistory;
import io.torussm.fabric.Fabric;
import io.torussm.sim.SimFabric;
import io.torussm.sim.VirtualLoop;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Topology;
import io.torussm.sweep.state.SweepEvent;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Cables, hosts and switches that are lost and return together: the command {@code changes} lists each once. */
@Timeout(120)
class ChangesOnceTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final TorusSpec TORUS = TorusSpec.parse("torus:4x3x1");

    @TempDir
    Path dir;

    private final VirtualLoop loop = new VirtualLoop();
    private final Topology topology = TORUS.topology();
    private final SimFabric fabric = new SimFabric(topology, loop, FaultPlan.NONE);
    private final SweepHistory history = new SweepHistory();

    /** With another cable the routes are compared, too. */
    @Test
    void aHostThatIsLostWithACableIsListedOnce() throws Exception {
        Fabric seen = startSm();
        long host = guid(seen, "host-3-2-0-0");
        long sw = guid(seen, "sw-1-1-0");
        changeAndRun(() -> fabric.unlink(sw, 1), () -> fabric.unlink(host, 1));
        changeAndRun(() -> fabric.relink(sw, 1), () -> fabric.relink(host, 1));
        assertListed("host-3-2-0-0", 2);
        assertListed("sw-1-1-0", 2);
    }

    @Test
    void aHostThatIsLostWithASwitchIsListedOnce() throws Exception {
        Fabric seen = startSm();
        long host = guid(seen, "host-3-2-0-0");
        long sw = guid(seen, "sw-1-1-0");
        changeAndRun(() -> fabric.interventions().powerOff(sw), () -> fabric.interventions()
                .powerOff(host));
        changeAndRun(() -> fabric.interventions().powerOn(sw), () -> fabric.interventions()
                .powerOn(host));
        assertListed("host-3-2-0-0", 2);
        assertListed("host-1-1-0-0", 2); // in the lines of its switch, which is lost and returns
        assertListed("sw-1-1-0", 2);
    }

    private void recordEvent(SweepEvent event) {
        if (event instanceof SweepEvent.RoutesCompared routes) {
            history.recordRouteChanges(routes.differences(), routes.changedSls());
        } else if (event instanceof SweepEvent.FabricChanged changed) {
            history.recordChanges(changed.changes());
        } else if (event instanceof SweepEvent.SubnetUp) {
            history.recordSweep(loop.timeOfDay(), SweepHistory.UP, "");
        }
    }

    private Fabric startSm() throws Exception {
        String own = topology.firstHost().orElseThrow().id();
        FabricSm sm = new FabricSm(loop, fabric, own, 8, ServiceHarness.torusOptions(dir, TORUS));
        sm.eventListener = this::recordEvent;
        sm.start();
        assertThat(loop.runUntil(sm::isUp, 120 * SECOND)).isTrue();
        loop.runFor(20 * SECOND);
        return sm.view().subnet().fabric();
    }

    private void changeAndRun(Runnable... changes) {
        for (Runnable change : changes) {
            change.run();
        }
        loop.runFor(20 * SECOND);
    }

    /** Checks the lines with a name, in all sweeps since the first. */
    private void assertListed(String name, int times) {
        List<String> all = history.sweeps().stream()
                .flatMap(sweep -> sweep.changes().stream())
                .toList();
        assertThat(all).filteredOn(line -> line.contains('"' + name + '"')).hasSize(times);
        assertThat(history.sweeps())
                .allSatisfy(sweep -> assertThat(sweep.changes()).doesNotHaveDuplicates());
    }

    private static long guid(Fabric seen, String name) {
        for (int node = 0; node < seen.nodeCount(); node++) {
            if (seen.nodeName(node).contains(name)) {
                return seen.nodeGuid(node);
            }
        }
        throw new AssertionError(name);
    }
}
