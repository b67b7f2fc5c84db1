package io.torussm.transport.umad;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.torussm.mad.MgmtClass;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
import io.torussm.transport.TransportException;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** How a port is given back. */
class UmadCloseTest extends UmadCase {
    @Test
    void aClosedPortReceivesNothing() throws Exception {
        UmadTransport transport = open();
        transport.start(inbox);
        transport.close();
        umad.arrive(frame(MgmtClass.SUBN_ADM));
        assertThat(transport.receiveInline(1)).isEqualTo(MadTransport.ReceiveResult.NONE);
    }

    /** A send that the device does not take holds up no end; its handle is kept, since it is in use. */
    @Test
    void closesWithinItsTimeWhileASendBlocks() throws Exception {
        UmadTransport transport = open();
        transport.start(inbox);
        CountDownLatch goOn = umad.blockSends();
        Thread sender = new Thread(() -> transport.send(frame(MgmtClass.SUBN_LID), 0));
        sender.start();
        umad.awaitSend();
        Thread closer = new Thread(transport::close);
        closer.start();
        closer.join(10_000);
        boolean isClosed = !closer.isAlive();
        goOn.countDown();
        assertThat(isClosed).isTrue();
        sender.join();
        assertThat(umad.calls()).doesNotContain("close");
    }

    /**
     * umad2sim's own thread reads through a null pointer when something comes for an agent that is gone, and the
     * process with it.
     */
    @Test
    void keepsTheAgentsOfASimulatedPort() throws Exception {
        umad.withPorts(new PortDescription("ibsim0", 1, 0x100001, 0, 2, "IB"));
        UmadTransport transport = open();
        transport.start(inbox);
        transport.setIsSm(true);
        transport.close();
        assertThat(umad.calls()).last().isEqualTo("closeIsSm 8");
    }

    @Test
    void clearsIsSmFirstAndGivesThePortBackLast() throws Exception {
        UmadTransport transport = open();
        transport.start(inbox);
        transport.setIsSm(true);
        transport.setIsSm(true);
        transport.close();
        transport.close();
        assertThat(umad.calls().subList(7, umad.calls().size()))
                .containsExactly(
                        "openIsSm",
                        "closeIsSm 8",
                        "unregister 5",
                        "unregister 4",
                        "unregister 3",
                        "unregister 2",
                        "unregister 1",
                        "unregister 0",
                        "close");
        assertThat(transport.send(frame(MgmtClass.SUBN_LID), 0)).isFalse();
        assertThatThrownBy(() -> transport.setIsSm(true))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("closed");
        assertThat(inbox.events).isEmpty();
    }

    @Test
    void mayBeClosedByTheReceiverItself() throws Exception {
        UmadTransport transport = open();
        transport.start(new MadTransport.Receiver() {
            @Override
            public void received(MadFrame frame) {}

            @Override
            public void transportFailed(String reason) {
                transport.close();
                inbox.transportFailed(reason);
            }
        });
        umad.failReceive(ErrnoException.EIO);
        inbox.next();
        assertThat(umad.calls()).endsWith("close");
    }

    @Test
    void clearsIsSmOnRequest() throws TransportException {
        try (UmadTransport transport = open()) {
            transport.setIsSm(false);
            transport.setIsSm(true);
            transport.setIsSm(false);
            assertThat(umad.calls()).endsWith("openIsSm", "closeIsSm 8");
        }
    }
}
