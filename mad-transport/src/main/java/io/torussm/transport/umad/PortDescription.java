package io.torussm.transport.umad;

import io.torussm.mad.Guid;

/**
 * A local port as libibumad lists it.
 *
 * @param state PortState, 1 Down to 4 Active
 * @param linkLayer {@code InfiniBand}, or another that has no subnet manager; empty on old kernels
 */
public record PortDescription(String caName, int portNum, long portGuid, int state, String linkLayer) {
    private static final String[] STATES = {"?", "Down", "Initialize", "Armed", "Active"};

    boolean isInfiniBand() {
        return linkLayer.isEmpty() || linkLayer.equals("InfiniBand") || linkLayer.equals("IB");
    }

    boolean isUp() {
        return state >= 2;
    }

    @Override
    public String toString() {
        return caName + " port " + portNum + " GUID " + Guid.format(portGuid) + " "
                + (state >= 0 && state < STATES.length ? STATES[state] : "state " + state)
                + (isInfiniBand() ? "" : " (" + linkLayer + ")");
    }
}
