package io.torussm.transport.umad;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.Method;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.Smp;
import io.torussm.sim.VirtualLoop;
import io.torussm.transport.LocalPort;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
import io.torussm.transport.TransportException;
import io.torussm.transport.port.SteadyPort;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * An adapter that is reset: the port of a UmadTransport on the umad double, opened again and again until it is back.
 */
class SteadyPortTest {
    private static final MadFrame MAD =
            new MadFrame(MadAddress.DIRECTED, Smp.directed(Method.GET, 1, 0x11, 0, 0, DrPath.LOCAL));

    private final FakeUmad umad = new FakeUmad();
    private final VirtualLoop loop = new VirtualLoop();
    private final LinkedBlockingQueue<Object> events = new LinkedBlockingQueue<>();
    private final UmadTransport firstTransport = open(PortChoice.firstUsable());
    private final SteadyPort port = new SteadyPort(firstTransport, firstTransport::reopen, loop);

    private UmadTransport open(PortChoice choice) {
        try {
            return UmadTransport.open(umad, choice, false);
        } catch (TransportException e) {
            throw new AssertionError(e);
        }
    }

    private void start() throws TransportException {
        port.start(new MadTransport.Receiver() {
            @Override
            public void received(MadFrame frame) {
                events.add(frame);
            }

            @Override
            public void transportFailed(String reason) {
                events.add("failed: " + reason);
            }

            @Override
            public void portChanged(boolean isUsable, String reason) {
                events.add(isUsable ? "usable" : "unusable: " + reason);
            }
        });
        port.setIsSm(true);
    }

    private Object next() throws InterruptedException {
        Object event = events.poll(30, TimeUnit.SECONDS);
        assertThat(event).as("an event within 30 s").isNotNull();
        return event;
    }

    private void pass(long seconds) {
        loop.runFor(TimeUnit.SECONDS.toNanos(seconds));
    }

    private long tries() {
        return umad.calls().stream()
                .filter(call -> call.startsWith("open mlx5"))
                .count();
    }

    @Test
    void isOpenedAgainWithItsIsSmWhenTheAdapterIsBack() throws Exception {
        start();
        assertThat(port.send(MAD, 200)).isTrue();
        umad.withPorts();
        umad.failReceive(ErrnoException.EIO);
        assertThat(next())
                .asString()
                .startsWith("unusable: mlx5_0 port 1")
                .contains("reset")
                .as("LID and state at the start")
                .doesNotContain("LID");
        assertThat(port.send(MAD, 200)).isFalse();
        assertThat(port.localPort().portGuid()).isEqualTo(FakeUmad.PORT.portGuid());
        pass(60);
        assertThat(events).as("told once").isEmpty();
        umad.withPorts(
                new PortDescription("mlx5_3", 1, 0x77, 1, 4, "InfiniBand"),
                new PortDescription("mlx5_1", 1, FakeUmad.PORT.portGuid(), 0, 1, "InfiniBand"));
        pass(8);
        assertThat(next()).isEqualTo("usable");
        assertThat(umad.calls()).endsWith("register 0x21 v2 0x0", "register 0x0a v1 0x0", "openIsSm");
        assertThat(port.localPort()).isEqualTo(new LocalPort("mlx5_1", 1, FakeUmad.PORT.portGuid()));
        assertThat(port.send(MAD, 200)).isTrue();
        umad.arrive(MAD);
        assertThat(next()).isSameAs(MAD);
        port.close();
        assertThat(umad.calls()).endsWith("close");
    }

    @Test
    void triesLessAndLessOften() throws Exception {
        start();
        umad.failing("open mlx5", ErrnoException.ENOENT);
        umad.failReceive(ErrnoException.ENODEV);
        next();
        long before = tries();
        pass(1);
        assertThat(tries() - before).isEqualTo(1);
        pass(6);
        assertThat(tries() - before).as("after 1, 3 and 7 s").isEqualTo(3);
        pass(800);
        assertThat(tries() - before).as("every 8 s").isEqualTo(103);
        umad.succeeding("open mlx5");
        pass(8);
        assertThat(next()).isEqualTo("usable");
        port.close();
    }

    @Test
    void isNotOpenedAgainOnceItIsClosed() throws Exception {
        start();
        umad.failing("open mlx5", ErrnoException.ENOENT);
        umad.failReceive(ErrnoException.EIO);
        next();
        port.close();
        long before = tries();
        pass(100);
        assertThat(tries()).isEqualTo(before);
    }
}
