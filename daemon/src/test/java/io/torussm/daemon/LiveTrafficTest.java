package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.config.Settings;
import io.torussm.dataplane.DataPlane;
import io.torussm.dataplane.DataPlaneSettings;
import io.torussm.dataplane.Destinations;
import io.torussm.dataplane.Hosts;
import io.torussm.dataplane.OfferedLoad;
import io.torussm.dataplane.ProgrammedTables;
import io.torussm.fabric.Fabric;
import io.torussm.routing.Plan;
import io.torussm.sim.FaultPlan;
import io.torussm.sim.SimFabric;
import io.torussm.sim.TorusSpec;
import io.torussm.sim.VirtualLoop;
import io.torussm.state.StateDirectory;
import io.torussm.testing.MortalLoop;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * All hosts send all the time, as fast as they can, over what the switches of the embedded fabric hold, while cables go and come back and the SM
 * programs: nothing ever waits for ever, and when the SM is at rest nothing is lost.
 */
class LiveTrafficTest {
    private static final TorusSpec TORUS = TorusSpec.parse("torus:6x5x1,hosts=2");
    private static final int PLUS_X = 1;

    /** A slice of the fabric's time, and the traffic's in it: SMPs are slow, and links would be full of packets meanwhile. */
    private static final long SLICE_NS = TimeUnit.MICROSECONDS.toNanos(500);

    private static final long TRAFFIC_NS = TimeUnit.MICROSECONDS.toNanos(1);
    private static final int LOOK = 50;

    private final VirtualLoop loop = new VirtualLoop();
    private final SimFabric devices = new SimFabric(TORUS.topology(), loop, FaultPlan.NONE);

    @TempDir
    Path dir;

    /** A fabric that an SM has brought up, under traffic. */
    private final class Live {
        private final Plan plan;
        private final Fabric fabric;
        private final ProgrammedTables tables;
        private final DataPlane plane;

        Live() throws Exception {
            FabricSm sm = new FabricSm(
                            new MortalLoop(loop),
                            devices.attach("host-0-0-0-0", 1),
                            8,
                            ServiceHarness.options(
                                    dir, Map.of(Settings.TORUS_CONFIG, ServiceHarness.torusConf(dir, TORUS))),
                            StateDirectory.open(dir.resolve("state"), loop),
                            Runnable::run,
                            1)
                    .start();
            loop.runUntil(() -> sm.sweeper.view() != null && sm.sweeper.isResting(), TimeUnit.SECONDS.toNanos(60));
            plan = Objects.requireNonNull(sm.sweeper.view()).plan();
            fabric = plan.subnet().fabric();
            Hosts hosts = new Hosts(plan.subnet());
            tables = new ProgrammedTables(devices, fabric);
            plane = new DataPlane(
                    hosts,
                    tables,
                    (from, dlid, level) -> plan.pathSl(hosts.lid(from), dlid, 8 * level),
                    new OfferedLoad(hosts, Destinations.uniform(hosts.count()), 1, 2_048, 0.3, 1),
                    DataPlaneSettings.DEFAULT);
        }

        /** Lets the SM work and packets flow; says how many packets were lost in the last tenth of it. */
        long pass(int milliseconds) {
            int slices = (int) (TimeUnit.MILLISECONDS.toNanos(milliseconds) / SLICE_NS);
            for (int slice = 0; slice < slices; slice++) {
                loop.runFor(SLICE_NS);
                tables.look();
                IntStream.range(0, fabric.portCount())
                        .filter(port -> fabric.peer(port) != Fabric.NONE)
                        .forEach(port -> plane.setUp(port, tables.isUp(port)));
                plane.run(plane.nowNs() + TRAFFIC_NS);
                if (slice % LOOK == 0) {
                    assertThat(plane.deadlock()).isEmpty();
                }
                if (slice == slices * 9 / 10) {
                    plane.countAnew();
                }
            }
            assertThat(plane.deadlock()).isEmpty();
            return plane.tally().drops();
        }

        long guid(String name) {
            return fabric.nodeGuid(IntStream.range(0, fabric.switchCount())
                    .filter(sw -> fabric.name(sw).contains(name))
                    .findFirst()
                    .orElseThrow());
        }
    }

    @Test
    void flowsThroughCutsOfARingAndTheirRepair() throws Exception {
        Live live = new Live();
        assertThat(live.pass(100)).isZero();
        devices.unlink(live.guid("sw-1-2-0"), PLUS_X);
        assertThat(live.pass(500)).isZero();
        devices.unlink(live.guid("sw-4-2-0"), PLUS_X);
        assertThat(live.pass(500)).isZero();
        devices.relink(live.guid("sw-1-2-0"), PLUS_X);
        assertThat(live.pass(500)).isZero();
        devices.relink(live.guid("sw-4-2-0"), PLUS_X);
        assertThat(live.pass(500)).isZero();
        assertThat(live.plane.tally().packets()).isPositive();
    }
}
