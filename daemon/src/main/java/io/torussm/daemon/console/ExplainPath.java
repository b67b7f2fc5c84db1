package io.torussm.daemon.console;

import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.routing.RoutingPlan;
import io.torussm.subnet.LinkSettings;
import io.torussm.subnet.Subnet;
import io.torussm.view.PublishedView;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Tells a path as a packet would take it through the tables that were programmed: switch, ports and VL of each hop. */
public final class ExplainPath {
    private static final int NO_PATH = 0xff;

    private final PublishedView view;
    private final Subnet subnet;
    private final Fabric fabric;
    private final RoutingPlan plan;
    private final EndportNames names;

    /**
     * A path, or why there is none.
     *
     * @param lines for people
     * @param isGood whether the packet arrives
     */
    public record Explanation(List<String> lines, boolean isGood) {
        public Explanation {
            lines = List.copyOf(lines);
        }
    }

    public ExplainPath(PublishedView view) {
        this.view = view;
        this.subnet = view.subnet();
        this.fabric = subnet.fabric();
        this.plan = view.plan();
        this.names = new EndportNames(subnet);
    }

    /**
     * Explains a pair.
     *
     * @param pair {@code SRC,DST}; a name that contains commas is split at every place until both halves are known
     */
    public static Explanation ofPair(PublishedView view, String pair) {
        ExplainPath explain = new ExplainPath(view);
        int first = pair.indexOf(',');
        if (first < 0) {
            return new Explanation(List.of("\"" + Printable.text(pair, 64) + "\" is not SRC,DST"), false);
        }
        for (int comma = first; comma >= 0; comma = pair.indexOf(',', comma + 1)) {
            String source = pair.substring(0, comma);
            String destination = pair.substring(comma + 1);
            if (explain.names.find(source).lid() != 0
                    && explain.names.find(destination).lid() != 0) {
                return explain.explain(source, destination, 0);
            }
        }
        return explain.explain(pair.substring(0, first), pair.substring(first + 1), 0);
    }

    /**
     * Explains the path between two end ports.
     *
     * @param source node description, GUID or LID
     * @param destination likewise
     * @param level SL wanted, 0 to 15; the engine decides what it means
     */
    public Explanation explain(String source, String destination, int level) {
        EndportNames.Found from = names.find(source);
        EndportNames.Found to = names.find(destination);
        List<String> lines = new ArrayList<>();
        for (EndportNames.Found each : List.of(from, to)) {
            if (each.lid() == 0) {
                lines.add(each.problem());
            }
        }
        return lines.isEmpty() ? explain(from.lid(), to.lid(), level) : new Explanation(lines, false);
    }

    private Explanation explain(int srcLid, int dstLid, int level) {
        int source = subnet.portOfLid(srcLid);
        int destination = subnet.portOfLid(dstLid);
        List<String> lines = new ArrayList<>();
        if (source == destination) {
            lines.add(endport(srcLid) + " is both ends; packets to itself do not leave the port");
            return new Explanation(lines, true);
        }
        int sl = plan.pathSl(srcLid, dstLid, level);
        lines.add("from " + endport(srcLid));
        lines.add("to   " + endport(dstLid));
        if (sl < 0) {
            lines.add(plan.engine() + " has no path for this pair");
            return new Explanation(lines, false);
        }
        lines.add("SL   " + sl + " (level wanted: " + level + "), routed by " + plan.engine()
                + (view.qos() ? "" : "; QoS tables are not programmed, VLs are the devices' own choice"));
        return walk(source, destination, dstLid, sl, lines);
    }

    private Explanation walk(int source, int destination, int dstLid, int sl, List<String> lines) {
        int out = source;
        int in;
        if (!fabric.isSwitch(fabric.nodeOf(source))) {
            lines.add(hop(
                    lines, fabric.nodeOf(source), "", "port " + fabric.portNum(source), plan.sl2vl(source), sl, out));
            in = fabric.peer(source);
        } else {
            in = source;
        }
        for (int hops = 0; hops <= fabric.switchCount(); hops++) {
            if (in == Fabric.NONE) {
                return lost(lines, fabric.portName(out) + " has no link");
            }
            int node = fabric.nodeOf(in);
            if (in == destination || fabric.isSwitch(node) && node == fabric.nodeOf(destination)) {
                lines.add("  arrives at \"" + name(node) + "\", after " + hops + (hops == 1 ? " switch" : " switches"));
                return new Explanation(lines, true);
            }
            if (!fabric.isSwitch(node)) {
                return lost(lines, "the packet ends up at " + fabric.name(node));
            }
            int outNum = plan.lft(node)[dstLid] & 0xff;
            if (outNum == NO_PATH || outNum == 0 || outNum > fabric.numPorts(node)) {
                return lost(lines, fabric.name(node) + " " + plan.place(node) + " has no port for LID " + dstLid);
            }
            out = fabric.port(node, outNum);
            String ports = String.format("in %2d  out %2d", fabric.portNum(in), outNum);
            lines.add(hop(lines, node, plan.place(node), ports, plan.sl2vl(node, fabric.portNum(in), outNum), sl, out));
            in = fabric.peer(out);
        }
        return lost(lines, "the packet goes in circles");
    }

    private static Explanation lost(List<String> lines, String why) {
        lines.add("LOST: " + why);
        return new Explanation(lines, false);
    }

    private String hop(List<String> lines, int node, String place, String ports, long sl2vl, int sl, int out) {
        PortInfo info = fabric.portInfo(out);
        int vlCode = info == null ? 1 : info.operationalVls();
        String vl = view.qos() ? Integer.toString(LinkSettings.foldVl(SlToVlMappingTable.vl(sl2vl, sl), vlCode)) : "?";
        return String.format(
                Locale.ROOT, "  %2d  %-24s %-12s %-16s VL %s", lines.size() - 3, name(node), place, ports, vl);
    }

    private String endport(int lid) {
        int port = subnet.portOfLid(lid);
        return "\"" + name(fabric.nodeOf(port)) + "\" port " + fabric.portNum(port) + ", LID " + lid + ", GUID "
                + Guid.format(fabric.portGuid(port));
    }

    private String name(int node) {
        return Printable.text(fabric.node(node).description(), 64);
    }
}
