package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.alias.VPortGuids;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SmOptions;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.mad.Method;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.vport.VirtualizationInfo;
import io.torussm.partition.PartitionConf;
import io.torussm.partition.PortKeys;
import io.torussm.sim.SimFabric;
import io.torussm.sim.VirtualLoop;
import io.torussm.sim.agent.VPortAgent;
import io.torussm.sim.model.AgentProfile;
import io.torussm.sim.model.DeviceModels;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.model.VPortModel;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.PowerUp;
import io.torussm.sim.topology.Topology;
import io.torussm.subnet.Drains;
import io.torussm.subnet.Drains.Drain;
import io.torussm.testing.LoggedEvents;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The P_Keys that a switch lets pass at a port with virtual ports: those of the members, and no revoked ones. */
class VPortLeafKeysTest {
    private static final TorusSpec TORUS = TorusSpec.parse("torus:3x3x1,hosts=1");
    private static final String SM = "host-0-0-0-0";
    private static final String HOST = "host-1-1-0-0";
    private static final int FULL_DEFAULT = 0xffff;
    private static final int VPORTS = 3;

    @RegisterExtension
    final LoggedEvents events = new LoggedEvents();

    @TempDir
    Path dir;

    private final Topology topology = TORUS.topology();
    private final Topology.Node host = topology.node(HOST).orElseThrow();
    private final Topology.PortRef leaf = Objects.requireNonNull(host.peer(1));
    private final VirtualLoop loop = new VirtualLoop();
    private SimFabric fabric;
    private PartitionConf file = PartitionConf.NONE;
    private int generation;

    @Test
    void aRevokedKeyDoesNotPassThoughTheHostIsSilentAboutItsVPorts() throws Exception {
        partition(String.format("P=0x5: 0x%016x=full;", 0x99));
        FabricSm first = start();
        agent().plug(9, 0x99);
        advanceMinutes(1);
        assertThat(leafKeys()).contains(0x8005);
        first.kill();
        fabric.setAgent(host.nodeGuid(), AgentProfile.CONFORMING.dropping(VirtualizationInfo.TYPE.id(), Method.GET, 1));
        partition("");
        start();
        advanceMinutes(4);
        assertThat(leafKeys()).containsExactly(FULL_DEFAULT);
        assertThat(events.of(SmEvent.VPORTS_LEFT).get(1).get(EventField.REASON))
                .contains("only the P_Keys of the port");
    }

    @Test
    void theKeysOfASilentHostReturnWithItsFirstResponse() throws Exception {
        partition(String.format("P=0x5: 0x%016x=full;", 0x99));
        FabricSm first = start();
        agent().plug(9, 0x99);
        advanceMinutes(1);
        first.kill();
        fabric.setAgent(host.nodeGuid(), AgentProfile.CONFORMING.dropping(VirtualizationInfo.TYPE.id(), Method.GET, 1));
        start();
        advanceMinutes(4);
        assertThat(leafKeys()).containsExactly(FULL_DEFAULT);
        fabric.setAgent(host.nodeGuid(), AgentProfile.CONFORMING);
        advanceMinutes(1);
        assertThat(leafKeys()).containsExactlyInAnyOrder(FULL_DEFAULT, 0x8005);
        assertThat(events.of(SmEvent.VPORTS_MANAGED)).hasSize(1);
    }

    @Test
    void theVPortsBehindADrainedSwitchLeaveAndReturnWithIt() throws Exception {
        FabricSm sm = start();
        long vport = agent().info(1).portGuid();
        VPortGuids vports = sm.saDatabase.registrations().aliases().vports();
        assertThat(vports.portOf(vport)).isEqualTo(host.portGuid(1));
        Drain drain = new Drain(leaf.node().nodeGuid(), Drains.WHOLE_SWITCH, "leaf", Instant.EPOCH);
        sm.memory.drains().drain(drain);
        sm.mastership.sweepHeavy();
        advanceMinutes(1);
        assertThat(vports.portOf(vport)).isZero();
        sm.memory.drains().undrain(drain);
        sm.mastership.sweepHeavy();
        advanceMinutes(1);
        assertThat(vports.portOf(vport)).isEqualTo(host.portGuid(1));
        assertThat(agent().info(1).state()).isEqualTo(PortInfo.STATE_ACTIVE);
    }

    @Test
    void aSwitchWithoutRoomForAllKeysChecksThoseOfThePort() throws Exception {
        FabricSm first = start();
        StringBuilder lines = new StringBuilder();
        int half = PowerUp.PARTITION_CAP * 3 / 4;
        for (int pKey = 1; pKey <= 2 * half; pKey++) {
            long guid = agent().info(pKey <= half ? 1 : 2).portGuid();
            lines.append(String.format("P%d=0x%x: 0x%016x=full;%n", pKey, pKey, guid));
        }
        partition(lines.toString());
        first.kill();
        FabricSm second = start();
        assertThat(leafKeys()).hasSize(PowerUp.PARTITION_CAP).contains(FULL_DEFAULT, 0x8000 | half);
        assertThat(events.of(SmEvent.P_KEYS_LITTLE_ROOM)).as("without a sweep").hasSize(1);
        second.mastership.sweepHeavy();
        advanceMinutes(1);
        assertThat(events.of(SmEvent.P_KEYS_LITTLE_ROOM)).as("after it").hasSize(1);
    }

    /** The vports stay ACTIVE, but their P_Keys are not managed: the switch checks those of the port. */
    @Test
    void aReloadThatIgnoresVPortsTakesTheirKeysFromTheSwitchUntilTheyAreManagedAgain() throws Exception {
        partition(String.format("P=0x5: 0x%016x=full;", 0x99));
        FabricSm sm = start();
        agent().plug(9, 0x99);
        advanceMinutes(1);
        assertThat(leafKeys()).containsExactlyInAnyOrder(FULL_DEFAULT, 0x8005);
        reload(sm, "0");
        assertThat(leafKeys()).containsExactly(FULL_DEFAULT);
        assertThat(agent().info(9).state()).isEqualTo(PortInfo.STATE_ACTIVE);
        reload(sm, "2");
        assertThat(leafKeys()).containsExactlyInAnyOrder(FULL_DEFAULT, 0x8005);
        reload(sm, "1");
        assertThat(leafKeys()).containsExactly(FULL_DEFAULT);
        assertThat(agent().isEnabled()).isFalse();
        reload(sm, "2");
        assertThat(leafKeys()).containsExactlyInAnyOrder(FULL_DEFAULT, 0x8005);
        assertThat(agent().info(9).state()).isEqualTo(PortInfo.STATE_ACTIVE);
    }

    private void reload(FabricSm sm, String virtEnabled) throws Exception {
        sm.settings.options = options(virtEnabled);
        sm.reloadConfiguration();
        advanceMinutes(1);
    }

    private SmOptions options(String virtEnabled) throws Exception {
        return ServiceHarness.options(
                dir,
                Map.of(
                        Settings.TORUS_CONFIG,
                        ServiceHarness.torusConf(dir, TORUS),
                        Settings.VIRT_ENABLED,
                        virtEnabled));
    }

    private FabricSm start() throws Exception {
        if (fabric == null) {
            DeviceModels models = DeviceModels.PERFECT.with(
                    each -> HOST.equals(each.description()),
                    model -> model.vendor(vendor -> vendor.with(VPortModel.of(VPORTS))));
            fabric = new SimFabric(topology, models, loop, FaultPlan.NONE);
        }
        FabricSm sm = new FabricSm(loop, fabric, SM, ++generation, options("2"));
        sm.settings.partitionFile = () -> file;
        sm.start();
        advanceMinutes(1);
        return sm;
    }

    private void advanceMinutes(int minutes) {
        loop.runFor(TimeUnit.MINUTES.toNanos(minutes));
    }

    private VPortAgent agent() {
        return fabric.interventions().vports(host.nodeGuid(), 1);
    }

    private void partition(String lines) {
        file = Objects.requireNonNull(PartitionConf.parse("p.conf", "Default=0x7fff: ALL=full;\n" + lines, true)
                .conf());
    }

    private List<Integer> leafKeys() {
        return PortKeys.of(fabric.pKeys(leaf.node().nodeGuid(), leaf.portNum())).stream()
                .boxed()
                .toList();
    }
}
