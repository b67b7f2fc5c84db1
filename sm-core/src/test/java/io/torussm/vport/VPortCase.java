package io.torussm.vport;

import io.torussm.mad.MadHeader;
import io.torussm.partition.PartitionPlan;
import io.torussm.partition.PartitionSettings;
import io.torussm.partition.PortKeys;
import io.torussm.sim.agent.VPortAgent;
import io.torussm.sim.model.AgentProfile;
import io.torussm.sim.model.DeviceModels;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.model.VPortModel;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Topology;
import io.torussm.sweep.SweepHarness;
import io.torussm.testing.LoggedEvents;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Four switches with a host each. All hosts but that of the SM have virtual ports. */
abstract class VPortCase {
    static final Topology TORUS = TorusSpec.parse("torus:2x2x1,mesh=xy").topology();
    static final long GOOD = guid("host-0-1-0-0");
    static final long OTHER = guid("host-1-1-0-0");
    static final long THIRD = guid("host-1-0-0-0");
    static final int[] VENDOR = {0xff17, 0xffb0, 0xffb1, 0xffb2, 0xffb3, 0xffb4, 0xffb5, 0xffb6};

    @RegisterExtension
    final LoggedEvents events = new LoggedEvents();

    int mode = 2;
    PartitionSettings partitions = PartitionSettings.DEFAULT;
    SweepHarness harness = harness(VPortModel.of(4), AgentProfile.CONFORMING);
    VPortManager manager = manager();

    static long guid(String name) {
        return TORUS.node(name).orElseThrow().nodeGuid();
    }

    /** Makes a harness in which the agent of one host may be a bad one. */
    static SweepHarness harness(VPortModel vports, AgentProfile agentOfOther) {
        return harness(vports, agentOfOther, FaultPlan.NONE);
    }

    static SweepHarness harness(VPortModel vports, AgentProfile agentOfOther, FaultPlan faults) {
        DeviceModels models = DeviceModels.PERFECT
                .with(
                        node -> !node.isSwitch() && !node.description().equals(SweepHarness.HOST),
                        model -> model.vendor(vendor -> vendor.with(vports)))
                .with(DeviceModels.byGuid(OTHER), model -> model.agent(agent -> agent.and(agentOfOther)));
        return new SweepHarness(TORUS, models, faults);
    }

    VPortManager manager() {
        VPortManager vPortManager = new VPortManager(harness.client, harness.loop, () -> mode);
        harness.sweeper.traps().whenVPortsChange(vPortManager::onVPortTrap);
        harness.sweeper.traps().whenVPortNamesChange(vPortManager::onVPortNameTrap);
        return vPortManager;
    }

    void use(VPortModel vports, AgentProfile agentOfOther) {
        harness = harness(vports, agentOfOther);
        manager = manager();
    }

    void sweep() {
        harness.sweep();
        manager.visitPorts(harness.publishedView().subnet(), plan());
        settle();
    }

    /** Returns the plan of the published subnet with the partitions of the moment. */
    PartitionPlan plan() {
        return PartitionPlan.of(partitions, harness.publishedView().subnet().fabric(), port -> PortKeys.NONE);
    }

    void settle() {
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(20));
    }

    VPortAgent agent(long nodeGuid) {
        return harness.fabric.interventions().vports(nodeGuid, 1);
    }

    int state(long nodeGuid, int vport) {
        return agent(nodeGuid).info(vport).state();
    }

    long portGuid(long nodeGuid) {
        return TORUS.nodes().stream()
                .filter(node -> node.nodeGuid() == nodeGuid)
                .findFirst()
                .orElseThrow()
                .portGuid(1);
    }

    long vendorSmps(int method) {
        return harness.requests.stream()
                .filter(mad -> MadHeader.method(mad) == method
                        && Arrays.stream(VENDOR).anyMatch(id -> id == MadHeader.attributeId(mad)))
                .count();
    }
}
