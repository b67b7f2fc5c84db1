package io.torussm.sim;

import io.torussm.mad.MadHeader;
import io.torussm.transport.LocalPort;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
import io.torussm.transport.TransportException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A port of the embedded fabric, as a process on that host would use it. Frames are handed over on the fabric's loop, in
 * the order of their arrival; requests that nobody answers do not come back. May be used from any thread.
 */
public final class SimTransport implements MadTransport {
    private static final int MAX_OUTSTANDING = 512;

    private final SimFabric fabric;
    private final SimPort port;
    private final LocalPort localPort;
    private final AtomicReference<State> state = new AtomicReference<>(State.NEW);
    private volatile @Nullable Receiver receiver;
    private volatile boolean isRepressed;

    private enum State {
        NEW,
        STARTED,
        CLOSED
    }

    SimTransport(SimFabric fabric, SimPort port) {
        this.fabric = fabric;
        this.port = port;
        localPort = new LocalPort(port.device.node.id(), port.portNum, port.device.node.portGuid(port.portNum));
    }

    @Override
    public LocalPort localPort() {
        return localPort;
    }

    @Override
    public int maxOutstanding() {
        return MAX_OUTSTANDING;
    }

    @Override
    public void start(Receiver newReceiver) {
        if (!state.compareAndSet(State.NEW, State.STARTED)) {
            throw new IllegalStateException(localPort + " was started or closed before");
        }
        receiver = newReceiver;
    }

    /**
     * From now on a TrapRepress that answers no trap of the device is received too: as Linux hands it to the program whose trap it
     * answers, so that OpenSM, which tells a master of lower priority of itself by trap 144, goes on.
     */
    public void receiveTrapRepress() {
        isRepressed = true;
    }

    boolean isRepressed() {
        return isRepressed;
    }

    /** {@inheritDoc} False if the port is closed, or the frame does not hold 256 bytes. */
    @Override
    public boolean send(MadFrame frame, int responseTimeoutMs) {
        if (state.get() != State.STARTED || frame.mad().length != MadHeader.MAD_SIZE) {
            return false;
        }
        fabric.onLoop(() -> fabric.submit(port, frame));
        return true;
    }

    @Override
    public void setIsSm(boolean isSm) throws TransportException {
        if (state.get() == State.CLOSED) {
            throw new TransportException(localPort + " is closed; attach to it again");
        }
        fabric.onLoop(() -> fabric.setIsSm(port, isSm));
    }

    @Override
    public void close() {
        if (state.getAndSet(State.CLOSED) != State.CLOSED) {
            receiver = null;
            fabric.onLoop(() -> fabric.detach(port, this));
        }
    }

    /** A frame for this port; on the loop. */
    void deliver(MadFrame frame) {
        Receiver current = receiver;
        if (current != null) {
            current.received(frame);
        }
    }
}
