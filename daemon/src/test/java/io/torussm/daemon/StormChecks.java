package io.torussm.daemon;

import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.sa.PathRecord;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.multicast.MulticastGroup;
import io.torussm.routing.Plan;
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

/** The invariants of a storm: at all times, whenever an SM is idle, and from its start to its end. */
final class StormChecks implements StormHost.SweepObserver {
    /** SL bit of the upper QoS level of torus-2QoS. */
    private static final int UPPER_LEVEL = 8;

    /** Switches of a usual fabric. Checks of larger ones cost more, so there are fewer. */
    private static final int USUAL_SWITCHES = 64;

    private static final byte NO_SL = StormSls.NO_SL;

    private final StormStory story;
    private final StormFabric fabric;
    private final int lmc;
    private final List<Topology.Node> nodes;

    /** First LIDs by node; 0 for a node that never had one. */
    private final int[] lids;

    private final StormSls sls;

    /** The SM of the last verified view, and its sweep. */
    private @Nullable FabricSm judgedSm;

    private long judgedSweep;

    /**
     * Tables of all switches at the end of the previous sweep, by GUID, without switches that lost power
     * since.
     */
    private final Map<Long, FabricJudge.Tables> tablesBefore = new HashMap<>();

    /**
     * The states without credit loop and without shortcoming that were verified last: the same state needs no
     * other check.
     */
    private Object[] loopFree = {};

    private Object[] complete = {};

    /** True if hosts must reach each switch. On a tree, a leaf may have no path up and then down to a spine. */
    boolean areSwitchesServed = true;

    /** Sets of tables until the next check. */
    private int setsUntilCheck;

    /**
     * Creates the checks, without LIDs.
     *
     * @param lmc LMC of hosts
     */
    StormChecks(StormStory story, StormFabric fabric, int lmc) {
        this.story = story;
        this.fabric = fabric;
        this.lmc = lmc;
        nodes = fabric.topology.nodes();
        lids = new int[nodes.size()];
        sls = new StormSls(
                story,
                nodes.stream()
                        .mapToInt(node -> node.isSwitch() ? 0 : nodes.size())
                        .toArray());
    }

    @Override
    public void routed(Plan plan) {
        sls.writes(plan);
    }

    /** Notes that a switch has lost its tables. */
    void forget(long nodeGuid) {
        tablesBefore.remove(nodeGuid);
    }

    /** Forgets all tables, since their writer is uncertain. */
    void forgetAll() {
        tablesBefore.clear();
    }

    /** Forgets the tables of the last SM: the next one starts without them. */
    @Override
    public void smEnded() {
        forgetAll();
    }

    /**
     * Counts a sweep. If it was refused, checks that it did not change the forwarding table of a switch with
     * entries. Rows of a port whose direction a newly started SM cannot know yet are exempt.
     */
    @Override
    public void sweepEnded(FabricSm of, String outcome) {
        if (outcome.startsWith("refused")) {
            story.tally.refusals++;
            story.check(outcome.length() > "refused: []".length() + 10, "a refusal without a reason");
            for (Topology.Node sw : fabric.switches) {
                FabricJudge.Tables now = FabricJudge.Tables.of(sw, fabric.devices);
                FabricJudge.Tables then = tablesBefore.getOrDefault(sw.nodeGuid(), now);
                FabricJudge.Tables lft = new FabricJudge.Tables(then.name(), then.lft(), now.rows());
                String difference = then.lft().length == 0 ? "" : now.differenceFrom(lft, Set.of());
                story.check(difference.isEmpty(), "a refused sweep wrote: " + difference);
            }
        } else if (outcome.equals("up")) {
            story.tally.sweeps++;
            sls.count(of);
        } else {
            story.tally.failedSweeps++;
            story.check(!outcome.contains("internal error"), outcome);
            tablesBefore.clear(); // the next sweep may have to complete this one
            return;
        }
        for (Topology.Node sw : fabric.switches) {
            tablesBefore.put(sw.nodeGuid(), FabricJudge.Tables.of(sw, fabric.devices));
        }
    }

    /** Checks the invariants at all times: no credit loop on granted SLs, and every LID unchanged. */
    void checkInvariants(@Nullable FabricSm now) {
        story.tally.looks++;
        FabricJudge judge = judge();
        readLids(judge);
        story.check(judge.doubleLid().isEmpty(), judge.doubleLid());
        if (now != null && now.sweeper.isResting() && fabric.switches.size() <= USUAL_SWITCHES) {
            readSls(now);
        }
        Object[] seen = {sls.grants(), judge.state(mlids(now))};
        if (Arrays.deepEquals(seen, loopFree)) {
            return;
        }
        sendAll(judge);
        for (int mlid : mlids(now)) {
            for (Topology.Node host : fabric.hosts) {
                judge.sendToGroup(host.index(), mlid, 0);
            }
        }
        String loopFound = judge.creditLoop();
        story.check(loopFound.isEmpty(), loopFound);
        loopFree = seen;
    }

    /** Checks for credit loops while tables are written, occasionally. */
    @Override
    public void madSent(byte[] mad) {
        int attribute = MadHeader.attributeId(mad);
        boolean isTable = attribute == LinearForwardingTable.TYPE.id() || attribute == SlToVlMappingTable.TYPE.id();
        if (isTable && MadHeader.method(mad) == Method.SET && --setsUntilCheck <= 0) {
            int defaultValue = attribute == LinearForwardingTable.TYPE.id() ? 5 : 200;
            setsUntilCheck = 1 + story.random.nextInt(2 * defaultValue * checkIntervalFactor());
            story.tally.glances++;
            FabricJudge judge = judge();
            sendAll(judge);
            String loopFound = judge.creditLoop();
            story.check(loopFound.isEmpty(), "while tables are written: " + loopFound);
        }
    }

    private int checkIntervalFactor() {
        int times = fabric.switches.size() / USUAL_SWITCHES;
        return Math.max(1, times * times);
    }

    private FabricJudge judge() {
        return new FabricJudge(fabric.topology, fabric.devices);
    }

    /** Returns the port GUIDs of all end ports that an SM could reach. */
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

    /** Sends packets to all LIDs, at both QoS levels. */
    private void sendAll(FabricJudge judge) {
        int kind = 0;
        for (int destination = 0; destination < lids.length; destination++) {
            for (int path = 0; path < paths(destination); path++) {
                kind++;
                for (Topology.Node host : fabric.hosts) {
                    if (sls.mustBeSafe(host.index(), destination, lids[host.index()], lids[destination])) {
                        int sl = sls.of(host.index(), destination);
                        judge.send(host.index(), destination, lids[destination] + path, sl, kind);
                        judge.send(host.index(), destination, lids[destination] + path, sl | UPPER_LEVEL, kind);
                    }
                }
            }
        }
    }

    /** Returns the number of LIDs of a node. */
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

    /** Reads all paths between hosts, and from hosts to switches, that the SA grants now. */
    void readSls(FabricSm now) {
        PublishedView view = now.sweeper.view();
        sls.count(now);
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
                    sls.grant(host, other, sl);
                }
            }
        }
    }

    /** Checks whether the SA grants a path now. */
    boolean isGranted(FabricSm now, Topology.Node from, Topology.Node to) {
        List<MadFrame> answers = new ArrayList<>();
        return pathSl(now.administrator(answers::add), answers, from.index(), to.index()) != NO_SL;
    }

    /** Returns the SL that the SA grants; {@link #NO_SL} if it has no such path. */
    private int pathSl(SubnetAdministrator asked, List<MadFrame> answers, int from, int to) {
        PathRecord path = DeviceStormChecks.path(asked, answers, lids[from], lids[to]);
        return path == null ? NO_SL : (int) path.get(PathRecord.SL);
    }

    /** Returns a shortcoming of a subnet that is up; empty if there is none. */
    String shortcoming(FabricSm now) {
        FabricJudge judge = judge();
        Object[] seen = {
            sls.grants(), judge.state(mlids(now)), now.memberships.view().groups()
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
        int sl = sls.of(source, destination);
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

    /** Returns a path that the SA grants and on which packets are lost; empty if there is none. */
    String lossOnGrantedPath(FabricSm now) {
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
                Map<Long, Integer> copies = judge.sendToGroup(source, group.getKey(), 0);
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
     * Returns the first reachable switch whose tables changed; empty if there is none. Entries of absent
     * devices do not count: a local sweep keeps them, a whole one does not.
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

    /**
     * Returns the fate of a packet from a host to another node on the granted SL; empty if it arrives, or if
     * no SL was granted.
     */
    String send(FabricJudge judge, Topology.Node from, Topology.Node to) {
        int sl = sls.of(from.index(), to.index());
        return sl == NO_SL ? "" : judge.send(from.index(), to.index(), lids[to.index()], sl);
    }

    /** Reads all LIDs, which must be unchanged. */
    void readLids() {
        readLids(judge());
    }

    private void readLids(FabricJudge judge) {
        String changed = judge.changedLid(lids);
        story.check(changed.isEmpty(), changed);
    }
}
