package io.torussm.sim;

import io.torussm.mad.MadHeader;
import io.torussm.transport.LocalPort;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
import io.torussm.transport.TransportException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A port of the embedded fabric, as a process of that host would use it. Frames are delivered on the fabric's loop, in
 * the order of their arrival. A request without a response does not return. Any thread may call it.
 */
public final class SimTransport implements MadTransport {
    private static final int MAX_OUTSTANDING = 512;

    private final SimFabric fabric;
    private final SimPort port;
    private final LocalPort localPort;
    private final AtomicReference<State> state = new AtomicReference<>(State.NEW);
    private volatile @Nullable Receiver receiver;
    private volatile boolean isTrapRepressWanted;

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
     * Requests each TrapRepress that belongs to no trap of the device, as Linux delivers it to the program that sent
     * the trap. OpenSM needs it after its trap 144 to a master of lower priority.
     */
    public void receiveTrapRepress() {
        isTrapRepressWanted = true;
    }

    boolean isTrapRepressWanted() {
        return isTrapRepressWanted;
    }

    /** {@inheritDoc} Returns false if the port is closed, or the frame does not have 256 bytes. */
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

    /** Delivers a frame for this port, on the loop. */
    void deliver(MadFrame frame) {
        Receiver current = receiver;
        if (current != null) {
            current.received(frame);
        }
    }
}
