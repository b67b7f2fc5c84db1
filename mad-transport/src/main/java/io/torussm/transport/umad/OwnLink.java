package io.torussm.transport.umad;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.mad.smp.PortInfo;

/**
 * The reported state of the link at the SM's port. It outlives the MAD devices of the port: an adapter that is reset
 * first loses its link. The next device, which may have another name, reports that the link is back. Any thread may
 * call it.
 */
final class OwnLink {
    private static final EventLog EVENTS = EventLog.of(OwnLink.class);

    /** The name of the port that lost its link; empty while the link is up. */
    private String lostPortName = "";

    /** Creates the state from a port that is opened for the first time. Nothing is reported. */
    OwnLink(PortDescription port) {
        if (port.state() < PortInfo.STATE_INITIALIZE) {
            lostPortName = port.name();
        }
    }

    synchronized boolean isLost() {
        return !lostPortName.isEmpty();
    }

    /**
     * Reports a change of the link. Both events have the name at the loss, since a condition ends by the device of its
     * begin.
     *
     * @param isUp true if the link is up
     * @param name current name of the port
     */
    synchronized void report(boolean isUp, String name) {
        if (isUp && isLost()) {
            EVENTS.report(SmEvent.OWN_LINK_BACK, EventField.DEVICE.of(lostPortName));
            lostPortName = "";
        } else if (!isUp && !isLost()) {
            EVENTS.report(SmEvent.OWN_LINK_LOST, EventField.DEVICE.of(name));
            lostPortName = name;
        }
    }
}
