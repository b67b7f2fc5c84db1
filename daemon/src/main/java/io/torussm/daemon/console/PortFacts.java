package io.torussm.daemon.console;

import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import io.torussm.mad.smp.PortInfo;
import io.torussm.torus2qos.TorusMap;
import io.torussm.view.PublishedView;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A port, as it answered last.
 *
 * @param node node description
 * @param nodeGuid GUID of the node
 * @param place of the switch; empty if it has none
 * @param port its number
 * @param portGuid null for external ports of switches
 * @param lid its first LID, or that of the switch
 * @param lmc its LMC
 * @param state PortState; null if nobody asked the port
 * @param width LinkWidthActive
 * @param speed LinkSpeedActive, in Gb/s a lane
 * @param mtu of the link, bytes
 * @param vls data VLs in use
 * @param direction along which it leads in a torus, such as {@code +x}; empty if along none
 * @param peer at the other end of the cable; null if there is no link
 */
record PortFacts(
        String node,
        String nodeGuid,
        String place,
        int port,
        @Nullable String portGuid,
        int lid,
        int lmc,
        @Nullable String state,
        String width,
        String speed,
        int mtu,
        int vls,
        String direction,
        @Nullable Peer peer)
        implements Facts {
    private static final int MAX_NAME = 64;

    /** The other end of a cable. */
    record Peer(String node, String nodeGuid, String place, int port) {
        @Override
        public String toString() {
            return node + " port " + port + (place.isEmpty() ? "" : " " + place);
        }
    }

    static PortFacts of(PublishedView view, int port) {
        Fabric fabric = view.subnet().fabric();
        int node = fabric.nodeOf(port);
        PortInfo info = fabric.portInfo(port);
        int addressed = fabric.isSwitch(node) ? fabric.port(node, 0) : port;
        return new PortFacts(
                name(fabric, node),
                Guid.format(fabric.nodeGuid(node)),
                place(view, node),
                fabric.portNum(port),
                fabric.isEndport(port) ? Guid.format(fabric.portGuid(port)) : null,
                view.subnet().lid(addressed),
                view.subnet().lmc(addressed),
                info == null ? null : state(info),
                info == null ? "" : info.widthText("?"),
                info == null ? "" : info.speedText("?"),
                info == null ? 0 : mtu(info, fabric.isSwitch(node) && fabric.portNum(port) == 0),
                info == null ? 0 : dataVls(info),
                fabric.isSwitch(node)
                        ? TorusMap.of(view.plan())
                                .map(map -> map.direction(port))
                                .orElse("")
                        : "",
                peer(view, fabric.peer(port)));
    }

    private static @Nullable Peer peer(PublishedView view, int port) {
        if (port == Fabric.NONE) {
            return null;
        }
        Fabric fabric = view.subnet().fabric();
        int node = fabric.nodeOf(port);
        return new Peer(
                name(fabric, node), Guid.format(fabric.nodeGuid(node)), place(view, node), fabric.portNum(port));
    }

    static String name(Fabric fabric, int node) {
        return Printable.text(fabric.node(node).description(), MAX_NAME);
    }

    static String place(PublishedView view, int node) {
        return view.subnet().fabric().isSwitch(node) ? view.plan().coordinates(node) : "";
    }

    private static String state(PortInfo info) {
        return switch (info.portState()) {
            case PortInfo.STATE_INITIALIZE -> "INIT";
            case PortInfo.STATE_ARMED -> "ARMED";
            case PortInfo.STATE_ACTIVE -> "ACTIVE";
            default -> info.portPhysicalState() == PortInfo.PHYS_DISABLED ? "DISABLED" : "DOWN";
        };
    }

    static int bytes(int mtuCode) {
        return mtuCode >= 1 && mtuCode <= 5 ? 128 << mtuCode : 0;
    }

    /** Port 0 of a switch has no neighbour, only what it can take itself. */
    private static int mtu(PortInfo info, boolean isPort0) {
        return bytes(isPort0 ? info.mtuCap() : info.neighborMtu());
    }

    private static int dataVls(PortInfo info) {
        int code = info.operationalVls();
        return code == 5 ? 15 : code >= 1 && code <= 4 ? 1 << (code - 1) : 0;
    }

    @Override
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("node       " + node + " " + place);
        lines.add("node GUID  " + nodeGuid);
        lines.add("port       " + port + (direction.isEmpty() ? "" : ", leads in " + direction));
        if (portGuid != null) {
            lines.add("port GUID  " + portGuid);
        }
        lines.add("LID        " + lid + (lmc == 0 ? "" : " to " + (lid + (1 << lmc) - 1)));
        lines.add("state      " + (state == null ? "not known" : state));
        if (peer != null) {
            lines.add("link       " + width + " " + speed + " Gb/s a lane, MTU " + mtu + ", " + vls + " data VLs");
            lines.add("leads to   " + peer);
        }
        return lines.stream().map(String::stripTrailing).toList();
    }
}
