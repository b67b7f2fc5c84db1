package io.torussm.testing;

import io.torussm.transport.LocalPort;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
import io.torussm.transport.TransportException;

/** A port whose traffic a test sees, and may change: passes on everything that nobody overrides. */
public abstract class WatchedTransport implements MadTransport {
    /** The port. */
    protected final MadTransport inner;

    /** Watches a port. */
    protected WatchedTransport(MadTransport inner) {
        this.inner = inner;
    }

    /** A frame came in; it is passed on by calling the receiver. */
    protected void heard(MadFrame frame, Receiver receiver) {
        receiver.received(frame);
    }

    @Override
    public LocalPort localPort() {
        return inner.localPort();
    }

    @Override
    public int maxOutstanding() {
        return inner.maxOutstanding();
    }

    @Override
    public boolean returnsUnanswered() {
        return inner.returnsUnanswered();
    }

    @Override
    public void start(Receiver receiver) {
        inner.start(new Receiver() {
            @Override
            public void received(MadFrame frame) {
                heard(frame, receiver);
            }

            @Override
            public void transportFailed(String why) {
                receiver.transportFailed(why);
            }

            @Override
            public void portChanged(boolean isUsable, String why) {
                receiver.portChanged(isUsable, why);
            }
        });
    }

    @Override
    public boolean send(MadFrame frame, int responseTimeoutMs) {
        return inner.send(frame, responseTimeoutMs);
    }

    @Override
    public void setIsSm(boolean isSm) throws TransportException {
        inner.setIsSm(isSm);
    }

    @Override
    public void close() {
        inner.close();
    }
}
