package io.torussm.daemon;

import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import io.torussm.trap.LinkComplaints.Unhealthy;
import io.torussm.view.PublishedView;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Ports that complain of their links, in the operator's words. */
final class UnhealthyPorts {
    /** Ports that one line names. */
    private static final int MAX_NAMED = 5;

    private UnhealthyPorts() {}

    /** All on one line; the first few by name and cable, with what they complain of. */
    static String line(List<Unhealthy> ports, @Nullable PublishedView view) {
        String named = ports.stream()
                .limit(MAX_NAMED)
                .map(port -> where(port, view) + " (" + port.linkIntegrity() + " link integrity, "
                        + port.bufferOverrun() + " buffer overrun, " + port.flowControl() + " flow control)")
                .collect(Collectors.joining("; "));
        String more = ports.size() > MAX_NAMED ? "; and " + (ports.size() - MAX_NAMED) + " more" : "";
        return ports.isEmpty() ? "none" : named + more;
    }

    private static String where(Unhealthy unhealthy, @Nullable PublishedView view) {
        long guid = unhealthy.place().nodeGuid();
        int portNum = unhealthy.place().portNum();
        Fabric fabric = view == null ? null : view.subnet().fabric();
        int node = fabric == null ? Fabric.NONE : fabric.nodeByGuid(guid);
        if (fabric == null || node == Fabric.NONE || portNum > fabric.numPorts(node)) {
            return Guid.format(guid) + " port " + portNum;
        }
        int far = fabric.peer(fabric.port(node, portNum));
        return fabric.portName(fabric.port(node, portNum))
                + (far == Fabric.NONE ? "" : ", cabled to " + fabric.portName(far));
    }
}
