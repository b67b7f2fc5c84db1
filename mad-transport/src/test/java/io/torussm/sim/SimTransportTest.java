package io.torussm.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.torussm.mad.Method;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.testing.SwitchableLoop;
import io.torussm.transport.LocalPort;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The use of the calling thread by the transport. */
class SimTransportTest {
    private final VirtualLoop virtual = new VirtualLoop();
    private final SwitchableLoop loop = new SwitchableLoop(virtual);
    private final SimFabric fabric =
            new SimFabric(TorusSpec.parse("torus:1x1x1").topology(), loop, FaultPlan.NONE);
    private final SimTransport transport = fabric.attach("host-0-0-0-0", 1);
    private final List<MadFrame> received = new ArrayList<>();
    private final MadTransport.Receiver receiver = new MadTransport.Receiver() {
        @Override
        public void received(MadFrame frame) {
            assertThat(sending).as("never called back from within send").isFalse();
            received.add(frame);
        }

        @Override
        public void transportFailed(String reason) {
            throw new IllegalStateException(reason);
        }
    };
    private boolean sending;

    private boolean send() {
        byte[] mad = Smp.directed(Method.GET, 1, NodeInfo.TYPE.id(), 0, 0, DrPath.of(1));
        sending = true;
        boolean sent = transport.send(new MadFrame(MadAddress.DIRECTED, mad), 100);
        sending = false;
        return sent;
    }

    @Test
    void namesItsPort() {
        assertThat(transport.localPort()).isEqualTo(new LocalPort("H-0000000100000000", 1, 0x1_0000_0001L));
        assertThat(transport.maxOutstanding()).isEqualTo(512);
    }

    @Test
    void actsAtOnceOnTheLoopAndMovesToItFromElsewhere() {
        transport.start(receiver);
        assertThat(send()).isTrue();
        assertThat(fabric.counters().sent()).isEqualTo(1);

        loop.isInLoop = false;
        assertThat(send()).isTrue();
        assertThatThrownBy(fabric::counters).isInstanceOf(IllegalStateException.class);
        loop.isInLoop = true;
        assertThat(fabric.counters().sent()).isEqualTo(1);
        virtual.runFor(0);
        assertThat(fabric.counters().sent()).isEqualTo(2);
        assertThat(received).hasSize(2);
    }

    @Test
    void isSilentBeforeItsStartAndAfterItsEnd() {
        assertThat(send()).isFalse();
        transport.start(receiver);
        assertThatThrownBy(() -> transport.start(receiver)).isInstanceOf(IllegalStateException.class);
        assertThat(send()).isTrue();
        transport.close();
        transport.close();
        virtual.runFor(0);
        assertThat(received).isEmpty();
        assertThat(send()).isFalse();
    }
}
