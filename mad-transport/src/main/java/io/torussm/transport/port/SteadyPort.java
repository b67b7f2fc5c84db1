package io.torussm.transport.port;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.transport.Loop;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
import io.torussm.transport.TransportException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A port that survives the loss of its device. After a reset of the adapter or a reload of its driver, the port is
 * opened again, with pauses of 1 to 8 seconds. Meanwhile sending fails; the receiver is notified of the loss and of the
 * return.
 *
 * <p>Any thread may call it. The port is opened on the loop, which may block for a moment.
 */
public final class SteadyPort extends ForwardingTransport {
    private static final EventLog EVENTS = EventLog.of(SteadyPort.class);
    private static final long FIRST_PAUSE_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long LAST_PAUSE_NS = TimeUnit.SECONDS.toNanos(8);

    private final Opener opener;
    private final Loop loop;
    private final Object lock = new Object();

    /** The open port; null while it is lost, and after {@link #close}. */
    private volatile @Nullable MadTransport current;

    private volatile boolean isClosed;

    /** True if IsSM is to be set, also on the next port. Guarded by {@link #lock}. */
    private boolean isSm;

    /** A function that opens the port with the GUID of the lost port. */
    public interface Opener {
        /**
         * Opens the port.
         *
         * @throws TransportException if the port is absent or cannot be opened
         */
        MadTransport open() throws TransportException;
    }

    /**
     * Wraps a port.
     *
     * @param port open port, not started
     * @param opener opener of the same port after its loss
     * @param loop loop on which the port is opened again
     */
    public SteadyPort(MadTransport port, Opener opener, Loop loop) {
        super(port);
        current = port;
        this.opener = opener;
        this.loop = loop;
    }

    @Override
    protected void failed(MadTransport port, String reason) {
        synchronized (lock) {
            if (isClosed || current != port) {
                return;
            }
            current = null;
        }
        EVENTS.report(SmEvent.PORT_AWAY, EventField.REASON.of(reason));
        loop.execute(port::close);
        reopenAfter(FIRST_PAUSE_NS);
        receiver().portChanged(false, reason);
    }

    private void reopenAfter(long pauseNs) {
        loop.schedule(pauseNs, () -> {
            if (!isClosed && !reopen()) {
                reopenAfter(Math.min(2 * pauseNs, LAST_PAUSE_NS));
            }
        });
    }

    /**
     * Tries to open the port. Returns true if no further attempt is needed: the port is open, or this object is closed.
     */
    private boolean reopen() {
        MadTransport port;
        try {
            port = opener.open();
        } catch (TransportException e) {
            return false;
        }
        synchronized (lock) {
            if (isClosed || !restoreIsSm(port)) {
                port.close();
                return isClosed;
            }
            current = port;
        }
        restart(port);
        EVENTS.report(
                SmEvent.PORT_BACK,
                EventField.PORT.of(port.localPort().portNum()),
                EventField.DEVICE.of(port.localPort().caName()));
        receiver().portChanged(true, "");
        return true;
    }

    /** Sets IsSM of a new port if the lost port had it. Returns false if the new port refuses. */
    private boolean restoreIsSm(MadTransport port) {
        try {
            if (isSm) {
                port.setIsSm(true);
            }
            return true;
        } catch (TransportException e) {
            return false;
        }
    }

    @Override
    public boolean send(MadFrame frame, int responseTimeoutMs) {
        MadTransport port = current;
        return port != null && port.send(frame, responseTimeoutMs);
    }

    @Override
    public void setIsSm(boolean isWanted) throws TransportException {
        synchronized (lock) {
            MadTransport port = current;
            if (port != null) {
                port.setIsSm(isWanted);
            }
            isSm = isWanted;
        }
    }

    @Override
    public void close() {
        MadTransport port;
        synchronized (lock) {
            isClosed = true;
            port = current;
            current = null;
        }
        if (port != null) {
            port.close();
        }
    }
}
