package io.torussm.transport.umad;

import io.torussm.mad.Guid;
import io.torussm.mad.smp.PortInfo;

/**
 * A port of this host, as the operating system describes it.
 *
 * @param caName name of the channel adapter
 * @param portNum port number from 1; 0 for a switch
 * @param portGuid GUID of the port
 * @param lid base LID; 0 if the port has no LID
 * @param state PortInfo.PortState, 1 to 4
 * @param linkLayer {@code InfiniBand}, {@code IB} or {@code Ethernet}; empty with old kernels
 */
public record PortDescription(String caName, int portNum, long portGuid, int lid, int state, String linkLayer) {

    /**
     * Checks whether the link layer of this port is InfiniBand. Old kernels support InfiniBand only and report no link
     * layer.
     */
    public boolean isInfiniBand() {
        return linkLayer.isEmpty() || linkLayer.equals("InfiniBand") || linkLayer.equals("IB");
    }

    /** Returns the name, such as {@code mlx5_0 port 1}. It does not change while the port is open. */
    String name() {
        return caName + " port " + portNum;
    }

    /**
     * Returns the name and the GUID. Unlike {@link #toString}, the text has no state or LID, which may have changed
     * since.
     */
    String identity() {
        return name() + ", GUID " + Guid.format(portGuid);
    }

    /** Returns the name of the state in lower case, such as {@code active}. */
    public String stateName() {
        return switch (state) {
            case PortInfo.STATE_DOWN -> "down";
            case PortInfo.STATE_INITIALIZE -> "initialize";
            case PortInfo.STATE_ARMED -> "armed";
            case PortInfo.STATE_ACTIVE -> "active";
            default -> "state " + state;
        };
    }

    /** Returns one line for an operator: {@code mlx5_0 port 1, GUID 0x0002c9030012ab01, LID 3, active}. */
    @Override
    public String toString() {
        return identity() + ", LID " + lid + ", " + stateName() + (isInfiniBand() ? "" : ", link layer " + linkLayer);
    }
}
