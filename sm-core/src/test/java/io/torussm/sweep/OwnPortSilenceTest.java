package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.Smp;
import io.torussm.testing.LoggedEvents;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * SMPs that lead from the first switch back to the own port, all of which are lost. All other responses arrive through
 * the same cable, so it is there.
 */
class OwnPortSilenceTest {
    private static final int HOSTS = 9;

    @RegisterExtension
    final LoggedEvents log = new LoggedEvents();

    private final SweepHarness sm = new SweepHarness("torus:3x3x1,hosts=1");

    @Test
    void aSilentWayBackToTheOwnPortLosesNoHost() {
        assertThat(sm.sweep()).isEqualTo("up");
        Fabric fabric = sm.publishedView().subnet().fabric();
        int near = fabric.peer(fabric.localPort());
        DrPath back = DrPath.of(1, fabric.portNum(near));
        sm.isRequestLost = mad -> Objects.equals(Smp.path(mad), back);
        int before = sm.ends.size();
        sm.fabric.unlink(fabric.nodePort(near).nodeGuid(), fabric.portNum(near));
        sm.loop.runFor(TimeUnit.MILLISECONDS.toNanos(50));
        sm.fabric.relink(fabric.nodePort(near).nodeGuid(), fabric.portNum(near));
        sm.await(before + 1);
        sm.loop.runFor(TimeUnit.SECONDS.toNanos(30));
        sm.awaitRest();
        assertThat(sm.ends).doesNotContain("refused");
        assertThat(sm.hosts()).hasSize(HOSTS);
        assertThat(log.of(SmEvent.HOST_GONE)).isEmpty();
    }
}
