package io.torussm.transport.port;

import io.torussm.transport.LocalPort;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
import io.torussm.transport.TransportException;

/**
 * A port that forwards all calls to a wrapped port. Subclasses override some methods. As thread-safe as the wrapped
 * port.
 */
public abstract class ForwardingTransport implements MadTransport {
    private static final Receiver NO_RECEIVER = new Receiver() {
        @Override
        public void received(MadFrame frame) {}

        @Override
        public void transportFailed(String reason) {}
    };

    private volatile MadTransport inner;
    private volatile Receiver receiver = NO_RECEIVER;

    /**
     * Wraps a port.
     *
     * @param inner wrapped port, not started
     */
    protected ForwardingTransport(MadTransport inner) {
        this.inner = inner;
    }

    /** Returns the receiver that was passed to {@link #start}; before that, a receiver that ignores everything. */
    protected final Receiver receiver() {
        return receiver;
    }

    /**
     * Replaces the wrapped port and starts the new one. The caller closes the previous port.
     *
     * @param other open port, not started
     */
    protected final void restart(MadTransport other) {
        inner = other;
        listen(other);
    }

    /** Receives a frame on a thread of the wrapped port. Passes it to the receiver unless overridden. */
    protected void received(MadFrame frame) {
        receiver.received(frame);
    }

    /**
     * Handles the final loss of a port. Passes it to the receiver unless overridden.
     *
     * @param port current or previous wrapped port
     * @param reason one line
     */
    protected void failed(MadTransport port, String reason) {
        receiver.transportFailed(reason);
    }

    private void listen(MadTransport port) {
        port.start(new Receiver() {
            @Override
            public void received(MadFrame frame) {
                ForwardingTransport.this.received(frame);
            }

            @Override
            public void transportFailed(String reason) {
                failed(port, reason);
            }

            @Override
            public void portChanged(boolean isUsable, String reason) {
                receiver.portChanged(isUsable, reason);
            }
        });
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
    public int maxOutstandingGmps() {
        return inner.maxOutstandingGmps();
    }

    @Override
    public boolean returnsTimedOutRequests() {
        return inner.returnsTimedOutRequests();
    }

    @Override
    public void start(Receiver newReceiver) {
        receiver = newReceiver;
        listen(inner);
    }

    @Override
    public boolean send(MadFrame frame, int responseTimeoutMs) {
        return inner.send(frame, responseTimeoutMs);
    }

    @Override
    public ReceiveResult receiveInline(int timeoutMs) {
        return inner.receiveInline(timeoutMs);
    }

    @Override
    public void resumeReceiveThread() {
        inner.resumeReceiveThread();
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
