package io.torussm.daemon.console.fabric;

import io.torussm.daemon.console.answer.EndportNames;
import io.torussm.daemon.console.answer.Facts;
import io.torussm.daemon.console.answer.Printable;
import io.torussm.deadlock.sl.SlVerdicts;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.routing.Plan;
import io.torussm.subnet.LinkSettings;
import io.torussm.subnet.Subnet;
import io.torussm.view.FabricState;
import io.torussm.view.LostCable;
import io.torussm.view.PlacedSubnet;
import io.torussm.view.PublishedView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The explanation of a path that a packet takes through the programmed tables: switch, ports and VL of each hop, and
 * the engine's reasons.
 */
public final class ExplainPath {
    private static final int SECOND_LEVEL = 8;
    private static final int MAX_CABLE = 256;
    private static final int MAX_REASON = 512;
    private static final String DEAD_PATH = "this path is dead";

    private final PublishedView view;
    private final FabricState state;
    private final Subnet subnet;
    private final Fabric fabric;
    private final Plan plan;
    private final PlacedSubnet placed;
    private final EndportNames names;
    private final @Nullable SlVerdicts verdicts;

    /**
     * A path, or the reason why there is none.
     *
     * @param from source; null if unknown
     * @param to destination; null if unknown
     * @param levels SLs of the path, one for each requested level
     * @param engine engine of the routes
     * @param isQosProgrammed true if the SM programmed the VLs
     * @param hops hops in order
     * @param notes remarks: the arrival or loss of the packet, or the reason why there is no path
     * @param isGood true if the packet arrives
     */
    public record Explanation(
            @Nullable End from,
            @Nullable End to,
            List<Level> levels,
            String engine,
            boolean isQosProgrammed,
            List<HopTable.Hop> hops,
            List<String> notes,
            boolean isGood)
            implements Facts {
        public Explanation {
            levels = List.copyOf(levels);
            hops = List.copyOf(hops);
            notes = List.copyOf(notes);
        }

        /** Returns the lines for people. */
        @Override
        public List<String> lines() {
            List<String> lines = new ArrayList<>();
            if (from != null && to != null) {
                lines.add("from " + from.text());
                lines.add("to   " + to.text());
            }
            if (!levels.isEmpty()) {
                lines.add("SL   "
                        + levels.stream()
                                .map(level -> level.sl() + " (level wanted: " + level.wanted() + ")")
                                .collect(Collectors.joining(" and "))
                        + ", routed by " + engine
                        + (isQosProgrammed ? "" : "; QoS is off, devices keep their own SL2VL tables (SL 0: VL 0)"));
                lines.addAll(new HopTable(hops).lines());
            }
            lines.addAll(notes);
            return lines;
        }
    }

    /**
     * An end of a path.
     *
     * @param name node name
     * @param port port number
     * @param lid LID of the packet at this end
     * @param portGuid PortGUID, as text
     */
    public record End(String name, int port, int lid, String portGuid) {
        String text() {
            return "\"" + name + "\" port " + port + ", LID " + lid + ", GUID " + portGuid;
        }
    }

    /** The SL that a path has for a requested QoS level, 0 to 15. */
    public record Level(int wanted, int sl) {}

    /** Creates an explanation of paths as a packet takes them if all cables are as in the view. */
    public ExplainPath(PublishedView view) {
        this(view, FabricState.of(view, Instant.EPOCH), null);
    }

    /**
     * Creates an explanation of paths in the current state.
     *
     * @param view view of the active subnet
     * @param state state with that view and the last discovery, which shows dead cables
     * @param verdicts verdicts for hosts that do not follow path records; null if unknown
     */
    public ExplainPath(PublishedView view, FabricState state, @Nullable SlVerdicts verdicts) {
        this.view = view;
        this.state = state;
        this.subnet = view.subnet();
        this.fabric = subnet.fabric();
        this.plan = view.plan();
        this.placed = state.placed(view);
        this.names = new EndportNames(placed);
        this.verdicts = verdicts;
    }

    /**
     * Explains the path of a pair at level 0.
     *
     * @param pair {@code SRC,DST}; if names contain commas, each comma is tried until both halves are known names
     */
    public static Explanation ofPair(PublishedView view, String pair) {
        ExplainPath explain = new ExplainPath(view);
        int first = pair.indexOf(',');
        if (first < 0) {
            return explain.notes(List.of("\"" + Printable.text(pair, 64) + "\" is not SRC,DST"), false);
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
     * Returns the levels that a word names: one wanted SL, 0 to 15, or {@code both} QoS levels.
     *
     * @return levels; empty if the word is neither a level nor {@code both}
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
     * @param source node name, GUID, LID, or coordinates of a switch as {@code x,y,z} or {@code (x,y,z)}
     * @param destination node name, GUID, LID or coordinates, in the same forms as for the source
     * @param levels requested SLs, 0 to 15 each and at least one; the engine interprets them
     */
    public Explanation explain(String source, String destination, int... levels) {
        EndportNames.EndportMatch from = names.find(source);
        EndportNames.EndportMatch to = names.find(destination);
        List<String> lines = new ArrayList<>();
        for (Map.Entry<String, EndportNames.EndportMatch> each :
                List.of(Map.entry(source, from), Map.entry(destination, to))) {
            if (each.getValue().lid() == 0) {
                lines.add(AbsentCommand.find(state, each.getKey())
                        .orElse(each.getValue().problem()));
            }
        }
        return lines.isEmpty() ? explain(from.lid(), to.lid(), levels) : notes(lines, false);
    }

    /** Returns an explanation without hops. */
    private Explanation notes(List<String> notes, boolean isGood) {
        return new Explanation(null, null, List.of(), plan.engine(), view.qos(), List.of(), notes, isGood);
    }

    /**
     * Explains the path between two end ports.
     *
     * @param srcLid LID of an end port
     * @param dstLid LID of an end port
     * @param wanted requested SLs, 0 to 15 each and at least one
     */
    public Explanation explain(int srcLid, int dstLid, int... wanted) {
        int source = subnet.portOfLid(srcLid);
        End from = endport(srcLid);
        End to = endport(dstLid);
        if (source == subnet.portOfLid(dstLid)) {
            return notes(List.of(from.text() + " is both ends; packets to itself do not leave the port"), true);
        }
        List<Level> levels = IntStream.of(wanted)
                .mapToObj(level -> new Level(level, plan.pathSl(srcLid, dstLid, level)))
                .toList();
        if (levels.stream().anyMatch(level -> level.sl() < 0)) {
            String dead = addHops(source, dstLid, new int[0], new ArrayList<>());
            String note = dead.startsWith(DEAD_PATH) ? dead : plan.engine() + " has no path for this pair";
            return new Explanation(from, to, List.of(), plan.engine(), view.qos(), List.of(), List.of(note), false);
        }
        int[] sls = levels.stream().mapToInt(Level::sl).toArray();
        List<HopTable.Hop> hops = new ArrayList<>();
        String lost = addHops(source, dstLid, sls, hops);
        long switches = hops.stream().filter(hop -> hop.hop() > 0).count();
        String end = lost.isEmpty()
                ? "arrives at \"" + to.name() + "\", after " + switches + (switches == 1 ? " switch" : " switches")
                : (lost.startsWith(DEAD_PATH) ? "" : "LOST: ") + lost;
        List<String> notes = new ArrayList<>(List.of(end));
        plan.degradation()
                .ifPresent(facts -> notes.add("completed by the last resort, since " + plan.engine() + " refused: "
                        + Printable.text(facts.reason(), MAX_REASON)));
        if (verdicts != null && !isOfSwitch(source) && !isOfSwitch(subnet.portOfLid(dstLid))) {
            IntStream.of(wanted)
                    .forEach(sl -> notes.add(
                            "with SL " + sl + " on all connections of all hosts, independently of path records"
                                    + " (NCCL_IB_SL, UCX_IB_SL): " + verdicts.verdictForSl(sl)));
        }
        return new Explanation(from, to, levels, plan.engine(), view.qos(), hops, notes, lost.isEmpty());
    }

    private boolean isOfSwitch(int port) {
        return fabric.isSwitch(fabric.nodeOf(port));
    }

    /**
     * Adds the hops of a packet to a list.
     *
     * @param source port index of the source
     * @param taken list that receives the hops
     * @return reason why the packet is lost; empty if it arrives
     */
    private String addHops(int source, int dstLid, int[] sls, List<HopTable.Hop> taken) {
        int destination = subnet.portOfLid(dstLid);
        int outPort = source;
        int inPort = source;
        if (!fabric.isSwitch(fabric.nodeOf(source))) {
            List<Integer> vls = vls(plan.sl2vl(source), sls, outPort);
            int node = fabric.nodeOf(source);
            taken.add(HopTable.Hop.source(
                    name(node), guid(node), site(node), fabric.portNum(source), cable(source), vls));
            if (state.isCableAbsent(source)) {
                return deadReason(source);
            }
            inPort = fabric.peer(source);
        }
        for (int hops = 0; hops <= fabric.switchCount(); hops++) {
            if (inPort == Fabric.NONE) {
                return fabric.portName(outPort) + " has no link";
            }
            int node = fabric.nodeOf(inPort);
            if (inPort == destination || (fabric.isSwitch(node) && node == fabric.nodeOf(destination))) {
                return "";
            }
            if (!fabric.isSwitch(node)) {
                return "the packet ends up at " + fabric.name(node);
            }
            int outNum = plan.lft(node)[dstLid] & 0xff;
            if (outNum == LinearForwardingTable.NO_PATH || outNum == 0 || outNum > fabric.numPorts(node)) {
                return fabric.name(node) + " " + placed.place(node) + " has no port for LID " + dstLid;
            }
            outPort = fabric.port(node, outNum);
            int inNum = fabric.portNum(inPort);
            List<Integer> vls = vls(plan.sl2vl(node, inNum, outNum), sls, outPort);
            String reason = plan.explainHop(node, inNum, outNum, dstLid);
            taken.add(new HopTable.Hop(
                    hops + 1,
                    name(node),
                    guid(node),
                    placed.place(node),
                    site(node),
                    inNum,
                    outNum,
                    cable(outPort),
                    vls,
                    reason));
            if (state.isCableAbsent(outPort)) {
                return deadReason(outPort);
            }
            inPort = fabric.peer(outPort);
        }
        return "the packet goes in circles";
    }

    /** Returns the reason why no packet passes the cable at a port that the last discovery did not find. */
    private String deadReason(int port) {
        LostCable lost = state.absences().lostCable(placed, port);
        Instant since = lost == null ? null : lost.since();
        String cable = lost == null
                ? "at " + fabric.portName(port)
                : "from " + lost.near().text() + " to " + lost.far().text();
        return DEAD_PATH + (since == null ? "" : " since " + since) + ": the cable " + Printable.text(cable, MAX_CABLE)
                + " is not found any more; the routes are those of sweep " + view.sweep() + ", routing is "
                + state.routing() + " since " + state.since() + " (see status)";
    }

    /**
     * Returns the VLs of SLs behind a port. If SL2VL tables are not programmed, only SL 0 has a known VL, VL 0; with
     * any other SL the list is empty.
     */
    private List<Integer> vls(long sl2vl, int[] sls, int outPort) {
        if (!view.qos() && IntStream.of(sls).anyMatch(sl -> sl != 0)) {
            return List.of();
        }
        PortInfo info = fabric.portInfo(outPort);
        int vlCode = info == null ? 1 : info.operationalVls();
        return IntStream.of(sls)
                .map(sl -> view.qos() ? LinkSettings.foldVl(SlToVlMappingTable.vl(sl2vl, sl), vlCode) : 0)
                .boxed()
                .toList();
    }

    private End endport(int lid) {
        int port = subnet.portOfLid(lid);
        return new End(name(fabric.nodeOf(port)), fabric.portNum(port), lid, Guid.format(fabric.portGuid(port)));
    }

    private String site(int node) {
        return Printable.text(placed.site(node).toString(), MAX_CABLE);
    }

    private String cable(int port) {
        return Printable.text(fabric.cableLabel(port), 64);
    }

    private String guid(int node) {
        return Guid.format(fabric.nodeGuid(node));
    }

    private String name(int node) {
        return Printable.text(fabric.nodeName(node), 64);
    }
}
