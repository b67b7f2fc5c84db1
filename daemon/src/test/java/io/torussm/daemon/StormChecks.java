package io.torussm.daemon;

import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.sa.PathRecord;
import io.torussm.mad.sa.SaMad;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.multicast.MulticastGroup;
import io.torussm.sa.SubnetAdministrator;
import io.torussm.sim.Topology;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import io.torussm.view.PublishedView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What must hold in a storm, at every moment or whenever an SM is at rest, and what must never change. */
final class StormChecks implements StormSm.Watch {
    /** Of an SL of torus-2QoS. */
    private static final int UPPER_LEVEL = 8;

    /** A glance at more costs more, so there are fewer. */
    private static final int USUAL_SWITCHES = 64;

    private final StormStory story;
    private final StormFabric fabric;
    private final int lmc;

    /** LIDs by port GUID, each as it was first. */
    private final Map<Long, Integer> lids = new TreeMap<>();

    /** SLs by source and destination port GUID, each as it was first. */
    private final Map<Long, Map<Long, Integer>> sls = new TreeMap<>();

    /** The sweep whose view was judged last. */
    private long judgedSweep;

    /** Tables of all switches at the end of the sweep before, by GUID; none of those that lost power since. */
    private final Map<Long, FabricJudge.Tables> before = new HashMap<>();

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
    }

    /** A switch has lost its tables. */
    void forget(long nodeGuid) {
        before.remove(nodeGuid);
    }

    /** The next SM knows nothing, and nobody knows what the last one wrote. */
    @Override
    public void smIsGone() {
        before.clear();
        judgedSweep = 0;
    }

    /**
     * Counts a sweep, and looks whether one that was refused changed the forwarding table of a switch that held anything. Rows of a
     * port whose direction an SM that has just started does not know are another matter.
     */
    @Override
    public void sweepEnded(String how) {
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
        if (now != null && now.sweeper.isResting()) {
            readSls(now);
        }
        sendAll(judge);
        for (int mlid : mlids(now)) {
            for (Topology.Node host : fabric.hosts) {
                judge.spread(host.portGuid(1), mlid, 0);
            }
        }
        String loopFound = judge.creditLoop();
        story.check(loopFound.isEmpty(), loopFound);
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

    /** Port GUIDs of all end ports that the SM could reach. */
    Set<Long> connected() {
        return judge().connectedTo(fabric.smHost.portGuid(1));
    }

    /** By all LIDs, at both QoS levels. */
    private void sendAll(FabricJudge judge) {
        sls.forEach((source, all) -> all.forEach((destination, sl) -> {
            for (int lid : lidsOf(destination)) {
                judge.send(source, destination, lid, sl);
                judge.send(source, destination, lid, sl | UPPER_LEVEL);
            }
        }));
    }

    private int[] lidsOf(long portGuid) {
        int base = lids.getOrDefault(portGuid, 0);
        boolean isHost = portGuid >= fabric.hosts.get(0).portGuid(1);
        return IntStream.range(base, base + (isHost ? 1 << lmc : 1)).toArray();
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
        story.check(now.sweeper.slChanges() == 0, "the SM counts " + now.sweeper.slChanges() + " changed SLs");
        if (view == null || view.sweep() == judgedSweep) {
            return;
        }
        judgedSweep = view.sweep();
        List<MadFrame> answers = new ArrayList<>();
        SubnetAdministrator asked = now.administrator(answers::add);
        for (Topology.Node host : fabric.hosts) {
            for (Topology.Node other : fabric.topology.nodes()) {
                long from = host.portGuid(1);
                long to = other.portGuid(other.isSwitch() ? 0 : 1);
                int sl = from == to ? -1 : pathSl(asked, answers, from, to);
                if (sl >= 0) {
                    Integer known =
                            sls.computeIfAbsent(from, guid -> new TreeMap<>()).putIfAbsent(to, sl);
                    story.check(
                            known == null || known == sl,
                            "the SL from " + host + " to " + other + " was " + known + " and is " + sl);
                }
            }
        }
    }

    /** What the SA grants; -1 if it knows no such path. */
    private int pathSl(SubnetAdministrator asked, List<MadFrame> answers, long from, long to) {
        int slid = lids.getOrDefault(from, 0);
        int dlid = lids.getOrDefault(to, 0);
        long mask = PathRecord.COMPONENTS.bit(PathRecord.SLID) | PathRecord.COMPONENTS.bit(PathRecord.DLID);
        byte[] request = SaMad.request(Method.GET, 7, PathRecord.TYPE.id(), 0, mask);
        PathRecord.TYPE
                .zero()
                .with(PathRecord.SLID, slid)
                .with(PathRecord.DLID, dlid)
                .write(request, SaMad.DATA);
        answers.clear();
        asked.received(new MadFrame(new MadAddress(slid, 1, 0, 0), request));
        boolean isGranted =
                !answers.isEmpty() && MadHeader.status(answers.get(0).mad()) == MadStatus.OK;
        return isGranted
                ? (int) PathRecord.TYPE.read(answers.get(0).mad(), SaMad.DATA).get(PathRecord.SL)
                : -1;
    }

    /** What is not as it should be when a subnet is up; empty if nothing is. */
    String shortcoming(FabricSm now) {
        FabricJudge judge = judge();
        Set<Long> there = judge.connectedTo(fabric.smHost.portGuid(1));
        for (long guid : there) {
            if (!judge.lids.containsKey(guid)) {
                return Long.toHexString(guid) + " has no LID";
            }
        }
        String idle = judge.idleLink(there);
        if (!idle.isEmpty()) {
            return idle;
        }
        for (long source : judge.hosts(there)) {
            for (long destination : there) {
                if (source == destination) {
                    continue;
                }
                Integer sl = sls.getOrDefault(source, Map.of()).get(destination);
                if (sl == null) {
                    return "the SA grants no path from " + Long.toHexString(source) + " to "
                            + Long.toHexString(destination);
                }
                for (int lid : lidsOf(destination)) {
                    String disposition = judge.send(source, destination, lid, sl);
                    if (!disposition.isEmpty()) {
                        return "a packet from " + Long.toHexString(source) + " to " + Long.toHexString(destination)
                                + " " + disposition;
                    }
                }
            }
        }
        return groupShortcoming(now, judge, there);
    }

    /** A path that the SA grants and packets do not have; empty if there is none. */
    String brokenPromise(FabricSm now) {
        List<MadFrame> answers = new ArrayList<>();
        SubnetAdministrator asked = now.administrator(answers::add);
        FabricJudge judge = judge();
        for (Topology.Node host : fabric.hosts) {
            for (Topology.Node other : fabric.topology.nodes()) {
                long from = host.portGuid(1);
                long to = other.portGuid(other.isSwitch() ? 0 : 1);
                int sl = from == to || now.sweeper.view() == null ? -1 : pathSl(asked, answers, from, to);
                String end = sl < 0 ? "" : judge.send(from, to, lids.getOrDefault(to, 0), sl);
                if (!end.isEmpty()) {
                    return "a packet from " + host + " to " + other + " " + end;
                }
                story.tally.refusedPaths += sl < 0 ? 0 : 1;
            }
        }
        return "";
    }

    private String groupShortcoming(FabricSm now, FabricJudge judge, Set<Long> there) {
        for (MulticastGroup group : now.memberships.view().groups()) {
            Map<Long, Integer> expected = new TreeMap<>();
            group.members().stream()
                    .map(member -> member.portGid().guid())
                    .filter(there::contains)
                    .forEach(guid -> expected.put(guid, 1));
            for (long source : judge.hosts(there)) {
                Map<Long, Integer> wanted = new TreeMap<>(expected);
                wanted.remove(source);
                Map<Long, Integer> copies = judge.spread(source, group.mlid(), 0);
                if (expected.containsKey(source) && !copies.equals(wanted)) {
                    return "a packet from member " + Long.toHexString(source) + " of group "
                            + Integer.toHexString(group.mlid()) + " goes to " + copies + " instead of " + wanted;
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
     * The first switch whose tables are not what they were; empty if there is none. Entries of those who are absent do not
     * count: a local sweep keeps them, a whole one does not.
     */
    String difference(List<FabricJudge.Tables> earlier) {
        Set<Long> there = connected();
        Map<Long, Integer> gone = new TreeMap<>(lids);
        gone.keySet().removeAll(there);
        Set<Integer> ignored = new TreeSet<>(gone.values());
        List<FabricJudge.Tables> now = allTables();
        for (int i = 0; i < now.size(); i++) {
            String difference = now.get(i).differenceFrom(earlier.get(i), ignored);
            if (!difference.isEmpty()) {
                return difference;
            }
        }
        return "";
    }

    /** All LIDs, each as it was. */
    void readLids() {
        readLids(judge());
    }

    private void readLids(FabricJudge judge) {
        judge.lids.forEach((guid, lid) -> {
            Integer known = lids.putIfAbsent(guid, lid);
            story.check(
                    known == null || known.equals(lid),
                    "the LID of " + Long.toHexString(guid) + " was " + known + " and is " + lid);
        });
    }
}
