package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.partition.Membership;
import io.torussm.partition.PartitionChange;
import io.torussm.partition.PartitionConf;
import io.torussm.partition.PartitionSettings;
import io.torussm.partition.PartitionSettings.Enforcement;
import io.torussm.partition.RunTimeChange;
import io.torussm.partition.RunTimeChange.Add;
import io.torussm.partition.RunTimeChange.Delete;
import io.torussm.partition.RunTimeChange.Remove;
import io.torussm.partition.RunTimeChange.Request;
import io.torussm.partition.RunTimeOutcome;
import io.torussm.partition.RunTimeOutcome.ChangeStatus;
import io.torussm.partition.RunTimePartition.Member;
import io.torussm.partition.VPortMembers;
import io.torussm.view.PublishedView;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The share of virtual ports that a change of partitions concerns. Each of 18 end ports has 4. */
class VPortChangeShareTest {
    private static final int SHARE = 25;
    private static final int PER_PORT = 4;
    private static final long FIRST_VPORT = 1L << 40;

    private final SweepHarness harness = new SweepHarness("torus:3x3x1,hosts=1");

    private static PartitionSettings settings(String lines) {
        PartitionConf conf = PartitionConf.parse("p.conf", "Default=0x7fff: ALL=limited;\n" + lines, true)
                .conf();
        return new PartitionSettings(Objects.requireNonNull(conf), Enforcement.BOTH, true, false)
                .with((VPortMembers) VPortChangeShareTest::vports);
    }

    private static List<Long> vports(long portGuid) {
        return LongStream.rangeClosed(1, PER_PORT)
                .map(index -> portGuid + index * FIRST_VPORT)
                .boxed()
                .toList();
    }

    private PublishedView bringUp() {
        harness.partitions = settings("");
        assertThat(harness.sweep()).isEqualTo("up");
        return Objects.requireNonNull(harness.sweeper.view());
    }

    private static List<Long> someVPorts(PublishedView view, int number) {
        Fabric fabric = view.subnet().fabric();
        return IntStream.range(0, fabric.portCount())
                .filter(fabric::isEndport)
                .mapToObj(fabric::portGuid)
                .flatMap(guid -> vports(guid).stream())
                .limit(number)
                .toList();
    }

    private static String partition(List<Long> guids) {
        return "P=0x5: "
                + guids.stream()
                        .map(guid -> String.format("0x%016x=full", guid))
                        .collect(Collectors.joining(", "))
                + ";";
    }

    private RunTimeOutcome change(RunTimeChange change) {
        List<RunTimeOutcome> outcomes = new ArrayList<>();
        harness.sweeper.changePartitions(new Request(change, "a test", false), outcomes::add);
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(1));
        assertThat(outcomes).hasSize(1);
        return outcomes.get(0);
    }

    @Test
    void aFileThatChangesManyVirtualPortsExceedsTheShare() {
        PublishedView view = bringUp();
        PartitionChange change = PartitionChange.of(
                view.subnet().fabric(), view.partitions(), settings(partition(someVPorts(view, 36))));
        assertThat(change.ports()).isEmpty();
        assertThat(change.exceeds(SHARE)).isTrue();
        assertThat(change.exceeds(100)).isFalse();
        assertThat(change.summary()).endsWith("and those of 36 of 72 virtual ports");
    }

    @Test
    void aFileThatChangesFewVirtualPortsDoesNot() {
        PublishedView view = bringUp();
        PartitionChange change =
                PartitionChange.of(view.subnet().fabric(), view.partitions(), settings(partition(someVPorts(view, 7))));
        assertThat(change.exceeds(0)).isFalse();
    }

    /** ib-kubernetes removes all virtual functions of a job in one call, and cannot confirm. */
    @Test
    void aChangeAtRunTimeMayTakeKeysFromManyVirtualPorts() {
        PublishedView view = bringUp();
        Member full = new Member(Membership.FULL, false);
        List<Long> guids = someVPorts(view, 30);
        Add add = new Add(0x10, "", true, null, guids.stream().collect(Collectors.toMap(guid -> guid, guid -> full)));
        assertThat(change(add).kind()).isEqualTo(ChangeStatus.DONE);
        assertThat(change(new Remove(0x10, Set.copyOf(guids.subList(0, 20)))).kind())
                .isEqualTo(ChangeStatus.DONE);
        assertThat(change(new Delete(0x10)).kind()).isEqualTo(ChangeStatus.DONE);
    }
}
