package io.torussm.trap;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.Notice;
import io.torussm.mad.smp.PortInfo;
import io.torussm.testing.BoundedWait;
import io.torussm.trap.TrapCounts.Disposition;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Traps 144 and 145: changed attributes of a device are read and published without a sweep. */
class ChangedDeviceTest extends TrapCase {
    @Test
    void aNewNameIsReadAndPublishedWithoutASweep() {
        Fabric fabric = subnet.fabric();
        int node = fabric.nodeOf(host());
        harness.fabric.setDescription(fabric.nodeGuid(node), "renamed");
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(2));
        assertThat(harness.publishedView()).as("not swept").isSameAs(harness.view);
        assertThat(harness.ends).isEmpty();
        assertThat(harness.requests).as("NodeDescription").hasSize(1);
        assertThat(log.of(SmEvent.NODE_RENAMED)).hasSize(1);
        assertThat(published().node(node).description()).isEqualTo("renamed");
        assertThat(harness.fabric.pendingTrapCount()).isZero();
    }

    @Test
    void aNameThatChangesWhileASweepRunsIsNotLost() {
        Fabric fabric = subnet.fabric();
        int node = fabric.nodeOf(host());
        harness.sweeper.sweepHeavy();
        BoundedWait.until(
                harness.loop, "a sweep has begun", () -> harness.requests.size() > 50, TimeUnit.SECONDS.toNanos(5));
        harness.fabric.setDescription(fabric.nodeGuid(node), "renamed");
        harness.await(1);
        harness.awaitRest();
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(2));
        assertThat(published().node(node).description()).isEqualTo("renamed");
        assertThat(harness.ends).hasSize(1);
    }

    /** The port is read before the sweep activates it, and the answer is published after that. */
    @Test
    void aTrapDuringASweepDoesNotUndoTheSweep() {
        int host = host();
        Fabric fabric = subnet.fabric();
        long guid = fabric.nodeGuid(fabric.nodeOf(host));
        harness.fabric.unlink(guid, 1);
        harness.fabric.relink(guid, 1);
        BoundedWait.until(
                harness.loop, "a sweep has begun", () -> !harness.requests.isEmpty(), TimeUnit.SECONDS.toNanos(5));
        receive(Notice.priorityChange(subnet.lid(host), 0));
        settle();
        assertThat(count(144, Disposition.ACTED_ON)).isEqualTo(1);
        int now = published().port(published().nodeByGuid(guid), 1);
        assertThat(published().portInfo(now)).isNotNull().satisfies(info -> assertThat(info.portState())
                .isEqualTo(PortInfo.STATE_ACTIVE));
    }

    private void settle() {
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(5));
        harness.awaitRest();
    }

    private Fabric published() {
        return java.util.Objects.requireNonNull(harness.sweeper.view()).subnet().fabric();
    }

    @Test
    void aNewSystemImageGuidIsReadAndPublishedWithoutASweep() {
        Fabric fabric = subnet.fabric();
        harness.fabric.setSystemImageGuid(fabric.nodeGuid(3), 0xabcdef);
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(2));
        assertThat(published().node(3).info().systemImageGuid()).isEqualTo(0xabcdef);
        assertThat(harness.ends).isEmpty();
    }

    @Test
    void aPortThatIsCapableOfSomethingElseIsReadAgain() throws Exception {
        int host = host();
        Fabric fabric = subnet.fabric();
        var other = harness.fabric.attach(fabric.portGuid(host));
        other.setIsSm(true);
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(2));
        assertThat(published().portInfo(host)).isNotNull().satisfies(info -> assertThat(
                        info.hasCapability(PortInfo.CAP_IS_SM))
                .isTrue());
        assertThat(harness.ends).as("an SM alone does not look for others").isEmpty();
        other.close();
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(2));
        assertThat(published().portInfo(host)).isNotNull().satisfies(info -> assertThat(
                        info.hasCapability(PortInfo.CAP_IS_SM))
                .isFalse());
        assertThat(count(144, Disposition.ACTED_ON)).isEqualTo(2);
    }
}
