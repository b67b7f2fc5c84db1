package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.ClassPortInfo;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.sa.SaMad;
import io.torussm.sim.SimFabric;
import io.torussm.sim.SimTransport;
import io.torussm.sim.VirtualLoop;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadClient;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A host that floods the SM's LID with pings: MADs of a class that is no business of the SM, a hundred in each
 * millisecond.
 */
class PingStormTest {
    private static final TorusSpec TORUS = TorusSpec.parse("torus:3x3x1,hosts=2");
    private static final int OPENIB_PING = 0x32;
    private static final int SECONDS = 5;
    private static final int A_MILLISECOND = 100;

    @TempDir
    Path dir;

    @Test
    void sweepsAndAnswersComeWhenTheyWouldWithoutIt() throws Exception {
        PingObservations calm = runPings(0);
        PingObservations storm = runPings(A_MILLISECOND);
        assertThat(calm.answeredNs()).hasSize(SECONDS * 1000);
        assertThat(storm.answeredNs()).isEqualTo(calm.answeredNs());
        assertThat(storm.sweptNs()).hasSizeGreaterThanOrEqualTo(SECONDS).isEqualTo(calm.sweptNs());
        assertThat(storm.mads().unsolicited() - calm.mads().unsolicited())
                .as("dropped and counted")
                .isEqualTo(SECONDS * 1000L * A_MILLISECOND);
        assertThat(storm.mads().overflow() + storm.mads().timeouts()).isZero();
    }

    /** The observations of a client and the SM, with their virtual times. */
    private record PingObservations(List<Long> answeredNs, List<Long> sweptNs, MadClient.Stats mads) {}

    private PingObservations runPings(int pings) throws Exception {
        VirtualLoop loop = new VirtualLoop();
        SimFabric fabric = new SimFabric(TORUS.topology(), loop, new FaultPlan(1, 0, 0, 200, 10_000, 0));
        FabricSm sm = new FabricSm(loop, fabric, "host-0-0-0-0", 8, ServiceHarness.torusOptions(dir, TORUS)).start();
        List<Long> sweptNs = new ArrayList<>();
        sm.sweepEndListener = end -> sweptNs.add(loop.nowNs());
        loop.runFor(TimeUnit.SECONDS.toNanos(SECONDS));
        assertThat(sm.isUp()).isTrue();
        List<Long> answeredNs = new ArrayList<>();
        MadTransport.Receiver answers = new MadTransport.Receiver() {
            @Override
            public void received(MadFrame frame) {
                assertThat(MadHeader.status(frame.mad())).isEqualTo(MadStatus.OK);
                answeredNs.add(loop.nowNs());
            }

            @Override
            public void transportFailed(String reason) {
                throw new AssertionError(reason);
            }
        };
        SimTransport client = fabric.attach("host-1-0-0-0", 1);
        client.start(answers);
        SimTransport pinger = fabric.attach("host-2-0-0-0", 1);
        pinger.start(answers);
        MadAddress smAddress = new MadAddress(
                Objects.requireNonNull(sm.sweeper.view()).subnet().smLid(), 1, 0, 0);
        for (int ms = 0; ms < SECONDS * 1000; ms++) {
            for (int i = 0; i < pings; i++) {
                pinger.send(new MadFrame(smAddress, ping(i)), 0);
            }
            if (ms % 1000 == 0) {
                sm.mastership.sweepHeavy();
            }
            client.send(new MadFrame(smAddress, SaMad.request(Method.GET, ms + 1L, ClassPortInfo.TYPE.id(), 0, 0)), 0);
            loop.runFor(TimeUnit.MILLISECONDS.toNanos(1));
        }
        return new PingObservations(answeredNs, sweptNs, sm.client.stats());
    }

    private static byte[] ping(long tid) {
        byte[] mad = new byte[MadHeader.MAD_SIZE];
        MadHeader.BASE_VERSION.set(mad, 0, 1);
        MadHeader.MGMT_CLASS.set(mad, 0, OPENIB_PING);
        MadHeader.CLASS_VERSION.set(mad, 0, 1);
        MadHeader.METHOD.set(mad, 0, Method.GET);
        MadHeader.TRANSACTION_ID.set(mad, 0, tid);
        return mad;
    }
}
