package io.torussm.transport.umad;

import io.torussm.mad.smp.PortInfo;
import io.torussm.transport.MadTransport.Receiver;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * A periodic check of the link at the SM's port, as the operating system reports it. The MAD device does not report the
 * link, so otherwise only the next sweep would detect its loss. Confined to the receiving thread.
 */
final class LinkWatch {
    private static final long PERIOD_NS = TimeUnit.MILLISECONDS.toNanos(500);

    private final Umad umad;
    private final PortDescription port;
    private final OwnLink link;
    private final LongSupplier nowNs;
    private long lastCheckNs;
    private boolean isUp;

    LinkWatch(Umad umad, PortDescription port, OwnLink link, LongSupplier nowNs) {
        this.umad = umad;
        this.port = port;
        this.link = link;
        this.nowNs = nowNs;
        lastCheckNs = nowNs.getAsLong();
        isUp = port.state() >= PortInfo.STATE_INITIALIZE;
    }

    /**
     * Checks the link if 500 ms have passed since the last check, and reports a change. An absent port is ignored: the
     * MAD device reports it.
     */
    void checkLink(Receiver receiver) {
        long currentNs = nowNs.getAsLong();
        if (currentNs - lastCheckNs < PERIOD_NS) {
            return;
        }
        lastCheckNs = currentNs;
        int state = umad.portState(port.caName(), port.portNum());
        boolean isUpNow = state >= PortInfo.STATE_INITIALIZE;
        if (state == 0) {
            return;
        }
        link.report(isUpNow, port.name());
        if (isUpNow != isUp) {
            isUp = isUpNow;
            receiver.portChanged(isUp, isUp ? "" : port.name() + " has no link");
        }
    }
}
