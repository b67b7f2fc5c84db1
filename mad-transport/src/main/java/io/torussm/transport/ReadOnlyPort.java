package io.torussm.transport;

import io.torussm.mad.Field;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import java.util.concurrent.atomic.LongAdder;

/**
 * A port through which nothing can be changed: of all that is sent it lets pass a Get of subnet management or of subnet
 * administration, and nothing else. No Set leaves, no answer, no TrapRepress, no Report; the port is never marked as one of an
 * SM. Of what comes in, only responses are handed on: whoever asks this port, or hands the subnet over to it, finds nobody.
 *
 * <p>What stands above it need not be trusted for that. As safe for threads as the port behind it.
 */
public final class ReadOnlyPort extends ForwardingTransport {
    private static final Field BASE_VERSION = MadHeader.BASE_VERSION;

    private final LongAdder refused = new LongAdder();
    private final LongAdder ignored = new LongAdder();

    /**
     * Stands before a port.
     *
     * @param inner not started
     */
    public ReadOnlyPort(MadTransport inner) {
        super(inner);
    }

    /** MADs that somebody wanted to send and that are no Gets; each is a defect of the sender. */
    public long refused() {
        return refused.sum();
    }

    /** MADs that came in and are no responses. */
    public long ignored() {
        return ignored.sum();
    }

    @Override
    public boolean send(MadFrame frame, int responseTimeoutMs) {
        if (!isRead(frame.mad())) {
            refused.increment();
            return false;
        }
        return super.send(frame, responseTimeoutMs);
    }

    private static boolean isRead(byte[] mad) {
        if (mad.length != MadHeader.MAD_SIZE || BASE_VERSION.get(mad, 0) != 1 || MadHeader.method(mad) != Method.GET) {
            return false;
        }
        int mgmtClass = MadHeader.mgmtClass(mad);
        return MgmtClass.isSmp(mgmtClass) || mgmtClass == MgmtClass.SUBN_ADM;
    }

    @Override
    protected void received(MadFrame frame) {
        boolean isOurs =
                frame.undelivered() || frame.mad().length == MadHeader.MAD_SIZE && MadHeader.isResponse(frame.mad());
        if (isOurs) {
            super.received(frame);
        } else {
            ignored.increment();
        }
    }

    /**
     * Refused: who only reads is no SM.
     *
     * @throws TransportException if the port is to be marked
     */
    @Override
    public void setIsSm(boolean isSm) throws TransportException {
        if (isSm) {
            refused.increment();
            throw new TransportException(localPort() + " only reads; it is not to be marked as a port of an SM");
        }
    }
}
