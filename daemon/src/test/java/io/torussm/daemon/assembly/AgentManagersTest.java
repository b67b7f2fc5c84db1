package io.torussm.daemon.assembly;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.ServiceHarness;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.twin.VirtualSm;
import io.torussm.event.Finding;
import io.torussm.perf.PollStatistics;
import io.torussm.sim.SimFabric;
import io.torussm.sim.VirtualLoop;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.transport.MadFrame;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Changes of settings of the managers that share a client, while all of them run. */
class AgentManagersTest {
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(30);
    private static final TorusSpec TORUS = TorusSpec.parse("torus:4x3x1,hosts=1");

    private final VirtualLoop clock = new VirtualLoop();
    private final SimFabric fabric = new SimFabric(TORUS.topology(), clock, FaultPlan.NONE);

    @TempDir
    Path dir;

    /** A watcher that ignores all. */
    private static final class Nothing implements VirtualSm.Watcher {
        @Override
        public void onEvent(Finding finding) {}

        @Override
        public void onSet(MadFrame frame) {}
    }

    private static PollStatistics counters(VirtualSm sm) {
        return sm.parts().agents().counters().statistics();
    }

    @Test
    void aTurnOfTheCountersContinuesIfReadingFirmwareVersionsIsEnabled() throws Exception {
        SmOptions options = ServiceHarness.options(
                dir.resolve("state"),
                Map.of(Settings.TORUS_CONFIG, ServiceHarness.torusConf(dir, TORUS), Settings.PERFMGR, "true"));
        VirtualSm sm =
                VirtualSm.start(clock, fabric.attach("host-0-0-0-0", 1), VirtualSm.Start.of(options), new Nothing());
        assertThat(sm.runUntilIdle(LIMIT_NS)).isTrue();
        sm.runFor(LIMIT_NS);
        PollStatistics before = counters(sm);
        assertThat(before.turns()).isEqualTo(1);
        sm.reconfigure(SmOptions.of(options.values().with(Settings.FIRMWARE_VERSIONS, "true")));
        sm.runFor(LIMIT_NS);
        assertThat(sm.parts().agents().firmware().census().isRead()).isTrue();
        assertThat(counters(sm)).isEqualTo(before);
    }
}
