package io.torussm.daemon;

import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.sa.PathRecord;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.multicast.MulticastGroup;
import io.torussm.sa.SubnetAdministrator;
import io.torussm.sim.topology.Topology;
import io.torussm.transport.MadFrame;
import io.torussm.view.PublishedView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What must hold in a storm, at every moment or whenever an SM is at rest, and what must never change. */
final class StormChecks implements StormSm.Watch {
    /** Of an SL of torus-2QoS. */
    private static final int UPPER_LEVEL = 8;

    /** A look at more costs more, so there are fewer. */
    private static final int USUAL_SWITCHES = 64;

    private static final byte NO_SL = -1;

    private final StormStory story;
    private final StormFabric fabric;
    private final int lmc;
    private final List<Topology.Node> nodes;

    /** LIDs by node, each as it was first; 0 of those that never had one. */
    private final int[] lids;

    /** SLs by source (of hosts) and destination node, each as it was first; {@link #NO_SL} before. */
    private final byte[][] sls;

    /** Whose view was judged last, and of which sweep it was. */
    private @Nullable FabricSm judgedSm;

    private long judgedSweep;

    /** Tables of all switches at the end of the sweep before, by GUID; none of those that lost power since. */
    private final Map<Long, FabricJudge.Tables> before = new HashMap<>();

    /** How many SLs are known. */
    private int granted;

    /** What was seen when there was no credit loop, and when nothing was missing: the same need not be judged again. */
    private Object[] loopFree = {};

    private Object[] complete = {};

    /** Checks that hosts reach each switch. On a tree, a leaf may have no path up and then down to a spine. */
    boolean areSwitchesServed = true;

    /** Sets of tables until the next glance. */
    private int setsToGlance;

    /**
     * Knows no LID yet.
     *
     * @param lmc of hosts
     */
    StormChecks(StormStory story, StormFabric fabric, int lmc) {
        this.story = story;
        this.fabric = fabric;
        this.lmc = lmc;
        nodes = fabric.topology.nodes();
        lids = new int[nodes.size()];
        sls = new byte[nodes.size()][0];
        for (int node = 0; node < sls.length; node++) {
            sls[node] = new byte[nodes.get(node).isSwitch() ? 0 : nodes.size()];
            Arrays.fill(sls[node], NO_SL);
        }
    }

    /** A switch has lost its tables. */
    void forget(long nodeGuid) {
        before.remove(nodeGuid);
    }

    /** Nobody knows any more who wrote what. */
    void forgetAll() {
        before.clear();
    }

    /** The next SM knows nothing, and nobody knows what the last one wrote. */
    @Override
    public void smIsGone() {
        forgetAll();
    }

    /**
     * Counts a sweep, and looks whether one that was refused changed the forwarding table of a switch that held anything. Rows of a
     * port whose direction an SM that has just started does not know are another matter.
     */
    @Override
    public void sweepEnded(FabricSm of, String how) {
        if (how.startsWith("refused")) {
            story.tally.refusals++;
            story.check(how.length() > "refused: []".length() + 10, "a refusal without a reason");
            for (Topology.Node sw : fabric.switches) {
                FabricJudge.Tables now = FabricJudge.Tables.of(sw, fabric.devices);
                FabricJudge.Tables then = before.getOrDefault(sw.nodeGuid(), now);
                FabricJudge.Tables lft = new FabricJudge.Tables(then.name(), then.lft(), now.rows());
                String difference = then.lft().length == 0 ? "" : now.differenceFrom(lft, Set.of());
                story.check(difference.isEmpty(), "a refused sweep wrote: " + difference);
            }
        } else if (how.equals("up")) {
            story.tally.sweeps++;
        } else {
            story.tally.failedSweeps++;
            story.check(!how.contains("internal error"), how);
            before.clear(); // the next sweep may have to set right what this one began
            return;
        }
        for (Topology.Node sw : fabric.switches) {
            before.put(sw.nodeGuid(), FabricJudge.Tables.of(sw, fabric.devices));
        }
    }

    /** What holds at every moment, whatever happens: no credit loop on SLs that were granted, every LID as it was. */
    void look(@Nullable FabricSm now) {
        story.tally.looks++;
        FabricJudge judge = judge();
        readLids(judge);
        story.check(judge.doubleLid().isEmpty(), judge.doubleLid());
        if (now != null && now.sweeper.isResting() && fabric.switches.size() <= USUAL_SWITCHES) {
            readSls(now);
        }
        Object[] seen = {granted, judge.state(mlids(now))};
        if (Arrays.deepEquals(seen, loopFree)) {
            return;
        }
        sendAll(judge);
        for (int mlid : mlids(now)) {
            for (Topology.Node host : fabric.hosts) {
                judge.spread(host.index(), mlid, 0);
            }
        }
        String loopFound = judge.creditLoop();
        story.check(loopFound.isEmpty(), loopFound);
        loopFree = seen;
    }

    /** Looks for credit loops while tables are written, now and then. */
    @Override
    public void glance(byte[] mad) {
        int attribute = MadHeader.attributeId(mad);
        boolean isTable = attribute == LinearForwardingTable.TYPE.id() || attribute == SlToVlMappingTable.TYPE.id();
        if (isTable && MadHeader.method(mad) == Method.SET && --setsToGlance <= 0) {
            int usual = attribute == LinearForwardingTable.TYPE.id() ? 5 : 200;
            setsToGlance = 1 + story.random.nextInt(2 * usual * glanceFactor());
            story.tally.glances++;
            FabricJudge judge = judge();
            sendAll(judge);
            String loopFound = judge.creditLoop();
            story.check(loopFound.isEmpty(), "while tables are written: " + loopFound);
        }
    }

    private int glanceFactor() {
        int times = fabric.switches.size() / USUAL_SWITCHES;
        return Math.max(1, times * times);
    }

    private FabricJudge judge() {
        return new FabricJudge(fabric.topology, fabric.devices);
    }

    /** Port GUIDs of all end ports that an SM could reach. */
    Set<Long> connected(FabricSm now) {
        return portGuids(connected(now, judge()));
    }

    private BitSet connected(FabricSm now, FabricJudge judge) {
        Topology.Node host = fabric.smHosts.stream()
                .filter(each -> each.portGuid(1) == now.guid())
                .findFirst()
                .orElseThrow();
        return judge.connectedTo(host.index());
    }

    private Set<Long> portGuids(BitSet of) {
        return of.stream().mapToObj(this::portGuid).collect(Collectors.toSet());
    }

    private long portGuid(int node) {
        return nodes.get(node).portGuid(nodes.get(node).isSwitch() ? 0 : 1);
    }

    /** By all LIDs, at both QoS levels. */
    private void sendAll(FabricJudge judge) {
        int kind = 0;
        for (int destination = 0; destination < lids.length; destination++) {
            for (int path = 0; path < paths(destination); path++) {
                kind++;
                for (Topology.Node host : fabric.hosts) {
                    int sl = sls[host.index()][destination];
                    if (sl != NO_SL) {
                        judge.send(host.index(), destination, lids[destination] + path, sl, kind);
                        judge.send(host.index(), destination, lids[destination] + path, sl | UPPER_LEVEL, kind);
                    }
                }
            }
        }
    }

    /** How many LIDs a node has. */
    private int paths(int node) {
        return nodes.get(node).isSwitch() ? 1 : 1 << lmc;
    }

    private static List<Integer> mlids(@Nullable FabricSm now) {
        return now == null
                ? List.of()
                : now.memberships.view().groups().stream()
                        .map(MulticastGroup::mlid)
                        .toList();
    }

    /** All paths between hosts, and from hosts to switches, as the SA grants them now. */
    void readSls(FabricSm now) {
        PublishedView view = now.sweeper.view();
        story.check(
                now.sweeper.counts().changedSls() == 0,
                "the SM counts " + now.sweeper.counts().changedSls() + " changed SLs");
        if (view == null || now == judgedSm && view.sweep() == judgedSweep) {
            return;
        }
        judgedSm = now;
        judgedSweep = view.sweep();
        List<MadFrame> answers = new ArrayList<>();
        SubnetAdministrator asked = now.administrator(answers::add);
        for (Topology.Node host : fabric.hosts) {
            for (Topology.Node other : nodes) {
                int sl = host.index() == other.index() ? NO_SL : pathSl(asked, answers, host.index(), other.index());
                if (sl != NO_SL) {
                    int known = sls[host.index()][other.index()];
                    sls[host.index()][other.index()] = (byte) (known == NO_SL ? sl : known);
                    granted += known == NO_SL ? 1 : 0;
                    story.check(
                            known == NO_SL || known == sl,
                            "the SL from " + host + " to " + other + " was " + known + " and is " + sl);
                }
            }
        }
    }

    /** Whether the SA grants a path now. */
    boolean isGranted(FabricSm now, Topology.Node from, Topology.Node to) {
        List<MadFrame> answers = new ArrayList<>();
        return pathSl(now.administrator(answers::add), answers, from.index(), to.index()) != NO_SL;
    }

    /** What the SA grants; {@link #NO_SL} if it knows no such path. */
    private int pathSl(SubnetAdministrator asked, List<MadFrame> answers, int from, int to) {
        PathRecord path = DeviceStormChecks.path(asked, answers, lids[from], lids[to]);
        return path == null ? NO_SL : (int) path.get(PathRecord.SL);
    }

    /** What is not as it should be when a subnet is up; empty if nothing is. */
    String shortcoming(FabricSm now) {
        FabricJudge judge = judge();
        Object[] seen = {
            granted, judge.state(mlids(now)), now.memberships.view().groups()
        };
        if (Arrays.deepEquals(seen, complete)) {
            return "";
        }
        String missing = shortcoming(now, judge);
        complete = missing.isEmpty() ? seen : complete;
        return missing;
    }

    private String shortcoming(FabricSm now, FabricJudge judge) {
        BitSet there = connected(now, judge);
        String nameless = there.stream()
                .filter(node -> judge.lids[node] == 0)
                .mapToObj(node -> nodes.get(node) + " has no LID")
                .findFirst()
                .orElseGet(() -> judge.idleLink(there));
        if (!nameless.isEmpty()) {
            return nameless;
        }
        for (int source : hosts(there)) {
            for (int destination = there.nextSetBit(0); destination >= 0; ) {
                boolean isServed = areSwitchesServed || !nodes.get(destination).isSwitch();
                String lost = source == destination || !isServed ? "" : lost(judge, source, destination);
                if (!lost.isEmpty()) {
                    return lost;
                }
                destination = there.nextSetBit(destination + 1);
            }
        }
        return groupShortcoming(now, judge, there);
    }

    private int[] hosts(BitSet among) {
        return among.stream().filter(node -> !nodes.get(node).isSwitch()).toArray();
    }

    private String lost(FabricJudge judge, int source, int destination) {
        int sl = sls[source][destination];
        if (sl == NO_SL) {
            return "the SA grants no path from " + nodes.get(source) + " to " + nodes.get(destination);
        }
        for (int path = 0; path < paths(destination); path++) {
            String end = judge.send(source, destination, lids[destination] + path, sl);
            if (!end.isEmpty()) {
                return "a packet from " + nodes.get(source) + " to " + nodes.get(destination) + " " + end;
            }
        }
        return "";
    }

    /** A path that the SA grants and packets do not have; empty if there is none. */
    String brokenPromise(FabricSm now) {
        List<MadFrame> answers = new ArrayList<>();
        SubnetAdministrator asked = now.administrator(answers::add);
        FabricJudge judge = judge();
        for (Topology.Node host : fabric.hosts) {
            for (Topology.Node other : nodes) {
                int from = host.index();
                int to = other.index();
                int sl = from == to || now.sweeper.view() == null ? NO_SL : pathSl(asked, answers, from, to);
                String end = sl == NO_SL ? "" : judge.send(from, to, lids[to], sl);
                if (!end.isEmpty()) {
                    return "a packet from " + host + " to " + other + " " + end;
                }
                story.tally.refusedPaths += sl == NO_SL ? 0 : 1;
            }
        }
        return "";
    }

    /**
     * Returns the first member whose packets do not reach exactly the members of all groups of its MLID. They may also
     * reach a port in an entry of a previous master. The SM keeps such an entry until the port has had time to join.
     */
    private String groupShortcoming(FabricSm now, FabricJudge judge, BitSet connected) {
        Set<Long> there = portGuids(connected);
        SortedMap<Integer, Set<Long>> inherited = now.memberships.view().inherited();
        Map<Integer, Map<Long, Integer>> expected = new TreeMap<>();
        for (MulticastGroup group : now.memberships.view().groups()) {
            Map<Long, Integer> members = expected.computeIfAbsent(group.mlid(), mlid -> new TreeMap<>());
            group.members().stream()
                    .map(member -> member.portGid().guid())
                    .filter(there::contains)
                    .forEach(guid -> members.put(guid, 1));
        }
        for (Map.Entry<Integer, Map<Long, Integer>> group : expected.entrySet()) {
            for (int source : hosts(connected)) {
                Map<Long, Integer> wanted = new TreeMap<>(group.getValue());
                boolean isMember = wanted.remove(portGuid(source)) != null;
                Map<Long, Integer> copies = judge.spread(source, group.getKey(), 0);
                Set<Long> ofEntries = inherited.getOrDefault(group.getKey(), Set.of());
                copies.keySet().removeIf(guid -> ofEntries.contains(guid) && !wanted.containsKey(guid));
                if (isMember && !copies.equals(wanted)) {
                    return "a packet from member " + nodes.get(source) + " of group "
                            + Integer.toHexString(group.getKey()) + " goes to " + copies + " instead of " + wanted;
                }
            }
        }
        return "";
    }

    List<FabricJudge.Tables> allTables() {
        return fabric.switches.stream()
                .map(sw -> FabricJudge.Tables.of(sw, fabric.devices))
                .toList();
    }

    /**
     * The first switch that an SM can reach and whose tables are not what they were; empty if there is none. Entries of those
     * who are absent do not count: a local sweep keeps them, a whole one does not.
     */
    String difference(FabricSm now, List<FabricJudge.Tables> earlier) {
        BitSet there = connected(now, judge());
        Set<Integer> ignored = IntStream.range(0, lids.length)
                .filter(node -> !there.get(node))
                .boxed()
                .flatMap(node -> IntStream.range(0, paths(node)).mapToObj(path -> lids[node] + path))
                .collect(Collectors.toSet());
        List<FabricJudge.Tables> tables = allTables();
        for (int i = 0; i < tables.size(); i++) {
            boolean isThere = there.get(fabric.switches.get(i).index());
            String difference = isThere ? tables.get(i).differenceFrom(earlier.get(i), ignored) : "";
            if (!difference.isEmpty()) {
                return difference;
            }
        }
        return "";
    }

    /** What becomes of a packet from a host to another node on the SL that was granted; empty if it arrives, or none was granted. */
    String send(FabricJudge judge, Topology.Node from, Topology.Node to) {
        int sl = sls[from.index()][to.index()];
        return sl == NO_SL ? "" : judge.send(from.index(), to.index(), lids[to.index()], sl);
    }

    /** All LIDs, each as it was. */
    void readLids() {
        readLids(judge());
    }

    private void readLids(FabricJudge judge) {
        String changed = judge.changedLid(lids);
        story.check(changed.isEmpty(), changed);
    }
}
