package io.torussm.transport.umad;

import io.torussm.mad.Guid;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The operator's choice of a local port.
 *
 * @param caName name of the channel adapter; null for any
 * @param portNum port number, 1 to 254; 0 for any
 * @param portGuid GUID of the port; 0 for any
 */
public record PortChoice(@Nullable String caName, int portNum, long portGuid) {

    /** Rejects a port number above 254 (IBA 14.2.5.3). */
    public PortChoice {
        if (portNum < 0 || portNum > NodeInfo.MAX_PORT_NUM) {
            throw new IllegalArgumentException(
                    "port numbers go from 1 to " + NodeInfo.MAX_PORT_NUM + ", 0 for any: " + portNum);
        }
    }

    /** Returns the choice of the port with the highest state. {@link #select} refuses if no port has a link. */
    public static PortChoice firstUsable() {
        return new PortChoice(null, 0, 0);
    }

    /** Returns the choice of the port with a GUID. */
    public static PortChoice byGuid(long portGuid) {
        return new PortChoice(null, 0, portGuid);
    }

    /**
     * Returns the choice of a port of a channel adapter.
     *
     * @param portNum port number, 1 to 254; 0 for the port with the highest state
     */
    public static PortChoice byName(String caName, int portNum) {
        return new PortChoice(caName, portNum, 0);
    }

    /** Returns the chosen port as a message names it. */
    public String text() {
        if (portGuid != 0) {
            return "the InfiniBand port with GUID " + Guid.format(portGuid);
        }
        return (portNum == 0 ? "the best InfiniBand port" : "port " + portNum)
                + (caName == null ? "" : " of " + caName);
    }

    /** Checks whether the choice names one port. Such a port is used even without a link. */
    private boolean isSpecific() {
        return portGuid != 0 || (caName != null && portNum != 0);
    }

    private boolean matches(PortDescription port) {
        return (caName == null || caName.equals(port.caName()))
                && (portNum == 0 || portNum == port.portNum())
                && (portGuid == 0 || portGuid == port.portGuid());
    }

    /**
     * Returns the chosen port.
     *
     * @throws PortNotReadyException if no port matches, none has InfiniBand, or none of several has a link; the message
     *     lists the ports of this host
     */
    PortDescription select(List<PortDescription> ports) throws PortNotReadyException {
        List<PortDescription> matching = ports.stream().filter(this::matches).toList();
        if (matching.isEmpty()) {
            throw new PortNotReadyException("no " + this + " on this host; there is: " + list(ports));
        }
        List<PortDescription> infiniBand =
                matching.stream().filter(PortDescription::isInfiniBand).toList();
        if (infiniBand.isEmpty()) {
            throw new PortNotReadyException("a subnet manager needs a port whose link layer is InfiniBand, found "
                    + list(matching) + "; choose another port, or configure this one as InfiniBand"
                    + " (mlxconfig set LINK_TYPE_P1=1); there is: " + list(ports));
        }
        if (infiniBand.size() == 1 || isSpecific()) {
            return infiniBand.get(0);
        }
        // The first of equal ports is the minimum, so ports of one state keep the order of the operating system.
        PortDescription best = infiniBand.stream()
                .min(Comparator.comparingInt(port -> -port.state()))
                .orElseThrow();
        if (best.state() < PortInfo.STATE_INITIALIZE) {
            throw new PortNotReadyException(
                    "no " + this + " has a link; check the cables, or name the port to wait on: " + list(infiniBand));
        }
        return best;
    }

    private static String list(List<PortDescription> ports) {
        return ports.stream().map(PortDescription::toString).collect(Collectors.joining("; "));
    }

    /** Returns the requested port, in the words of error messages. */
    @Override
    public String toString() {
        if (portGuid != 0) {
            return "port with GUID " + Guid.format(portGuid);
        }
        String number = portNum == 0 ? "port" : "port " + portNum;
        return caName == null ? number : number + " of channel adapter \"" + caName + "\"";
    }
}
