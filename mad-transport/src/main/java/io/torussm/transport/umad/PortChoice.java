package io.torussm.transport.umad;

import io.torussm.mad.Guid;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.transport.PortNotReadyException;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which port the operator wants.
 *
 * @param caName name of the channel adapter, null for any
 * @param portNum port number, from 1; 0 for any
 * @param portGuid GUID of the port, 0 for any
 */
public record PortChoice(@Nullable String caName, int portNum, long portGuid) {

    /** Ports outside 0 to 254 do not exist (IBA 14.2.5.3). */
    public PortChoice {
        if (portNum < 0 || portNum > NodeInfo.MAX_PORT_NUM) {
            throw new IllegalArgumentException(
                    "port numbers go from 1 to " + NodeInfo.MAX_PORT_NUM + ", 0 for any: " + portNum);
        }
    }

    /** Returns the best port there is: active before linked; one without a link only if there is no other port. */
    public static PortChoice firstUsable() {
        return new PortChoice(null, 0, 0);
    }

    /** Returns the port with this GUID. */
    public static PortChoice byGuid(long portGuid) {
        return new PortChoice(null, 0, portGuid);
    }

    /** Returns a port of a channel adapter; {@code portNum} 0 takes the adapter's best one. */
    public static PortChoice byName(String caName, int portNum) {
        return new PortChoice(caName, portNum, 0);
    }

    /** Returns the words of a message for the wanted port. */
    public String text() {
        if (portGuid != 0) {
            return "the InfiniBand port with GUID " + Guid.format(portGuid);
        }
        return (portNum == 0 ? "the best InfiniBand port" : "port " + portNum)
                + (caName == null ? "" : " of " + caName);
    }

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
     * @throws PortNotReadyException if there is none, or none that can carry a subnet manager; it lists the
     *     available ports
     */
    PortDescription among(List<PortDescription> ports) throws PortNotReadyException {
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
        // The minimum of equals is the first, so ports of one state keep the system's order.
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
