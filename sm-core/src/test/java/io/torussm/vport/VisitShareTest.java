package io.torussm.vport;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.MadHeader;
import io.torussm.mad.smp.PortInfo;
import io.torussm.partition.PartitionPlan;
import io.torussm.sim.agent.VPortAgent;
import io.torussm.sim.model.DeviceModels;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.model.VPortModel;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Topology;
import io.torussm.sweep.SweepHarness;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Hosts with very many virtual ports, and one with few. */
class VisitShareTest {
    private static final Topology TORUS = TorusSpec.parse("torus:9x8x1,hosts=1").topology();
    private static final String LAST = "host-8-7-0-0";
    private static final int MANY = 200;

    /** Devices that respond in 0.1 ms. */
    private static final FaultPlan FAST = new FaultPlan(1, 0, 0, 200, 100_000, 0);

    private final SweepHarness harness = new SweepHarness(TORUS, models(), FAST);
    private final VPortManager manager = new VPortManager(harness.client, harness.loop, () -> 2);

    private static DeviceModels models() {
        return DeviceModels.PERFECT.with(
                node -> !node.isSwitch() && !node.description().equals(SweepHarness.HOST),
                model -> model.vendor(vendor -> vendor.with(VPortModel.of(MANY))));
    }

    private VPortAgent agent(Topology.Node node) {
        return harness.fabric.interventions().vports(node.nodeGuid(), 1);
    }

    @Test
    void aHostIsNotDelayedByHostsWithVeryManyVPorts() {
        Topology.Node last = TORUS.node(LAST).orElseThrow();
        for (int vport = 3; vport < MANY; vport++) {
            agent(last).unplug(vport);
        }
        harness.sweep();
        harness.requests.clear();
        manager.visitPorts(
                harness.publishedView().subnet(),
                PartitionPlan.withoutConf(harness.publishedView().subnet().fabric()));
        while (agent(last).info(2).state() != PortInfo.STATE_ACTIVE) {
            harness.loop.runFor(TimeUnit.MICROSECONDS.toNanos(100));
        }
        long vendor = harness.requests.stream()
                .filter(mad -> Arrays.stream(VPortCase.VENDOR).anyMatch(id -> id == MadHeader.attributeId(mad)))
                .count();
        assertThat(vendor).isLessThan(71 * (VisitRequests.MAX_SMPS + 8));
        harness.requests.clear();
        harness.keepsRequests = false;
        harness.loop.runFor(TimeUnit.MINUTES.toNanos(5));
        assertThat(manager.table().countActive()).isEqualTo(70 * MANY + 3);
    }
}
