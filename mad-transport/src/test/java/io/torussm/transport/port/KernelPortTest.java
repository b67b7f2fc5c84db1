package io.torussm.transport.port;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.sim.IgnoringReceiver;
import io.torussm.sim.SimFabric;
import io.torussm.sim.VirtualLoop;
import io.torussm.sim.model.AgentProfile;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Topology;
import io.torussm.transport.MKeySource;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadClient;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
import io.torussm.transport.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The kernel's part in a transaction, and the client on top of it. */
class KernelPortTest {
    private static final Topology TORUS = TorusSpec.parse("torus:3x3x1").topology();
    private static final long SWITCH = TORUS.nodes().stream()
            .filter(Topology.Node::isSwitch)
            .findFirst()
            .orElseThrow()
            .nodeGuid();

    private final VirtualLoop loop = new VirtualLoop();
    private final SimFabric fabric = new SimFabric(TORUS, loop, new FaultPlan(1, 0, 0, 1_000, 0));
    private final List<MadFrame> received = new ArrayList<>();
    private final List<String> log = new ArrayList<>();

    @BeforeEach
    void deafLeaf() {
        fabric.setAgent(SWITCH, AgentProfile.CONFORMING.droppingAll());
    }

    private KernelPort port(int hz) {
        String host = "host-0-0-0-0";
        return new KernelPort(fabric.attach(host, 1), loop, KernelPort.Limits.LINUX.ticking(hz));
    }

    private KernelPort startedPort() {
        KernelPort port = port(1000);
        port.start(new MadTransport.Receiver() {
            @Override
            public void received(MadFrame frame) {
                received.add(frame);
                log.add((frame.isUndelivered() ? "back " : "answer ") + MadHeader.tid(frame.mad()) + " at " + nowMs());
            }

            @Override
            public void transportFailed(String reason) {
                log.add(reason);
            }
        });
        return port;
    }

    private long nowMs() {
        return TimeUnit.NANOSECONDS.toMillis(loop.nowNs());
    }

    private void runMs(long ms) {
        loop.runFor(TimeUnit.MILLISECONDS.toNanos(ms));
    }

    private static MadFrame get(long tid, DrPath path) {
        return new MadFrame(MadAddress.DIRECTED, Smp.directed(Method.GET, tid, NodeInfo.TYPE.id(), 0, 0, path));
    }

    @Test
    void aRequestThatWaitsIsNotSentTwiceAndComesBackLaterThanAsked() {
        KernelPort port = startedPort();
        MadFrame request = get(7, DrPath.of(1));
        assertThat(port.send(request, 200)).isTrue();
        assertThat(port.send(request, 200)).as("a duplicate").isFalse();
        assertThat(port.send(request, 0)).as("one that expects no response").isFalse();
        runMs(199);
        assertThat(port.send(request, 200)).isFalse();
        assertThat(log).isEmpty();
        runMs(20);
        assertThat(log).containsExactly("back 7 at 208");
        assertThat(received.get(0).mad()).hasSize(MadHeader.MAD_SIZE);
        assertThat(port.send(request, 200)).as("once it came back").isTrue();
        assertThat(port.counters()).isEqualTo(new KernelPort.Counters(3, 1, 0));
    }

    @Test
    void anAnswerEndsTheWaitAndASecondOneIsNotShown() {
        KernelPort port = startedPort();
        MadFrame request = get(9, DrPath.LOCAL);
        assertThat(port.send(request, 200)).isTrue();
        assertThat(port.send(get(10, DrPath.LOCAL), 0)).as("expects no answer").isTrue();
        runMs(1_000);
        assertThat(log).containsExactly("answer 9 at 0");
    }

    @Test
    void theTimeOfABacklogBeginsWhenItIsSent() {
        KernelPort port = startedPort();
        for (int tid = 1; tid <= 130; tid++) {
            assertThat(port.send(get(tid, DrPath.of(1)), 200)).isTrue();
        }
        assertThat(fabric.counters().sent()).isEqualTo(128);
        runMs(300);
        assertThat(log).hasSize(128);
        runMs(300);
        assertThat(log).hasSize(130).contains("back 130 at 416");
    }

    @Test
    void packetsThatArriveFasterThanTheyAreReadAreLost() {
        KernelPort port = startedPort();
        for (int i = 0; i < 200; i++) {
            for (int tid = 0; tid < 4; tid++) {
                port.send(
                        new MadFrame(
                                MadAddress.DIRECTED,
                                get(4 * i + tid + 1, DrPath.LOCAL).mad()),
                        0);
            }
        }
        runMs(100);
        assertThat(port.counters().overrun()).isEqualTo(800 - 512);
    }

    @ParameterizedTest(name = "{0} Hz")
    @ValueSource(ints = {100, 250, 1000})
    void allTriesOfTheClientReachTheWireAndItsPatienceIsWhatWasPromised(int hz) {
        KernelPort port = port(hz);
        List<Long> ends = new ArrayList<>();
        MadClient client = new MadClient(
                port,
                loop,
                MKeySource.fixed(0),
                () -> new MadClient.Settings(64, 4, 200, 3),
                1,
                new IgnoringReceiver());
        client.scope().get(NodeInfo.TYPE, DrPath.of(1), 0, outcome -> {
            assertThat(outcome).isEqualTo(new Outcome.Failure<>(Outcome.FailureReason.TIMEOUT, 0));
            ends.add(nowMs());
        });
        runMs(10_000);
        assertThat(fabric.counters().sent()).as("tries on the wire").isEqualTo(4);
        assertThat(port.counters().refused()).isZero();
        assertThat(ends).hasSize(1);
        assertThat(ends.get(0)).as("ms of patience").isBetween(3_000L, 3_600L);
    }
}
