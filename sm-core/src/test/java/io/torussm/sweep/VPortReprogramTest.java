package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.smp.PKeyTable;
import io.torussm.partition.PartitionConf;
import io.torussm.partition.PartitionSettings;
import io.torussm.partition.PartitionSettings.Enforcement;
import io.torussm.partition.RunTimeChange.Reprogram;
import io.torussm.partition.RunTimeChange.Request;
import io.torussm.partition.RunTimeOutcome;
import io.torussm.partition.RunTimeOutcome.ChangeStatus;
import io.torussm.partition.VPortMembers;
import io.torussm.sim.model.DeviceModels;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.model.VPortModel;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.view.PublishedView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The work for the switch of one port whose virtual ports have changed, among many ports. */
class VPortReprogramTest {
    private static final long MEMBER = 0x99;

    private final SweepHarness harness = new SweepHarness(
            TorusSpec.parse("torus:3x3x1,hosts=2").topology(),
            DeviceModels.PERFECT.with(
                    node -> !node.isSwitch(), model -> model.vendor(vendor -> vendor.with(VPortModel.of(2)))),
            FaultPlan.NONE);

    /** By PortGUID: how often its virtual ports were looked up. */
    private final Map<Long, Integer> lookUps = new HashMap<>();

    private long host;

    private List<Long> guidsAt(long portGuid) {
        lookUps.merge(portGuid, 1, Integer::sum);
        return portGuid == host ? List.of(MEMBER) : List.of();
    }

    private PublishedView up() {
        PartitionConf conf = PartitionConf.parse(
                        "p.conf", String.format("Default=0x7fff: ALL=full;%nP=0x5: 0x%x=full;%n", MEMBER), true)
                .conf();
        harness.partitions = new PartitionSettings(Objects.requireNonNull(conf), Enforcement.BOTH, true, false)
                .with((VPortMembers) this::guidsAt);
        assertThat(harness.sweep()).isEqualTo("up");
        return harness.publishedView();
    }

    private RunTimeOutcome reprogram(long portGuid) {
        List<RunTimeOutcome> outcomes = new ArrayList<>();
        harness.sweeper.changePartitions(new Request(new Reprogram(Set.of(portGuid)), "a test", true), outcomes::add);
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(1));
        assertThat(outcomes).hasSize(1);
        return outcomes.get(0);
    }

    @Test
    void onlyTheVirtualPortsOfThatPortAreLookedUp() {
        PublishedView before = up();
        Fabric fabric = before.subnet().fabric();
        int port = harness.hosts().get(3);
        host = fabric.portGuid(port);
        lookUps.clear();
        harness.requests.clear();
        assertThat(reprogram(host).kind()).isEqualTo(ChangeStatus.DONE);
        assertThat(lookUps).isEqualTo(Map.of(host, 1));
        PublishedView after = Objects.requireNonNull(harness.sweeper.view());
        int far = fabric.peer(port);
        assertThat(Objects.requireNonNull(after.partitions().table(far)).isIn(5))
                .isTrue();
        assertThat(harness.requests).as("SMPs").singleElement().satisfies(mad -> {
            assertThat(MadHeader.method(mad)).isEqualTo(Method.SET);
            assertThat(MadHeader.attributeId(mad)).isEqualTo(PKeyTable.TYPE.id());
        });
        assertThat(IntStream.range(0, fabric.portCount())
                        .filter(each -> !Objects.equals(
                                after.partitions().table(each),
                                before.partitions().table(each))))
                .as("other tables")
                .containsExactly(far);
        assertThat(after.partitions().changedEndPorts(before.partitions()).stream())
                .containsExactly(port);
        assertThat(after.partitions().changedEndPorts(after.partitions()).isEmpty())
                .isTrue();
    }

    @Test
    void theKeyOfARemovedVirtualPortIsBlocked() {
        host = harness.topology.nodes().stream()
                .filter(node -> !node.isSwitch())
                .skip(3)
                .findFirst()
                .orElseThrow()
                .portGuid(1);
        PublishedView before = up();
        Fabric fabric = before.subnet().fabric();
        int far = fabric.peer(IntStream.range(0, fabric.portCount())
                .filter(port -> fabric.portGuid(port) == host)
                .findFirst()
                .orElseThrow());
        assertThat(Objects.requireNonNull(before.partitions().table(far)).isIn(5))
                .isTrue();
        long gone = host;
        host = 0;
        assertThat(reprogram(gone).kind()).isEqualTo(ChangeStatus.DONE);
        PublishedView after = Objects.requireNonNull(harness.sweeper.view());
        assertThat(Objects.requireNonNull(after.partitions().table(far)).isIn(5))
                .isFalse();
    }
}
