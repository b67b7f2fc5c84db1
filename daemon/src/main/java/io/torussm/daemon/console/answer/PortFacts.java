package io.torussm.daemon.console.answer;

import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.LinkWidth;
import io.torussm.mad.smp.PortInfo;
import io.torussm.names.SiteMap.Site;
import io.torussm.subnet.LinkSettings;
import io.torussm.torus2qos.TorusMap;
import io.torussm.view.FabricState;
import io.torussm.view.LostCable;
import io.torussm.view.PlacedSubnet;
import io.torussm.view.PublishedView;
import io.torussm.vport.VPortTable;
import io.torussm.vport.VPortTable.VPortCount;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A port as it was last read, with its use by the active routes.
 *
 * @param node node name
 * @param nodeGuid GUID of the node
 * @param place coordinates of the switch; empty if it has no coordinates
 * @param site position of the node in the machine room; null if unknown
 * @param port port number
 * @param cable label of the cable; empty if unknown
 * @param portGuid PortGUID; null for external ports of switches
 * @param lid first LID of the port, or the LID of the switch; 0 without a LID
 * @param lmc LMC, 0 to 7
 * @param state PortState, in words; null if the port was not read
 * @param lanes number of lanes (LinkWidthActive); null without a link, at port 0 of a switch, or if the code is unknown
 * @param laneGbps LinkSpeedActive, in Gb/s per lane; null in the same cases
 * @param mtu MTU of the link, in bytes
 * @param vls number of data VLs in use
 * @param direction direction in a torus, such as {@code +x}; empty without a direction
 * @param peer the other end of the cable; null without a link
 * @param led former other end of the cable; null if the port has a link, or the former end is unknown
 * @param routes use of the port by active routes of a former state; null if the active routes expect the current state
 * @param vports numbers of virtual ports, and names of the first ones; null without virtual ports
 */
public record PortFacts(
        String node,
        String nodeGuid,
        String place,
        @Nullable Site site,
        int port,
        String cable,
        @Nullable String portGuid,
        int lid,
        int lmc,
        @Nullable String state,
        @Nullable Integer lanes,
        @Nullable Double laneGbps,
        int mtu,
        int vls,
        String direction,
        @Nullable Peer peer,
        @Nullable Led led,
        @Nullable Routes routes,
        @Nullable VPortCount vports)
        implements Facts {
    private static final int MAX_NAME = 64;

    /** The greatest code of OperationalVLs (IBA 14.2.5.6): VL 0 to 14. */
    private static final int MAX_VL_CODE = 5;

    /** The other end of a cable. */
    public record Peer(String node, String nodeGuid, String place, int port) {
        @Override
        public String toString() {
            return node + " port " + port + (place.isEmpty() ? "" : " " + place);
        }
    }

    /**
     * The former peer of a port without a link.
     *
     * @param lostSince time of the loss; null if the cable was absent before this SM became master
     */
    record Led(
            String node,
            String nodeGuid,
            String place,
            int port,
            @Nullable Instant lostSince) {
        private static Led of(LostCable.LostEnd end, @Nullable Instant since) {
            String name = end.name().isEmpty()
                    ? "port GUID " + Guid.format(end.port().portGuid())
                    : Printable.text(end.name(), MAX_NAME);
            return new Led(
                    name, Guid.format(end.nodeGuid()), end.place(), end.port().portNum(), since);
        }

        @Override
        public String toString() {
            return new Peer(node, nodeGuid, place, port)
                    + (lostSince == null ? "; lost before this SM was master" : "; lost since " + lostSince);
        }
    }

    /**
     * Active routes that use a port whose cable is absent or was replaced.
     *
     * @param sweep number of the sweep that made the routes
     * @param lids number of LIDs that the switch forwards to the port
     */
    record Routes(long sweep, int lids) {
        @Override
        public String toString() {
            return "of sweep " + sweep + ": " + lids + " LIDs go by this port, a dead end";
        }
    }

    /** Returns a port of the last discovery, with its use by the active routes. */
    public static PortFacts of(FabricState state, PlacedSubnet placed, int port, VPortTable vports) {
        Fabric fabric = placed.fabric();
        int node = fabric.nodeOf(port);
        PortInfo info = fabric.portInfo(port);
        int addressed = fabric.isSwitch(node) ? fabric.port(node, 0) : port;
        boolean isPort0 = fabric.isSwitch(node) && fabric.portNum(port) == 0;
        return new PortFacts(
                name(fabric, node),
                Guid.format(fabric.nodeGuid(node)),
                placed.place(node),
                site(placed, node),
                fabric.portNum(port),
                Printable.text(fabric.cableLabel(port), MAX_NAME),
                fabric.isEndport(port) ? Guid.format(fabric.portGuid(port)) : null,
                placed.subnet().lid(addressed),
                placed.subnet().lmc(addressed),
                info == null ? null : state(info),
                info == null || isPort0 ? null : lanes(info),
                info == null || isPort0 ? null : laneGbps(info),
                info == null ? 0 : mtu(info, isPort0),
                info == null ? 0 : dataVls(info),
                fabric.isSwitch(node)
                        ? TorusMap.of(placed.explainer())
                                .map(map -> map.direction(port))
                                .orElse("")
                        : "",
                peer(placed, fabric.peer(port)),
                led(state, placed, port),
                routes(state, fabric, port),
                fabric.isEndport(port) ? vports.count(List.of(fabric.portGuid(port))) : null);
    }

    private static @Nullable Integer lanes(PortInfo info) {
        return LinkWidth.of(info).map(LinkWidth::lanes).orElse(null);
    }

    private static @Nullable Double laneGbps(PortInfo info) {
        String speed = info.speedText("");
        return speed.isEmpty() ? null : Double.valueOf(speed);
    }

    /** Returns width and speed, such as {@code 4x 25}. */
    public String link() {
        return (lanes == null ? "?" : lanes + "x") + " "
                + (laneGbps == null
                        ? "?"
                        : BigDecimal.valueOf(laneGbps).stripTrailingZeros().toPlainString());
    }

    private static @Nullable Peer peer(PlacedSubnet placed, int port) {
        if (port == Fabric.NONE) {
            return null;
        }
        Fabric fabric = placed.fabric();
        int node = fabric.nodeOf(port);
        return new Peer(
                name(fabric, node), Guid.format(fabric.nodeGuid(node)), placed.place(node), fabric.portNum(port));
    }

    private static @Nullable Led led(FabricState state, PlacedSubnet placed, int port) {
        LostCable lost =
                placed.fabric().peer(port) == Fabric.NONE ? state.absences().lostCable(placed, port) : null;
        return lost == null
                ? null
                : Led.of(lost.across(lost.end(LostCable.LostEnd.of(placed, port).port())), lost.since());
    }

    private static @Nullable Routes routes(FabricState state, Fabric fabric, int port) {
        PublishedView view = state.view();
        int activeNode = view == null
                ? Fabric.NONE
                : PlacedSubnet.counterpart(fabric, port, view.subnet().fabric());
        if (view == null || activeNode == Fabric.NONE || !state.isCableAbsent(activeNode)) {
            return null;
        }
        int node = view.subnet().fabric().nodeOf(activeNode);
        int lids = view.subnet().fabric().isSwitch(node) ? lidsBy(view, node)[fabric.portNum(port)] : 0;
        return new Routes(view.sweep(), lids);
    }

    /** Returns the number of LIDs that a switch of the view forwards, by output port number. */
    public static int[] lidsBy(PublishedView view, int sw) {
        int[] routes = new int[LinearForwardingTable.NO_PATH + 1];
        byte[] lft = view.plan().lft(sw);
        for (int lid = 1; lid < lft.length; lid++) {
            routes[lft[lid] & 0xff] += view.subnet().portOfLid(lid) == Fabric.NONE ? 0 : 1;
        }
        return routes;
    }

    /** Returns the position of a node, printable on a terminal; null if unknown. */
    public static @Nullable Site site(PlacedSubnet placed, int node) {
        Site site = placed.site(node);
        return site.isUnknown()
                ? null
                : new Site(
                        Printable.text(site.rack(), MAX_NAME),
                        Printable.text(site.row(), MAX_NAME),
                        Printable.text(site.unit(), MAX_NAME));
    }

    public static String name(Fabric fabric, int node) {
        return Printable.text(fabric.nodeName(node), MAX_NAME);
    }

    private static String state(PortInfo info) {
        return switch (info.portState()) {
            case PortInfo.STATE_INITIALIZE -> "INIT";
            case PortInfo.STATE_ARMED -> "ARMED";
            case PortInfo.STATE_ACTIVE -> "ACTIVE";
            default -> info.portPhysicalState() == PortInfo.PHYS_DISABLED ? "DISABLED" : "DOWN";
        };
    }

    /** Returns the MTU, in bytes. Port 0 of a switch has no neighbour, so its own limit is the MTU. */
    private static int mtu(PortInfo info, boolean isPort0) {
        return PortInfo.mtuBytes(isPort0 ? info.mtuCap() : info.neighborMtu());
    }

    private static int dataVls(PortInfo info) {
        int code = info.operationalVls();
        return code >= 1 && code <= MAX_VL_CODE ? LinkSettings.dataVls(code) : 0;
    }

    @Override
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("node       " + node + " " + place);
        lines.add("node GUID  " + nodeGuid);
        if (site != null) {
            lines.add("stands in  " + site);
        }
        lines.add("port       " + port + (direction.isEmpty() ? "" : ", leads in " + direction));
        if (portGuid != null) {
            lines.add("port GUID  " + portGuid);
        }
        lines.add("LID        " + lid + (lmc == 0 ? "" : " to " + (lid + (1 << lmc) - 1)));
        lines.add("state      " + (state == null ? "not known" : state));
        if (!cable.isEmpty()) {
            lines.add("cable      " + cable);
        }
        if (peer != null) {
            lines.add("link       " + link() + " Gb/s a lane, MTU " + mtu + ", " + vls + " data VLs");
            lines.add("leads to   " + peer);
        }
        if (led != null) {
            lines.add("led to     " + led);
        }
        if (routes != null) {
            lines.add("routes     " + routes);
        }
        if (vports != null) {
            lines.add("vports     " + VPortText.of(vports));
        }
        return lines.stream().map(String::stripTrailing).toList();
    }
}
