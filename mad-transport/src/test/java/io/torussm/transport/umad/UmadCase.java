package io.torussm.transport.umad;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
import io.torussm.transport.TransportException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A port without a device, and its reports. */
abstract class UmadCase {
    final FakeUmad umad = new FakeUmad();

    final Inbox inbox = new Inbox();

    /** Keeps the reports of the transport, in order. */
    static final class Inbox implements MadTransport.Receiver {
        final LinkedBlockingQueue<Object> events = new LinkedBlockingQueue<>();

        @Override
        public void received(MadFrame frame) {
            events.add(frame);
        }

        @Override
        public void transportFailed(String reason) {
            events.add(reason);
        }

        @Override
        public void portChanged(boolean isUsable, String reason) {
            events.add((isUsable ? "usable: " : "unusable: ") + reason);
        }

        Object next() throws InterruptedException {
            Object event = events.poll(30, TimeUnit.SECONDS);
            assertThat(event).as("an event within 30 s").isNotNull();
            return event;
        }
    }

    UmadTransport open() throws TransportException {
        return UmadTransport.open(umad, PortChoice.firstUsable(), false);
    }

    static MadFrame frame(int mgmtClass) {
        return new MadFrame(
                new MadAddress(5, 1, 0, 0), MadHeader.create(mgmtClass, 1, Method.GET, 1, NodeInfo.TYPE.id(), 0));
    }
}
