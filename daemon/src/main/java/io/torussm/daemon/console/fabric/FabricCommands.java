package io.torussm.daemon.console.fabric;

import io.torussm.daemon.console.answer.Answer;
import io.torussm.daemon.console.answer.Command;
import io.torussm.daemon.console.answer.EndportNames;
import io.torussm.daemon.console.answer.Facts;
import io.torussm.daemon.console.answer.PortFacts;
import io.torussm.daemon.console.answer.Printable;
import io.torussm.daemon.console.answer.TextTable;
import io.torussm.daemon.console.answer.UsageException;
import io.torussm.daemon.control.SmControl;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.names.SiteMap.Site;
import io.torussm.view.FabricState;
import io.torussm.view.PlacedSubnet;
import io.torussm.view.PublishedView;
import io.torussm.vport.VPortTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The commands about nodes, ports, addresses and paths. */
public final class FabricCommands {
    private static final String NODE_NAMES =
            "NODE is a name (in quotes if it has blanks), a GUID, a LID," + " or the place of a switch, x,y,z.";
    private static final int MAX_NAMES = 100;

    /** Max time that {@code path} waits for the verdicts on hosts that use its SL on all connections, in ms. */
    private static final long SL_VERDICTS_TIMEOUT_MS = 10_000;

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

    private record SwitchFacts(
            String name,
            String guid,
            String place,
            @Nullable Site site,
            int lid,
            List<SwitchPort> ports) implements Facts {
        @Override
        public List<String> lines() {
            List<String> lines = new ArrayList<>();
            lines.add((name + " " + place).strip() + ", GUID " + guid + ", LID " + lid
                    + (site == null ? "" : ", " + site));
            TextTable table = new TextTable("port", "dir", "state", "link", "MTU", "VLs", "LIDs", "leads to");
            for (SwitchPort each : ports) {
                PortFacts port = each.port();
                PortFacts.Peer peer = port.peer();
                table.row(
                        port.port(),
                        port.direction(),
                        port.state() == null ? "?" : port.state(),
                        peer == null ? "" : port.link(),
                        peer == null ? "" : port.mtu(),
                        peer == null ? "" : port.vls(),
                        each.routes(),
                        peer != null ? peer.toString() : port.led() == null ? "" : "led to " + port.led());
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
            @Nullable Site site,
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
            if (site != null) {
                lines.add("stands in          " + site);
            }
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

    public FabricCommands(SmControl control) {
        this.control = control;
    }

    public List<Command> commands() {
        return List.of(
                Command.query(
                        "path SRC DST [LEVEL|both]",
                        "the path between two end ports, hop by hop",
                        this::path,
                        NODE_NAMES.replace("NODE is", "SRC and DST are each"),
                        "LEVEL is the SL wanted, 0 to 15; both shows the VLs of both QoS levels."),
                Command.query(
                        "port NODE [PORT]",
                        "a port: state, link, addresses, virtual ports, and the other end of its cable",
                        this::port,
                        NODE_NAMES,
                        "PORT is a number; without it, the end port that is named."),
                Command.query("node NODE", "the NodeInfo of a node", this::node, NODE_NAMES),
                Command.query(
                        "switch NODE",
                        "the ports of a switch, and how many LIDs it forwards by each",
                        this::oneSwitch,
                        NODE_NAMES),
                Command.query(
                        "switches",
                        "LID, GUID, place and name of each switch",
                        Command.withoutArguments(this::switches)),
                Command.query(
                        "lids [TEXT]", "LIDs of end ports, or of those whose name or GUID contains TEXT", this::lids),
                Command.query(
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
        FabricState state = control.state();
        return Answer.ofActiveSubnet(state, view -> {
            ExplainPath.Explanation path = new ExplainPath(view, state, control.slVerdicts(SL_VERDICTS_TIMEOUT_MS))
                    .explain(arguments.get(0), arguments.get(1), levels);
            boolean areKnown = path.from() != null && path.to() != null;
            return areKnown ? new Answer(path, path.isGood()) : Answer.refusal(String.join("; ", path.notes()));
        });
    }

    private Answer port(List<String> arguments) {
        if (arguments.isEmpty() || arguments.size() > 2) {
            throw new UsageException();
        }
        if (arguments.size() == 2 && !arguments.get(1).matches("\\d{1,3}")) {
            throw new UsageException("PORT is a number");
        }
        FabricState state = control.state();
        return Answer.ofDiscoveredSubnet(state, placed -> {
            Fabric fabric = placed.fabric();
            if (arguments.size() == 1) {
                EndportNames.EndportMatch found = new EndportNames(placed).find(arguments.get(0));
                return found.lid() == 0
                        ? absent(state, arguments.get(0), found.problem())
                        : Answer.of(
                                PortFacts.of(state, placed, placed.subnet().portOfLid(found.lid()), control.vports()));
            }
            EndportNames.Node found = new EndportNames(placed).node(arguments.get(0));
            int portNum = Integer.parseInt(arguments.get(1));
            if (found.node() == Fabric.NONE) {
                return absent(state, arguments.get(0), found.problem());
            }
            return portNum > fabric.numPorts(found.node()) || (portNum == 0 && !fabric.isSwitch(found.node()))
                    ? Answer.refusal(PortFacts.name(fabric, found.node()) + " has no port " + portNum + ", only "
                            + fabric.numPorts(found.node()))
                    : Answer.of(PortFacts.of(state, placed, fabric.port(found.node(), portNum), control.vports()));
        });
    }

    /**
     * Returns the answer for a name that no present device has. If an absent device has the name, the answer describes
     * that device.
     */
    private static Answer absent(FabricState state, String name, String problem) {
        return Answer.refusal(AbsentCommand.find(state, name).orElse(problem));
    }

    private Answer node(List<String> arguments) {
        if (arguments.size() != 1) {
            throw new UsageException();
        }
        FabricState state = control.state();
        return Answer.ofDiscoveredSubnet(state, placed -> {
            EndportNames.Node found = new EndportNames(placed).node(arguments.get(0));
            return found.node() == Fabric.NONE
                    ? absent(state, arguments.get(0), found.problem())
                    : Answer.of(node(placed, found.node()));
        });
    }

    private static Node node(PlacedSubnet placed, int node) {
        Fabric fabric = placed.fabric();
        NodeInfo info = fabric.node(node).info();
        List<Endport> endports = new ArrayList<>();
        for (int portNum = 0; portNum <= fabric.numPorts(node); portNum++) {
            int port = fabric.port(node, portNum);
            if (fabric.isEndport(port)) {
                endports.add(new Endport(
                        portNum,
                        Guid.format(fabric.portGuid(port)),
                        placed.subnet().lid(port),
                        placed.subnet().lmc(port)));
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
                placed.place(node),
                PortFacts.site(placed, node),
                endports);
    }

    private Answer oneSwitch(List<String> arguments) {
        if (arguments.size() != 1) {
            throw new UsageException();
        }
        FabricState state = control.state();
        return Answer.ofDiscoveredSubnet(state, placed -> {
            Fabric fabric = placed.fabric();
            EndportNames.Node found = new EndportNames(placed).node(arguments.get(0));
            if (found.node() == Fabric.NONE) {
                return absent(state, arguments.get(0), found.problem());
            }
            return fabric.isSwitch(found.node())
                    ? Answer.of(switchFacts(state, placed, found.node()))
                    : Answer.refusal(PortFacts.name(fabric, found.node()) + " is no switch; see node or port");
        });
    }

    private static SwitchFacts switchFacts(FabricState state, PlacedSubnet placed, int sw) {
        Fabric fabric = placed.fabric();
        PublishedView view = state.view();
        int activeNode = view == null ? Fabric.NONE : view.subnet().fabric().nodeByGuid(fabric.nodeGuid(sw));
        int[] routes = view == null || activeNode == Fabric.NONE ? null : PortFacts.lidsBy(view, activeNode);
        List<SwitchPort> ports = new ArrayList<>();
        for (int portNum = 0; portNum <= fabric.numPorts(sw); portNum++) {
            PortFacts facts = PortFacts.of(state, placed, fabric.port(sw, portNum), VPortTable.NONE);
            ports.add(new SwitchPort(facts, routes == null ? 0 : routes[portNum]));
        }
        return new SwitchFacts(
                PortFacts.name(fabric, sw),
                Guid.format(fabric.nodeGuid(sw)),
                placed.place(sw),
                PortFacts.site(placed, sw),
                placed.subnet().lid(fabric.port(sw, 0)),
                ports);
    }

    private Answer switches() {
        return Answer.ofDiscoveredSubnet(control.state(), placed -> {
            Fabric fabric = placed.fabric();
            List<Switch> switches = new ArrayList<>(fabric.switchCount());
            for (int sw = 0; sw < fabric.switchCount(); sw++) {
                switches.add(new Switch(
                        placed.subnet().lid(fabric.port(sw, 0)),
                        Guid.format(fabric.nodeGuid(sw)),
                        placed.place(sw),
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
        return Answer.ofDiscoveredSubnet(control.state(), placed -> {
            Fabric fabric = placed.fabric();
            List<LidRange> lids = new ArrayList<>();
            for (int lid = 1; lid <= placed.subnet().topLid(); lid++) {
                LidRange range = range(placed, lid);
                if (range != null
                        && (range.name().toLowerCase(Locale.ROOT).contains(text)
                                || range.portGuid().contains(text)
                                || Guid.format(fabric.nodeGuid(
                                                fabric.nodeOf(placed.subnet().portOfLid(lid))))
                                        .contains(text))) {
                    lids.add(range);
                }
            }
            return Answer.of(new Lids(lids));
        });
    }

    /** Returns the LIDs of a port; null unless the given LID is the first LID of a port. */
    private static @Nullable LidRange range(PlacedSubnet placed, int lid) {
        int port = placed.subnet().portOfLid(lid);
        if (port == Fabric.NONE || placed.subnet().lid(port) != lid) {
            return null;
        }
        Fabric fabric = placed.fabric();
        int node = fabric.nodeOf(port);
        return new LidRange(
                lid,
                lid + (1 << placed.subnet().lmc(port)) - 1,
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
        return Answer.ofDiscoveredSubnet(control.state(), placed -> {
            Fabric fabric = placed.fabric();
            TreeSet<String> names = new TreeSet<>();
            for (int node = 0; node < fabric.nodeCount(); node++) {
                String place = placed.place(node).replaceAll("[()]", "");
                for (String name : List.of(fabric.nodeName(node), place)) {
                    if (!name.isEmpty() && name.startsWith(prefix) && Printable.isPrintable(name)) {
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
