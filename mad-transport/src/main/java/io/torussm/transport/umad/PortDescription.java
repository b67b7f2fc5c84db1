package io.torussm.transport.umad;

import io.torussm.mad.Guid;
import io.torussm.mad.smp.PortInfo;

/**
 * A port of this host, as the operating system describes it.
 *
 * @param caName name of the channel adapter
 * @param portNum port number, from 1
 * @param portGuid GUID of the port
 * @param lid 0 if it has none
 * @param state PortInfo.PortState, 1 to 4
 * @param linkLayer {@code InfiniBand} or {@code Ethernet}
 */
public record PortDescription(String caName, int portNum, long portGuid, int lid, int state, String linkLayer) {

    /**
     * Checks whether the link layer of this port is InfiniBand. Old kernels support no other and do not
     * report it.
     */
    public boolean isInfiniBand() {
        return linkLayer.isEmpty() || linkLayer.equals("InfiniBand") || linkLayer.equals("IB");
    }

    /** Returns the name, which stays while the port is open: {@code mlx5_0 port 1}. */
    String name() {
        return caName + " port " + portNum;
    }

    /** Returns the name and GUID, without the state and LID of the moment at which it was described. */
    String identity() {
        return name() + ", GUID " + Guid.format(portGuid);
    }

    /** Returns the name of the state. */
    public String stateName() {
        return switch (state) {
            case PortInfo.STATE_DOWN -> "down";
            case PortInfo.STATE_INITIALIZE -> "initialize";
            case PortInfo.STATE_ARMED -> "armed";
            case PortInfo.STATE_ACTIVE -> "active";
            default -> "state " + state;
        };
    }

    /** Returns one line for people: {@code mlx5_0 port 1, GUID 0x0002c9030012ab01, LID 3, active}. */
    @Override
    public String toString() {
        return identity() + ", LID " + lid + ", " + stateName() + (isInfiniBand() ? "" : ", link layer " + linkLayer);
    }
}
