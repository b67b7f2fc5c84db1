package io.torussm.sim;

import io.torussm.mad.smp.PortInfo;
import io.torussm.sim.model.PortCounter;
import java.util.function.Consumer;

/**
 * The link state machines of all ports (IBA 7.2.7, 14.2.5.6). Training takes no time: if the ports at both ends of a
 * cable poll, they enter INITIALIZE immediately. The listener is called with a switch whose port goes up or down,
 * unless a Set took this port down.
 */
final class SimLinks {
    static final int PHYS_SLEEP = 1;

    private final Consumer<SimDevice> switchChanged;

    SimLinks(Consumer<SimDevice> switchChanged) {
        this.switchChanged = switchChanged;
    }

    /** Takes a link down for a Set. It trains again unless it is to sleep or is disabled. Only the peer counts this. */
    void downBySet(SimPort port, int physicalState) {
        takeDown(port, physicalState);
        train(port);
    }

    /** Takes a link down whose cable is unplugged, or whose other end has lost power. */
    void loseSignal(SimPort port) {
        if (port.isLinkUp()) {
            port.counts().add(PortCounter.LINK_DOWNED, 1);
            takeDown(port, restingState(port));
            report(port);
        }
    }

    /** Brings the link up if both ends poll. */
    void train(SimPort port) {
        SimPort peer = port.cable;
        if (peer == null || !port.isPluggedIn || !polls(port) || !polls(peer)) {
            return;
        }
        setUp(port);
        setUp(peer);
        report(port);
        report(peer);
    }

    /**
     * Returns the physical state of a port while its link is down: Sleep if LinkDownDefaultState says so, else Polling.
     */
    static int restingState(SimPort port) {
        return port.get(PortInfo.LINK_DOWN_DEFAULT_STATE) == PHYS_SLEEP ? PHYS_SLEEP : PortInfo.PHYS_POLLING;
    }

    private void takeDown(SimPort port, int physicalState) {
        SimPort peer = port.cable;
        boolean wasUp = port.isLinkUp();
        setDown(port, physicalState);
        if (wasUp && peer != null) {
            setDown(peer, restingState(peer));
            peer.counts().add(PortCounter.LINK_DOWNED, 1);
            report(peer);
        }
    }

    private static boolean polls(SimPort port) {
        return !port.device.isFailed
                && !port.isLinkUp()
                && port.get(PortInfo.PORT_PHYSICAL_STATE) == PortInfo.PHYS_POLLING;
    }

    private static void setUp(SimPort port) {
        port.set(PortInfo.PORT_STATE, PortInfo.STATE_INITIALIZE);
        port.set(PortInfo.PORT_PHYSICAL_STATE, PortInfo.PHYS_LINK_UP);
    }

    static void setDown(SimPort port, int physicalState) {
        port.set(PortInfo.PORT_STATE, PortInfo.STATE_DOWN);
        port.set(PortInfo.PORT_PHYSICAL_STATE, physicalState);
        if (port.vports != null) {
            port.vports.handlePortDown();
        }
    }

    private void report(SimPort port) {
        if (port.device.isSwitch && !port.device.isFailed) {
            switchChanged.accept(port.device);
        }
    }
}
