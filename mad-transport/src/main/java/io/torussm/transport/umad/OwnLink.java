package io.torussm.transport.umad;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.mad.smp.PortInfo;

/**
 * The reported state of the link at the SM's port. It outlives the MAD devices of the port: an adapter that is reset
 * loses its link first, and the next device, maybe under another name, reports its return. May be used from any thread.
 */
final class OwnLink {
    private static final EventLog EVENTS = EventLog.of(OwnLink.class);

    /** The name of the port that lost its link; empty if it has one. */
    private String lostBy = "";

    /** Takes the state of a port that is opened for the first time, without a report. */
    OwnLink(PortDescription port) {
        if (port.state() < PortInfo.STATE_INITIALIZE) {
            lostBy = port.name();
        }
    }

    synchronized boolean isLost() {
        return !lostBy.isEmpty();
    }

    /** Reports a change; the end has the name of the begin, since conditions end by it. */
    synchronized void is(boolean isUp, String name) {
        if (isUp && isLost()) {
            EVENTS.report(SmEvent.OWN_LINK_BACK, EventField.DEVICE.of(lostBy));
            lostBy = "";
        } else if (!isUp && !isLost()) {
            EVENTS.report(SmEvent.OWN_LINK_LOST, EventField.DEVICE.of(name));
            lostBy = name;
        }
    }
}
