package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.Smp;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A device does not answer a request while only a part of the fabric is read: a light sweep repeats it, later
 * reactions do not.
 */
class SilenceInALocalSweepTest {
    private final SweepHarness harness = new SweepHarness("torus:4x3x1,hosts=2");
    private String silentRoute = "";

    private Fabric fabric() {
        return harness.publishedView().subnet().fabric();
    }

    private long switchGuid(int port) {
        return fabric().nodeGuid(fabric().nodeOf(port));
    }

    /** Plugs in a host one hop behind a switch again, which then does not respond. */
    @BeforeEach
    void aHostFallsSilentWhileItIsRead() {
        harness.sweep();
        int host = harness.hosts().get(harness.hosts().size() - 1);
        int cable = fabric().peer(host);
        long sw = switchGuid(cable);
        int portNum = fabric().portNum(cable);
        silentRoute = String.valueOf(fabric().pathTo(host));
        harness.isRequestLost = mad -> String.valueOf(Smp.path(mad)).equals(silentRoute);
        harness.fabric.unlink(sw, portNum);
        settle();
        harness.fabric.relink(sw, portNum);
        settle();
        harness.awaitRest();
        assertThat(harness.ends).doesNotContain("failed").hasSize(3);
        harness.requests.clear();
    }

    private void settle() {
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(60));
    }

    /** Removes the cable from sw-1-1-0 to sw-1-2-0, which no packet between these and the SM uses. */
    private void loseACable() {
        long end = harness.node("sw-1-1-0").nodeGuid();
        harness.fabric.unlink(end, 3);
        settle();
    }

    private long countNodeInfoRequests() {
        return harness.requests.stream()
                .filter(mad -> MadHeader.method(mad) == Method.GET && MadHeader.attributeId(mad) == NodeInfo.TYPE.id())
                .map(mad -> String.valueOf(Smp.path(mad)))
                .distinct()
                .count();
    }

    @Test
    void theNextLostCableIsReadAtItsTwoEndsOnly() {
        loseACable();
        assertThat(harness.ends).hasSize(4).last().isEqualTo("up");
        assertThat(countNodeInfoRequests()).as("each end by two routes").isEqualTo(4);
        assertThat(harness.lastReport().reactionNs())
                .as("nor does the sweep wait for the silent one")
                .isBetween(0L, TimeUnit.MILLISECONDS.toNanos(100));
    }

    @Test
    void theNextLightSweepReadsAll() {
        loseACable();
        harness.requests.clear();
        silentRoute = "";
        harness.sweepLight();
        harness.awaitRest();
        assertThat(countNodeInfoRequests()).isGreaterThan(36);
        int sweeps = harness.ends.size();
        harness.sweepLight();
        assertThat(harness.ends).as("once").hasSize(sweeps);
    }
}
