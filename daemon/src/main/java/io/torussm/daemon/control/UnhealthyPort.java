package io.torussm.daemon.control;

import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import io.torussm.trap.LinkComplaints.Unhealthy;
import io.torussm.view.PublishedView;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A port that reports link errors again and again, by name.
 *
 * @param port device and number
 * @param cabledTo the port at the other end of its cable; null if that is not known
 * @param linkIntegrity traps 129
 * @param bufferOverrun traps 130
 * @param flowControl traps 131
 */
public record UnhealthyPort(
        String port, @Nullable String cabledTo, long linkIntegrity, long bufferOverrun, long flowControl) {
    /** Ports that one line names. */
    private static final int MAX_NAMED = 5;

    /** Names a port as in the published subnet. */
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

    /** Returns all on one line, the first few by name. */
    static String line(List<UnhealthyPort> ports) {
        String named = ports.stream().limit(MAX_NAMED).map(UnhealthyPort::text).collect(Collectors.joining("; "));
        String more = ports.size() > MAX_NAMED ? "; and " + (ports.size() - MAX_NAMED) + " more" : "";
        return ports.isEmpty() ? "none" : named + more;
    }

    /** Returns the port and its complaints, for people. */
    public String text() {
        return port + (cabledTo == null ? "" : ", cabled to " + cabledTo) + " (" + linkIntegrity + " link integrity, "
                + bufferOverrun + " buffer overrun, " + flowControl + " flow control)";
    }
}
