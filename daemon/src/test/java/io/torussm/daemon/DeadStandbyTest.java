package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SmOptions;
import io.torussm.event.SmEvent;
import io.torussm.mastership.SmState;
import io.torussm.sim.SimFabric;
import io.torussm.sim.VirtualLoop;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Topology;
import io.torussm.testing.LoggedEvents;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * A standby that dies without notice: its master counts it no longer after three light sweeps without an answer. Two
 * SMs on an embedded torus of 3x3 switches, in virtual time.
 */
class DeadStandbyTest {
    private static final TorusSpec TORUS = TorusSpec.parse("torus:3x3x1,hosts=1");

    /** Three light sweeps, and the heavy one. */
    private static final long FORGOTTEN_NS = TimeUnit.SECONDS.toNanos(45);

    @RegisterExtension
    final LoggedEvents log = new LoggedEvents();

    @TempDir
    Path dir;

    private final VirtualLoop loop = new VirtualLoop();
    private final Topology topology = TORUS.topology();
    private final SimFabric fabric = new SimFabric(topology, loop, FaultPlan.NONE);
    private FabricSm master;
    private FabricSm standby;

    @BeforeEach
    void aPair() throws Exception {
        SmOptions options =
                ServiceHarness.options(dir, Map.of(Settings.TORUS_CONFIG, ServiceHarness.torusConf(dir, TORUS)));
        master = new FabricSm(loop, fabric, "host-0-0-0-0", 5, options)
                .trustPortsOf(topology)
                .start();
        assertThat(loop.runUntil(master::isUp, FORGOTTEN_NS)).isTrue();
        standby = new FabricSm(loop, fabric, "host-1-1-0-0", 3, options)
                .trustPortsOf(topology)
                .start();
        loop.runFor(FORGOTTEN_NS);
        assertThat(standby.state()).isEqualTo(SmState.STANDBY);
        assertThat(master.mastership.state().others()).hasSize(1);
    }

    @Test
    void isForgottenAfterThreeLightSweepsWithoutAnAnswer() {
        standby.kill();
        loop.runFor(3 * FORGOTTEN_NS);
        assertThat(master.mastership.state().others()).isEmpty();
        assertThat(log.all())
                .filteredOn(event -> event.event() == SmEvent.SM_SILENT)
                .hasSize(1);
    }
}
