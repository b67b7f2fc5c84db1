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
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Tells a path as a packet would take it through the tables that were programmed: switch, ports and VL of each hop, and
 * the engine's reasons.
 */
public final class ExplainPath {
    private static final int NO_PATH = 0xff;
    private static final int SECOND_LEVEL = 8;

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
        this.names = new EndportNames(subnet, plan);
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
     * The levels that a word names: one wanted SL, 0 to 15, or {@code both} QoS levels.
     *
     * @return empty if it names none
     */
    public static int[] levels(String word) {
        if (word.equals("both")) {
            return new int[] {0, SECOND_LEVEL};
        }
        return word.matches("[0-9]|1[0-5]") ? new int[] {Integer.parseInt(word)} : new int[0];
    }

    /**
     * Explains the path between two end ports.
     *
     * @param source node description, GUID, LID, or place of a switch as {@code x,y,z} or {@code (x,y,z)}
     * @param destination likewise
     * @param levels SLs wanted, 0 to 15 each and at least one; the engine decides what they mean
     */
    public Explanation explain(String source, String destination, int... levels) {
        EndportNames.Found from = names.find(source);
        EndportNames.Found to = names.find(destination);
        List<String> lines = new ArrayList<>();
        for (EndportNames.Found each : List.of(from, to)) {
            if (each.lid() == 0) {
                lines.add(each.problem());
            }
        }
        return lines.isEmpty() ? explain(from.lid(), to.lid(), levels) : new Explanation(lines, false);
    }

    private Explanation explain(int srcLid, int dstLid, int[] levels) {
        int source = subnet.portOfLid(srcLid);
        List<String> lines = new ArrayList<>();
        if (source == subnet.portOfLid(dstLid)) {
            lines.add(endport(srcLid) + " is both ends; packets to itself do not leave the port");
            return new Explanation(lines, true);
        }
        lines.add("from " + endport(srcLid));
        lines.add("to   " + endport(dstLid));
        int[] sls = IntStream.of(levels)
                .map(level -> plan.pathSl(srcLid, dstLid, level))
                .toArray();
        if (IntStream.of(sls).anyMatch(sl -> sl < 0)) {
            lines.add(plan.engine() + " has no path for this pair");
            return new Explanation(lines, false);
        }
        String wanted = IntStream.range(0, sls.length)
                .mapToObj(i -> sls[i] + " (level wanted: " + levels[i] + ")")
                .collect(Collectors.joining(" and "));
        lines.add("SL   " + wanted + ", routed by " + plan.engine()
                + (view.qos() ? "" : "; QoS tables are not programmed, VLs are the devices' own choice"));
        HopTable table = new HopTable();
        String lost = walk(source, dstLid, sls, table);
        lines.addAll(table.lines());
        lines.add(
                lost.isEmpty()
                        ? "arrives at \"" + name(fabric.nodeOf(subnet.portOfLid(dstLid))) + "\", after "
                                + table.switches() + (table.switches() == 1 ? " switch" : " switches")
                        : "LOST: " + lost);
        return new Explanation(lines, lost.isEmpty());
    }

    /** Notes each hop; what keeps the packet from arriving, empty if nothing does. */
    private String walk(int source, int dstLid, int[] sls, HopTable table) {
        int destination = subnet.portOfLid(dstLid);
        int out = source;
        int in = source;
        if (!fabric.isSwitch(fabric.nodeOf(source))) {
            String vls = vls(plan.sl2vl(source), sls, out);
            table.addSource(name(fabric.nodeOf(source)), fabric.portNum(source), vls);
            in = fabric.peer(source);
        }
        for (int hops = 0; hops <= fabric.switchCount(); hops++) {
            if (in == Fabric.NONE) {
                return fabric.portName(out) + " has no link";
            }
            int node = fabric.nodeOf(in);
            if (in == destination || fabric.isSwitch(node) && node == fabric.nodeOf(destination)) {
                return "";
            }
            if (!fabric.isSwitch(node)) {
                return "the packet ends up at " + fabric.name(node);
            }
            int outNum = plan.lft(node)[dstLid] & 0xff;
            if (outNum == NO_PATH || outNum == 0 || outNum > fabric.numPorts(node)) {
                return fabric.name(node) + " " + plan.place(node) + " has no port for LID " + dstLid;
            }
            out = fabric.port(node, outNum);
            int inNum = fabric.portNum(in);
            String vls = vls(plan.sl2vl(node, inNum, outNum), sls, out);
            String why = plan.why(node, inNum, outNum, dstLid);
            table.addSwitch(name(node), plan.place(node), inNum, outNum, vls, why);
            in = fabric.peer(out);
        }
        return "the packet goes in circles";
    }

    private String vls(long sl2vl, int[] sls, int out) {
        PortInfo info = fabric.portInfo(out);
        int vlCode = info == null ? 1 : info.operationalVls();
        return view.qos()
                ? IntStream.of(sls)
                        .mapToObj(sl -> Integer.toString(LinkSettings.foldVl(SlToVlMappingTable.vl(sl2vl, sl), vlCode)))
                        .collect(Collectors.joining("/"))
                : "?";
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
