package io.torussm.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.sim.IgnoringReceiver;
import io.torussm.sim.VirtualLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A client whose process stands still while responses arrive in the device, as in a paused virtual machine. */
class StalledClientTest {
    private static final long PERIOD_NS = TimeUnit.MILLISECONDS.toNanos(25);

    private final VirtualLoop virtualLoop = new VirtualLoop();
    private final ScriptedTransport wire = new ScriptedTransport();
    private final List<Outcome<NodeInfo>> outcomes = new ArrayList<>();
    private long stalledNs;

    /** A loop whose clock continues while its tasks wait. */
    private final Loop loop = new Loop() {
        @Override
        public void execute(Runnable task) {
            virtualLoop.execute(task);
        }

        @Override
        public Timer schedule(long delayNs, Runnable task) {
            return virtualLoop.schedule(delayNs, task);
        }

        @Override
        public long nowNs() {
            return virtualLoop.nowNs() + stalledNs;
        }

        @Override
        public boolean isInLoop() {
            return virtualLoop.isInLoop();
        }
    };

    private final MadClient client = new MadClient(
            wire, loop, MKeySource.fixed(0), () -> new MadClient.Settings(8, 8, 100, 0), 1, new IgnoringReceiver());

    private void get(int port) {
        client.scope().get(NodeInfo.TYPE, DrPath.of(port), 0, outcomes::add);
    }

    @Test
    void aResponseThatCameDuringTheStallIsReadBeforeItsDeadlineIsJudged() {
        get(1);
        stalledNs = TimeUnit.SECONDS.toNanos(5);
        virtualLoop.runFor(PERIOD_NS);
        assertThat(outcomes).as("the first look after the stall").isEmpty();
        wire.respond(wire.lastSent());
        virtualLoop.runFor(PERIOD_NS);
        assertThat(outcomes).hasSize(1).first().isInstanceOf(Outcome.Reply.class);
        assertThat(client.stats().late()).isZero();
    }

    @Test
    void aRequestWithoutAResponseEndsOneLookLater() {
        get(1);
        stalledNs = TimeUnit.SECONDS.toNanos(5);
        virtualLoop.runFor(2 * PERIOD_NS);
        assertThat(outcomes).containsExactly(new Outcome.Failure<>(Outcome.FailureReason.TIMEOUT, 0));
    }

    @Test
    void aLoopThatIsAlwaysLateStillEndsTries() {
        get(1);
        for (int i = 0; i < 4; i++) {
            stalledNs += TimeUnit.SECONDS.toNanos(1);
            virtualLoop.runFor(PERIOD_NS);
        }
        assertThat(outcomes).hasSize(1);
    }

    @Test
    void aMadForAPortThatIsAwayIsNotCountedAsRefused() {
        wire.accepts = () -> false;
        get(1);
        assertThat(client.stats().refused()).isEqualTo(1);
        wire.changePort(false, "the adapter was removed");
        get(2);
        virtualLoop.runFor(TimeUnit.SECONDS.toNanos(1));
        assertThat(client.stats().refused()).isEqualTo(1);
        wire.changePort(true, "");
        get(3);
        assertThat(client.stats().refused()).isEqualTo(2);
    }
}
