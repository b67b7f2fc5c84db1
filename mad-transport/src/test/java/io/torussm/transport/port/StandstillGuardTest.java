package io.torussm.transport.port;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.Method;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.sim.VirtualLoop;
import io.torussm.testing.MortalLoop;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
import io.torussm.transport.ScriptedTransport;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Sets around a standstill of the process. */
class StandstillGuardTest {
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(4);

    private final VirtualLoop clock = new VirtualLoop();
    private final MortalLoop loop = new MortalLoop(clock);
    private final ScriptedTransport wire = new ScriptedTransport();
    private final StandstillGuard guard = new StandstillGuard(wire, loop, () -> LIMIT_NS);
    private final List<Long> gapsNs = new ArrayList<>();

    private void start() {
        guard.start(new MadTransport.Receiver() {
            @Override
            public void received(MadFrame frame) {}

            @Override
            public void transportFailed(String reason) {}
        });
    }

    private boolean sendSet() {
        byte[] mad = Smp.directed(Method.SET, 1, PortInfo.TYPE.id(), 0, 0, DrPath.of(1));
        return guard.send(new MadFrame(MadAddress.DIRECTED, mad), 100);
    }

    private void standStill() {
        loop.stop(true);
        clock.runFor(10 * LIMIT_NS);
        loop.stop(false);
    }

    @Test
    void setsAreRefusedUntilTheListenerWasCalled() {
        guard.setStandstillListener(gapNs -> {
            gapsNs.add(gapNs);
            assertThat(sendSet()).isFalse();
        });
        start();
        assertThat(sendSet()).isTrue();
        standStill();
        assertThat(sendSet()).isFalse();
        clock.runFor(1);
        assertThat(gapsNs).hasSize(1);
        assertThat(sendSet()).isTrue();
    }

    @Test
    void aThrowingListenerIsCalledAgainAfterTheNextStandstill() {
        guard.setStandstillListener(gapNs -> {
            gapsNs.add(gapNs);
            throw new IllegalStateException("planted");
        });
        start();
        for (int standstill = 1; standstill <= 2; standstill++) {
            standStill();
            try {
                clock.runFor(LIMIT_NS);
            } catch (IllegalStateException planted) {
                clock.runFor(LIMIT_NS); // the loop of a daemon logs it
            }
            assertThat(sendSet()).isTrue();
            assertThat(gapsNs).hasSize(standstill);
        }
    }
}
