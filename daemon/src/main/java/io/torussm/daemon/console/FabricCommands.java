package io.torussm.daemon.console;

import io.torussm.daemon.control.SmControl;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.view.PublishedView;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Commands about nodes, ports, addresses and paths. */
final class FabricCommands {
    private static final String NODE_NAMES = "NODE is a node description (in quotes if it has blanks), a GUID, a LID,"
            + " or the place of a switch, x,y,z.";
    private static final int NO_PATH = 0xff;
    private static final int MAX_NAMES = 100;

    private final SmControl control;

    private record Switch(int lid, String guid, String place, String name) {}

    private record Switches(List<Switch> switches) implements Facts {
        @Override
        public List<String> lines() {
            TextTable table = new TextTable("LID", "GUID", "place", "name");
            switches.forEach(each -> table.row(each.lid(), each.guid(), each.place(), each.name()));
            return table.lines();
        }
    }

    private record SwitchPort(PortFacts port, int routes) {}

    private record SwitchFacts(String name, String guid, String place, int lid, List<SwitchPort> ports)
            implements Facts {
        @Override
        public List<String> lines() {
            List<String> lines = new ArrayList<>();
            lines.add((name + " " + place).strip() + ", GUID " + guid + ", LID " + lid);
            TextTable table = new TextTable("port", "dir", "state", "link", "MTU", "VLs", "LIDs", "leads to");
            for (SwitchPort each : ports) {
                PortFacts port = each.port();
                PortFacts.Peer peer = port.peer();
                table.row(
                        port.port(),
                        port.direction(),
                        port.state() == null ? "?" : port.state(),
                        peer == null ? "" : port.width() + " " + port.speed(),
                        peer == null ? "" : port.mtu(),
                        peer == null ? "" : port.vls(),
                        each.routes(),
                        peer == null ? "" : peer.toString());
            }
            lines.addAll(table.lines());
            return lines;
        }
    }

    private record Endport(int port, String portGuid, int lid, int lmc) {}

    private record Node(
            String name,
            String type,
            String nodeGuid,
            String systemImageGuid,
            String vendorId,
            String deviceId,
            String revision,
            int ports,
            String place,
            List<Endport> endports)
            implements Facts {
        @Override
        public List<String> lines() {
            List<String> lines = new ArrayList<>(List.of(
                    type + " " + name + (place.isEmpty() ? "" : " " + place),
                    "node GUID          " + nodeGuid,
                    "system image GUID  " + systemImageGuid,
                    "vendor, device     " + vendorId + ", " + deviceId + ", revision " + revision,
                    "ports              " + ports));
            for (Endport each : endports) {
                lines.add("port " + each.port() + ": GUID " + each.portGuid() + ", LID " + each.lid() + ", LMC "
                        + each.lmc());
            }
            return lines;
        }
    }

    private record LidRange(int first, int last, String portGuid, String type, int port, String name) {}

    private record Lids(List<LidRange> lids) implements Facts {
        @Override
        public List<String> lines() {
            TextTable table = new TextTable("LID", "last", "port GUID", "type", "port", "name");
            lids.forEach(each ->
                    table.row(each.first(), each.last(), each.portGuid(), each.type(), each.port(), each.name()));
            return table.lines();
        }
    }

    private record Names(List<String> names) implements Facts {
        @Override
        public List<String> lines() {
            return names;
        }
    }

    FabricCommands(SmControl control) {
        this.control = control;
    }

    List<Command> commands() {
        return List.of(
                Command.asks(
                        "path SRC DST [LEVEL|both]",
                        "the path between two end ports, hop by hop",
                        this::path,
                        NODE_NAMES.replace("NODE is", "SRC and DST are each"),
                        "LEVEL is the SL wanted, 0 to 15; both shows the VLs of both QoS levels."),
                Command.asks(
                        "port NODE [PORT]",
                        "a port: state, link, addresses, and what it is cabled to",
                        this::port,
                        NODE_NAMES,
                        "PORT is a number; without it, the end port that is named."),
                Command.asks("node NODE", "what a node says of itself", this::node, NODE_NAMES),
                Command.asks(
                        "switch NODE",
                        "the ports of a switch, and how many LIDs it forwards by each",
                        this::oneSwitch,
                        NODE_NAMES),
                Command.asks("switches", "LID, GUID, place and name of each switch", Command.plain(this::switches)),
                Command.asks(
                        "lids [TEXT]", "LIDs of end ports, or of those whose name or GUID contains TEXT", this::lids),
                Command.asks(
                        "names [PREFIX]",
                        "names of nodes and places of switches that begin so, at most " + MAX_NAMES
                                + ", for completion",
                        this::names));
    }

    private Answer path(List<String> arguments) {
        int[] levels = ExplainPath.levels(arguments.size() == 3 ? arguments.get(2) : "0");
        if (arguments.size() < 2 || arguments.size() > 3) {
            throw new UsageException();
        }
        if (levels.length == 0) {
            throw new UsageException("LEVEL is a number from 0 to 15, or both");
        }
        return Answer.from(control.view(), view -> {
            ExplainPath.Explanation path = new ExplainPath(view).explain(arguments.get(0), arguments.get(1), levels);
            boolean areKnown = path.from() != null && path.to() != null;
            return areKnown ? new Answer(path, path.isGood()) : Answer.bad(String.join("; ", path.notes()));
        });
    }

    private Answer port(List<String> arguments) {
        if (arguments.isEmpty() || arguments.size() > 2) {
            throw new UsageException();
        }
        if (arguments.size() == 2 && !arguments.get(1).matches("\\d{1,3}")) {
            throw new UsageException("PORT is a number");
        }
        return Answer.from(control.view(), view -> {
            Fabric fabric = view.subnet().fabric();
            if (arguments.size() == 1) {
                EndportNames.Found found = names(view).find(arguments.get(0));
                return found.lid() == 0
                        ? Answer.bad(found.problem())
                        : Answer.of(PortFacts.of(view, view.subnet().portOfLid(found.lid())));
            }
            EndportNames.Node found = names(view).node(arguments.get(0));
            int portNum = Integer.parseInt(arguments.get(1));
            if (found.node() == Fabric.NONE) {
                return Answer.bad(found.problem());
            }
            return portNum > fabric.numPorts(found.node()) || portNum == 0 && !fabric.isSwitch(found.node())
                    ? Answer.bad(PortFacts.name(fabric, found.node()) + " has no port " + portNum + ", only "
                            + fabric.numPorts(found.node()))
                    : Answer.of(PortFacts.of(view, fabric.port(found.node(), portNum)));
        });
    }

    private Answer node(List<String> arguments) {
        if (arguments.size() != 1) {
            throw new UsageException();
        }
        return Answer.from(control.view(), view -> {
            EndportNames.Node found = names(view).node(arguments.get(0));
            return found.node() == Fabric.NONE ? Answer.bad(found.problem()) : Answer.of(node(view, found.node()));
        });
    }

    private static Node node(PublishedView view, int node) {
        Fabric fabric = view.subnet().fabric();
        NodeInfo info = fabric.node(node).info();
        List<Endport> endports = new ArrayList<>();
        for (int portNum = 0; portNum <= fabric.numPorts(node); portNum++) {
            int port = fabric.port(node, portNum);
            if (fabric.isEndport(port)) {
                endports.add(new Endport(
                        portNum,
                        Guid.format(fabric.portGuid(port)),
                        view.subnet().lid(port),
                        view.subnet().lmc(port)));
            }
        }
        return new Node(
                PortFacts.name(fabric, node),
                type(info),
                Guid.format(info.nodeGuid()),
                Guid.format(info.systemImageGuid()),
                hex(info.get(NodeInfo.VENDOR_ID), 6),
                hex(info.get(NodeInfo.DEVICE_ID), 4),
                hex(info.get(NodeInfo.REVISION), 8),
                fabric.numPorts(node),
                PortFacts.place(view, node),
                endports);
    }

    private Answer oneSwitch(List<String> arguments) {
        if (arguments.size() != 1) {
            throw new UsageException();
        }
        return Answer.from(control.view(), view -> {
            Fabric fabric = view.subnet().fabric();
            EndportNames.Node found = names(view).node(arguments.get(0));
            if (found.node() == Fabric.NONE) {
                return Answer.bad(found.problem());
            }
            return fabric.isSwitch(found.node())
                    ? Answer.of(switchFacts(view, found.node()))
                    : Answer.bad(PortFacts.name(fabric, found.node()) + " is no switch; see node or port");
        });
    }

    private static SwitchFacts switchFacts(PublishedView view, int sw) {
        Fabric fabric = view.subnet().fabric();
        int[] routes = new int[NO_PATH + 1];
        byte[] lft = view.plan().lft(sw);
        for (int lid = 1; lid < lft.length; lid++) {
            routes[lft[lid] & 0xff] += view.subnet().portOfLid(lid) == Fabric.NONE ? 0 : 1;
        }
        List<SwitchPort> ports = new ArrayList<>();
        for (int portNum = 0; portNum <= fabric.numPorts(sw); portNum++) {
            ports.add(new SwitchPort(PortFacts.of(view, fabric.port(sw, portNum)), routes[portNum]));
        }
        return new SwitchFacts(
                PortFacts.name(fabric, sw),
                Guid.format(fabric.nodeGuid(sw)),
                view.plan().coordinates(sw),
                view.subnet().lid(fabric.port(sw, 0)),
                ports);
    }

    private Answer switches() {
        return Answer.from(control.view(), view -> {
            Fabric fabric = view.subnet().fabric();
            List<Switch> switches = new ArrayList<>(fabric.switchCount());
            for (int sw = 0; sw < fabric.switchCount(); sw++) {
                switches.add(new Switch(
                        view.subnet().lid(fabric.port(sw, 0)),
                        Guid.format(fabric.nodeGuid(sw)),
                        view.plan().coordinates(sw),
                        PortFacts.name(fabric, sw)));
            }
            return Answer.of(new Switches(switches));
        });
    }

    private Answer lids(List<String> arguments) {
        if (arguments.size() > 1) {
            throw new UsageException();
        }
        String text = arguments.isEmpty() ? "" : arguments.get(0).toLowerCase(Locale.ROOT);
        return Answer.from(control.view(), view -> {
            Fabric fabric = view.subnet().fabric();
            List<LidRange> lids = new ArrayList<>();
            for (int lid = 1; lid <= view.subnet().topLid(); lid++) {
                LidRange range = range(view, lid);
                if (range != null
                        && (range.name().toLowerCase(Locale.ROOT).contains(text)
                                || range.portGuid().contains(text)
                                || Guid.format(fabric.nodeGuid(
                                                fabric.nodeOf(view.subnet().portOfLid(lid))))
                                        .contains(text))) {
                    lids.add(range);
                }
            }
            return Answer.of(new Lids(lids));
        });
    }

    /** The LIDs of a port, listed at the first of them. */
    private static @Nullable LidRange range(PublishedView view, int lid) {
        int port = view.subnet().portOfLid(lid);
        if (port == Fabric.NONE || view.subnet().lid(port) != lid) {
            return null;
        }
        Fabric fabric = view.subnet().fabric();
        int node = fabric.nodeOf(port);
        return new LidRange(
                lid,
                lid + (1 << view.subnet().lmc(port)) - 1,
                Guid.format(fabric.portGuid(port)),
                type(fabric.node(node).info()),
                fabric.portNum(port),
                PortFacts.name(fabric, node));
    }

    private Answer names(List<String> arguments) {
        if (arguments.size() > 1) {
            throw new UsageException();
        }
        String prefix = arguments.isEmpty() ? "" : arguments.get(0);
        return Answer.from(control.view(), view -> {
            Fabric fabric = view.subnet().fabric();
            TreeSet<String> names = new TreeSet<>();
            for (int node = 0; node < fabric.nodeCount(); node++) {
                String place = PortFacts.place(view, node).replaceAll("[()]", "");
                for (String name : List.of(fabric.node(node).description(), place)) {
                    if (!name.isEmpty() && name.startsWith(prefix) && Printable.is(name)) {
                        names.add(name);
                    }
                }
                while (names.size() > MAX_NAMES) {
                    names.pollLast();
                }
            }
            return Answer.of(new Names(List.copyOf(names)));
        });
    }

    private static EndportNames names(PublishedView view) {
        return new EndportNames(view.subnet(), view.plan());
    }

    private static String type(NodeInfo info) {
        return switch (info.nodeType()) {
            case NodeInfo.SWITCH -> "switch";
            case NodeInfo.ROUTER -> "router";
            default -> "CA";
        };
    }

    private static String hex(long value, int digits) {
        return String.format(Locale.ROOT, "0x%0" + digits + "x", value);
    }
}
