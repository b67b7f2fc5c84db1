package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.sim.SimFabric;
import io.torussm.sim.VirtualLoop;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sweep.idle.ReadyReport;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Plans for single failures that an SM keeps ready if the operator wants them: an SM on a torus of 4x3 switches, after
 * a time of rest.
 */
class KeptPlansTest {
    private static final TorusSpec TORUS = TorusSpec.parse("torus:4x3x1,hosts=1");

    private final VirtualLoop loop = new VirtualLoop();
    private final SimFabric fabric = new SimFabric(TORUS.topology(), loop, FaultPlan.NONE);

    @TempDir
    Path dir;

    @Test
    void afterThePrechecks() throws Exception {
        ReadyReport ready = readyReport("1", "2");
        assertThat(ready.failures()).isEqualTo(24 + 11);
        assertThat(ready.plans()).isEqualTo(ready.failures());
        assertThat(ready.limit()).isEqualTo(1 << 20);
    }

    @Test
    void notIfNoneAreWanted() throws Exception {
        assertThat(readyReport("0", "0")).isEqualTo(ReadyReport.NONE);
    }

    private ReadyReport readyReport(String mib, String prechecks) throws Exception {
        Map<Setting<?>, String> settings = Map.of(
                Settings.TORUS_CONFIG, ServiceHarness.torusConf(dir, TORUS),
                Settings.FAILURE_PRECHECKS, prechecks,
                Settings.READY_PLANS_MIB, mib);
        FabricSm sm = new FabricSm(loop, fabric, "host-0-0-0-0", 8, ServiceHarness.options(dir, settings)).start();
        loop.runFor(TimeUnit.SECONDS.toNanos(30));
        return sm.sweeper.idle().readyPlans();
    }
}
