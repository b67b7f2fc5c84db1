package io.torussm.vport;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.partition.PartitionPlan;
import io.torussm.sim.model.DeviceModels;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.model.VPortModel;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sweep.SweepHarness;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The time of many virtual ports, in virtual time. */
class VPortScaleTest {
    /** Devices that respond in 1.6 ms, which is much for an adapter. */
    private static final FaultPlan SLOW = new FaultPlan(1, 0, 0, 200, 1_600_000, 0);

    private static final int VPORTS = 16;
    private static final int HOSTS = 1023;
    private static final long STEP_NS = TimeUnit.MILLISECONDS.toNanos(10);

    @Test
    void manyVPortsAreActiveWithinThreeSeconds() {
        DeviceModels models = DeviceModels.PERFECT.with(
                node -> !node.isSwitch() && !node.description().equals(SweepHarness.HOST),
                model -> model.vendor(vendor -> vendor.with(VPortModel.of(VPORTS))));
        SweepHarness harness =
                new SweepHarness(TorusSpec.parse("torus:8x8x4,hosts=4").topology(), models, SLOW);
        harness.keepsRequests = false;
        VPortManager manager = new VPortManager(harness.client, harness.loop, () -> 2);
        harness.sweep();
        long before = harness.loop.nowNs();
        manager.visitPorts(
                harness.publishedView().subnet(),
                PartitionPlan.withoutConf(harness.publishedView().subnet().fabric()));
        while (manager.table().countActive() < HOSTS * VPORTS
                && harness.loop.nowNs() - before < TimeUnit.MINUTES.toNanos(1)) {
            harness.loop.runFor(STEP_NS);
        }
        long ms = TimeUnit.NANOSECONDS.toMillis(harness.loop.nowNs() - before);
        assertThat(ms).isLessThanOrEqualTo(3000);
    }
}
