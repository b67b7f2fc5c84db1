package io.torussm.transport.port;

import io.torussm.mad.Field;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
import io.torussm.transport.TransportException;
import java.util.concurrent.atomic.LongAdder;

/**
 * A port that cannot change the subnet, whatever code uses it. It sends only Gets of subnet management and subnet
 * administration: no Set, response, TrapRepress or Report. It refuses to set IsSM. It receives only responses, so
 * requests and handovers to this port remain unanswered. As thread-safe as the wrapped port.
 */
public final class ReadOnlyPort extends ForwardingTransport {
    private static final Field BASE_VERSION = MadHeader.BASE_VERSION;

    private final LongAdder refused = new LongAdder();
    private final LongAdder ignored = new LongAdder();

    /**
     * Wraps a port.
     *
     * @param inner wrapped port, not started
     */
    public ReadOnlyPort(MadTransport inner) {
        super(inner);
    }

    /** Returns the number of refused MADs and refused settings of IsSM. Each is a defect of its sender. */
    public long refused() {
        return refused.sum();
    }

    /** Returns the number of received MADs that are no responses. */
    public long ignored() {
        return ignored.sum();
    }

    @Override
    public boolean send(MadFrame frame, int responseTimeoutMs) {
        if (!isPermittedGet(frame.mad())) {
            refused.increment();
            return false;
        }
        return super.send(frame, responseTimeoutMs);
    }

    private static boolean isPermittedGet(byte[] mad) {
        if (mad.length != MadHeader.MAD_SIZE || BASE_VERSION.get(mad, 0) != 1 || MadHeader.method(mad) != Method.GET) {
            return false;
        }
        int mgmtClass = MadHeader.mgmtClass(mad);
        return MgmtClass.isSmp(mgmtClass) || mgmtClass == MgmtClass.SUBN_ADM;
    }

    @Override
    protected void received(MadFrame frame) {
        boolean isResponse = frame.isUndelivered()
                || (frame.mad().length == MadHeader.MAD_SIZE && MadHeader.isResponse(frame.mad()));
        if (isResponse) {
            super.received(frame);
        } else {
            ignored.increment();
        }
    }

    /**
     * Refuses to set IsSM, because this port belongs to no SM. A request to clear IsSM is ignored.
     *
     * @throws TransportException if {@code isSm} is true
     */
    @Override
    public void setIsSm(boolean isSm) throws TransportException {
        if (isSm) {
            refused.increment();
            throw new TransportException(localPort() + " only reads; it is not to be marked as a port of an SM");
        }
    }
}
