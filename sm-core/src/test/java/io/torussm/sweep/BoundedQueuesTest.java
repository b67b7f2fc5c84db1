package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.sim.SimFabric;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.transport.MadClient;
import io.torussm.transport.WireWindow;
import org.junit.jupiter.api.Test;

/** A cold sweep over switches that drop simultaneous SMPs beyond a limit, with the kernel's time-outs. */
class BoundedQueuesTest {
    private static SweepHarness cold(int depth, WireWindow window) {
        SweepHarness harness = new SweepHarness(
                TorusSpec.parse("torus:4x4x3,hosts=2").topology(), new FaultPlan(1, 0, 0, 500, 5_000, 0));
        harness.fabric.limitQueues(new SimFabric.Vl15(depth, 50_000));
        harness.mads = new MadClient.Settings(0, 4, 200, 3);
        harness.window = window;
        harness.isBehindKernel = true;
        harness.restart();
        harness.sweep();
        return harness;
    }

    @Test
    void aQueueThatHoldsTheFirstWindowDropsNoSmp() {
        SweepHarness harness = cold(64, WireWindow.adaptive(WireWindow.DEFAULT_LIMIT));
        assertThat(harness.ends).containsExactly("up");
        assertThat(harness.fabric.counters().overflowed()).isZero();
        assertThat(harness.client.stats().halvings()).isZero();
    }

    @Test
    void theWindowFindsWhatShallowQueuesBear() {
        SweepHarness harness = cold(16, WireWindow.adaptive(WireWindow.DEFAULT_LIMIT));
        assertThat(harness.ends).containsExactly("up");
        MadClient.Stats stats = harness.client.stats();
        assertThat(stats.timeouts()).as("given up").isZero();
        assertThat(stats.halvings()).isBetween(1L, 10L);
        assertThat(stats.window()).isLessThan(WireWindow.INITIAL);
        SweepHarness flooded = cold(16, WireWindow.fixed(512));
        assertThat(stats.retries())
                .as("against a window of 512")
                .isLessThan(flooded.client.stats().retries() / 3);
        assertThat(harness.loop.nowNs()).isLessThan(flooded.loop.nowNs());
    }
}
