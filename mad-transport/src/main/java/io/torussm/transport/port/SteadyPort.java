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
 * A port that survives its device. After a reset of the adapter or a reload of its driver the port is opened again,
 * with pauses that grow to eight seconds. Meanwhile sending fails, and the receiver was notified of the cause.
 *
 * <p>May be used from any thread. The port is opened on the loop, which may block for a moment.
 */
public final class SteadyPort extends ForwardingTransport {
    private static final EventLog EVENTS = EventLog.of(SteadyPort.class);
    private static final long FIRST_PAUSE_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long LAST_PAUSE_NS = TimeUnit.SECONDS.toNanos(8);

    private final Opener opener;
    private final Loop loop;
    private final Object lock = new Object();
    private volatile @Nullable MadTransport current;
    private volatile boolean isClosed;
    private boolean isSm;

    /** Opens the port with the GUID that the lost one had. */
    public interface Opener {
        /** Throws if it is not there, or cannot be opened. */
        MadTransport open() throws TransportException;
    }

    /**
     * Takes care of a port.
     *
     * @param port port that is open
     * @param opener opener of the same port
     * @param loop where it is opened again
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

    private boolean reopen() {
        MadTransport port;
        try {
            port = opener.open();
        } catch (TransportException e) {
            return false;
        }
        synchronized (lock) {
            if (isClosed || !holds(port)) {
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

    /** Gives a port the IsSM that the lost one had. */
    private boolean holds(MadTransport port) {
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
