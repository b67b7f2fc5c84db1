package io.torussm.daemon.control;

import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import io.torussm.trap.LinkComplaints.Unhealthy;
import io.torussm.view.PublishedView;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A port that reports link errors repeatedly, by name.
 *
 * @param port name of the node, and port number
 * @param cabledTo name of the port at the other end of the cable; null if unknown
 * @param linkIntegrity number of traps 129 (local link integrity threshold)
 * @param bufferOverrun number of traps 130 (excessive buffer overrun threshold)
 * @param flowControl number of traps 131 (flow control update watchdog timer)
 */
public record UnhealthyPort(
        String port, @Nullable String cabledTo, long linkIntegrity, long bufferOverrun, long flowControl) {
    /** Maximum number of ports that one line names. */
    private static final int MAX_NAMED = 5;

    /** Returns a port with its name in the published subnet; its GUID and port number if the subnet lacks it. */
    public static UnhealthyPort of(Unhealthy unhealthy, @Nullable PublishedView view) {
        long guid = unhealthy.place().nodeGuid();
        int portNum = unhealthy.place().portNum();
        Fabric fabric = view == null ? null : view.subnet().fabric();
        int node = fabric == null ? Fabric.NONE : fabric.nodeByGuid(guid);
        String name = Guid.format(guid) + " port " + portNum;
        String cabledTo = null;
        if (fabric != null && node != Fabric.NONE && portNum <= fabric.numPorts(node)) {
            int port = fabric.port(node, portNum);
            name = fabric.portName(port);
            cabledTo = fabric.peer(port) == Fabric.NONE ? null : fabric.portName(fabric.peer(port));
        }
        return new UnhealthyPort(
                name, cabledTo, unhealthy.linkIntegrity(), unhealthy.bufferOverrun(), unhealthy.flowControl());
    }

    /** Returns one line with the names of the first few ports and the number of the others. */
    static String line(List<UnhealthyPort> ports) {
        String named = ports.stream().limit(MAX_NAMED).map(UnhealthyPort::text).collect(Collectors.joining("; "));
        String more = ports.size() > MAX_NAMED ? "; and " + (ports.size() - MAX_NAMED) + " more" : "";
        return ports.isEmpty() ? "none" : named + more;
    }

    /** Returns the port and the numbers of its traps, for people. */
    public String text() {
        return port + (cabledTo == null ? "" : ", cabled to " + cabledTo) + " (" + linkIntegrity + " link integrity, "
                + bufferOverrun + " buffer overrun, " + flowControl + " flow control)";
    }
}
