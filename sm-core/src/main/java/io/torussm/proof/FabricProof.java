package io.torussm.proof;

import io.torussm.proof.PathTrace.Loss;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the tables of a fabric prove. Immutable; its text is for the operator.
 *
 * @param hosts of what hosts send to each other
 * @param withSwitches of that and of what ports 0 of switches send and are sent; empty if nobody knows with which SLs
 * @param withGroups of what hosts send to each other and to groups
 * @param withAll of all of it; empty if that with switches is
 * @param paths pairs of a host's port and a LID of another that the first sends to
 * @param lost those of them whose packets do not arrive
 * @param lostWithSwitches further pairs, from or to ports 0 of switches, whose packets do not arrive
 * @param unlisted pairs of hosts' ports of which the SLs say nothing, so that nothing is sent
 * @param losses some of the lost, hosts first
 * @param groupFaults what is wrong with the trees of groups
 * @param ranks a certificate of the widest of these verdicts that is free, of packets that all arrive; empty if there is none
 */
public record FabricProof(
        Verdict hosts,
        Optional<Verdict> withSwitches,
        Verdict withGroups,
        Optional<Verdict> withAll,
        long paths,
        long lost,
        long lostWithSwitches,
        long unlisted,
        List<LostPath> losses,
        List<String> groupFaults,
        Optional<Ranks> ranks) {
    /** Lost paths that are named. */
    public static final int MAX_NAMED = 100;

    private static final int NONE = FabricTables.NONE;
    private static final int VLS = 16;

    public FabricProof {
        losses = List.copyOf(losses);
        groupFaults = List.copyOf(groupFaults);
    }

    /**
     * Whether channels can wait for each other in a circle.
     *
     * @param channels that packets use: a VL of a cable between switches in one direction
     * @param dependencies pairs of a channel that may be held and one that is waited for meanwhile
     * @param circle the shortest circle; empty if there is none
     */
    public record Verdict(int channels, int dependencies, List<Wait> circle) {
        public Verdict {
            circle = List.copyOf(circle);
        }

        /** Whether there is no circle. */
        public boolean isFree() {
            return circle.isEmpty();
        }
    }

    /**
     * A channel of a circle, and packets that hold it while they wait for the next one.
     *
     * @param switchGuid of the switch whose port sends
     * @param port its port number
     * @param channel switch, port and VL in words
     * @param source the end port that sends such packets
     * @param destination the end port or group that it sends them to
     * @param dlid the LID of that
     * @param sl of the packets
     */
    public record Wait(
            long switchGuid, int port, int vl, String channel, String source, String destination, int dlid, int sl) {}

    /**
     * A pair whose packets do not arrive.
     *
     * @param reason what becomes of them
     */
    public record LostPath(String source, String destination, int dlid, int sl, String reason) {}

    /** Judges tables; takes seconds for thousands of switches, and more where packets are lost or circles are found. */
    public static FabricProof of(FabricTables tables) {
        return new Judge(tables).judge();
    }

    /** Whether every pair arrives, and groups hang together. */
    public boolean isWhole() {
        return lost == 0 && lostWithSwitches == 0 && groupFaults.isEmpty();
    }

    private static final class Judge {
        private final FabricTables tables;
        private final PathTrace trace;
        private final GroupWalk groupWalk;
        private final List<LostPath> losses = new ArrayList<>();
        private long paths;
        private long unlisted;

        Judge(FabricTables tables) {
            this.tables = tables;
            trace = new PathTrace(tables);
            groupWalk = new GroupWalk(tables);
        }

        FabricProof judge() {
            ChannelUse hostUse = new ChannelUse(tables);
            ChannelUse switchUse = new ChannelUse(hostUse);
            DestinationWalk walk = new DestinationWalk(tables, hostUse);
            count();
            boolean[] losesHosts = new boolean[tables.topLid() + 1];
            boolean[] losesSwitches = new boolean[tables.topLid() + 1];
            for (int lid = 1; lid <= tables.topLid(); lid++) {
                int owner = tables.endportOfLid[lid];
                if (owner != NONE && tables.endports[owner].sw() != NONE) {
                    boolean toHost = !tables.endports[owner].isSwitch();
                    losesHosts[lid] = toHost && !walk.walk(lid, false, hostUse);
                    losesSwitches[lid] = !toHost && !walk.walk(lid, false, switchUse);
                    losesSwitches[lid] |= !walk.walk(lid, true, switchUse);
                }
            }
            long lost = lost(losesHosts, false);
            boolean isSwitchKnown = tables.hasSwitchSls();
            long lostWithSwitches = isSwitchKnown ? lost(losesSwitches, true) : 0;
            WaitGraph hosts = graph(hostUse);
            WaitGraph groups = new WaitGraph();
            groupWalk.into(groups);
            WaitGraph withGroups = both(hosts, groups);
            WaitGraph withSwitches = both(hosts, graph(switchUse));
            WaitGraph withAll = both(withSwitches, groups);
            return new FabricProof(
                    verdict(hosts),
                    isSwitchKnown ? Optional.of(verdict(withSwitches)) : Optional.empty(),
                    verdict(withGroups),
                    isSwitchKnown ? Optional.of(verdict(withAll)) : Optional.empty(),
                    paths,
                    lost,
                    lostWithSwitches,
                    unlisted,
                    losses,
                    groupWalk.faults(),
                    lost > 0
                            ? Optional.empty()
                            : isSwitchKnown && lostWithSwitches == 0
                                    ? ranks(List.of(withAll, withSwitches, withGroups, hosts))
                                    : ranks(List.of(withGroups, hosts)));
        }

        private static WaitGraph graph(ChannelUse use) {
            WaitGraph graph = new WaitGraph();
            use.into(graph);
            return graph;
        }

        private static WaitGraph both(WaitGraph one, WaitGraph other) {
            WaitGraph both = new WaitGraph();
            both.addAll(one);
            both.addAll(other);
            return both;
        }

        /** Of the first graph that has no circle: with switches and groups, with switches, with groups, of hosts alone; or the last two. */
        private Optional<Ranks> ranks(List<WaitGraph> graphs) {
            for (int i = 0; i < graphs.size(); i++) {
                int[] ranks = graphs.get(i).ranks();
                if (ranks != null) {
                    boolean coversSwitches = i < graphs.size() - 2;
                    return Optional.of(Ranks.of(tables, ranks, coversSwitches, i % 2 == 0 && !tables.groups.isEmpty()));
                }
            }
            return Optional.empty();
        }

        private void count() {
            for (int lid = 1; lid <= tables.topLid(); lid++) {
                int owner = tables.endportOfLid[lid];
                for (int end = 0; owner != NONE && end < tables.endports.length; end++) {
                    FabricTables.EndPort from = tables.endports[end];
                    FabricTables.EndPort to = tables.endports[owner];
                    if (end != owner && !from.isSwitch() && !to.isSwitch() && tables.isConnected(end, owner)) {
                        boolean isListed = tables.sl(end, lid) != NONE;
                        paths += isListed ? 1 : 0;
                        unlisted += isListed || from.nodeGuid() == to.nodeGuid() ? 0 : 1;
                    }
                }
            }
        }

        private long lost(boolean[] loses, boolean ofSwitches) {
            long lost = 0;
            for (int lid = 1; lid < loses.length; lid++) {
                for (int end = 0; loses[lid] && end < tables.endports.length; end++) {
                    boolean isOfSwitch =
                            tables.endports[end].isSwitch() || tables.endports[tables.endportOfLid[lid]].isSwitch();
                    Loss loss = isOfSwitch == ofSwitches && trace.sends(end, lid) ? trace.loss(end, lid) : null;
                    if (loss != null && lost++ < MAX_NAMED) {
                        losses.add(named(end, lid, loss));
                    }
                }
            }
            return lost;
        }

        private LostPath named(int end, int lid, Loss loss) {
            String at = tables.switchName[loss.sw()];
            String out = "port " + loss.out();
            String reason =
                    switch (loss.fate()) {
                        case CIRCLE -> "goes in circles through " + at;
                        case NO_ENTRY -> "stops at " + at + ", which has no entry for the LID";
                        case NO_CABLE -> "stops at " + at + ", whose entry is " + out + ", where nothing is";
                        case OTHER_PORT ->
                            "stops at " + at + ", whose entry is " + out + ", where "
                                    + tables.nameOf(tables.endport[tables.firstPort[loss.sw()] + loss.out()]) + " is";
                        case DISCARDED -> "is discarded at " + at + ", which maps the SL to VL15 for " + out;
                    };
            int to = tables.endportOfLid[lid];
            return new LostPath(tables.nameOf(end), tables.nameOf(to), lid, tables.sl(end, lid), reason);
        }

        private Verdict verdict(WaitGraph graph) {
            int channels = graph.used().cardinality();
            List<Wait> circle = new ArrayList<>();
            if (graph.ranks() == null) {
                int[] found = graph.shortestCircle();
                for (int i = 0; i < found.length; i++) {
                    circle.add(wait(found[i], found[(i + 1) % found.length]));
                }
            }
            return new Verdict(channels, graph.dependencyCount(), circle);
        }

        private Wait wait(int held, int wanted) {
            int port = held / VLS;
            int sw = tables.switchOf(port);
            String channel = tables.portName(port) + " VL " + held % VLS;
            Optional<PathTrace.Pair> pair = trace.waiting(held, wanted);
            if (pair.isPresent()) {
                int end = pair.get().end();
                int lid = pair.get().lid();
                String to = tables.nameOf(tables.endportOfLid[lid]);
                return new Wait(
                        tables.switchGuid[sw],
                        tables.portNum(port),
                        held % VLS,
                        channel,
                        tables.nameOf(end),
                        to,
                        lid,
                        tables.sl(end, lid));
            }
            GroupWalk.Sender sender = groupWalk
                    .waiting(held, wanted)
                    .orElseThrow(
                            () -> new IllegalStateException("no packet waits on channel " + held + " for " + wanted));
            return new Wait(
                    tables.switchGuid[sw],
                    tables.portNum(port),
                    held % VLS,
                    channel,
                    tables.nameOf(sender.end()),
                    String.format("group 0x%04X", sender.mlid()),
                    sender.mlid(),
                    sender.sl());
        }
    }

    /**
     * Checks a certificate that somebody gave against tables, without looking for ranks of its own.
     *
     * @return what is wrong with it, a sentence each, {@link #MAX_NAMED} at most; none if it is a proof
     */
    public static List<String> check(FabricTables tables, Ranks ranks) {
        ChannelUse use = new ChannelUse(tables);
        DestinationWalk walk = new DestinationWalk(tables, use);
        List<String> wrong = new ArrayList<>();
        for (int lid = 1; lid <= tables.topLid(); lid++) {
            int owner = tables.endportOfLid[lid];
            boolean isCovered = owner != NONE
                    && tables.endports[owner].sw() != NONE
                    && (ranks.coversSwitches() || !tables.endports[owner].isSwitch());
            boolean arrives = !isCovered || walk.walk(lid, false, use);
            arrives &= !isCovered || !ranks.coversSwitches() || walk.walk(lid, true, use);
            if (!arrives) {
                wrong.add("packets to LID " + lid + " are lost");
            }
        }
        WaitGraph graph = new WaitGraph();
        use.into(graph);
        if (ranks.coversGroups()) {
            new GroupWalk(tables).into(graph);
        }
        graph.violations(
                ranks.byChannel(tables), channel -> tables.portName(channel / VLS) + " VL " + channel % VLS, wrong);
        return wrong.size() > MAX_NAMED ? wrong.subList(0, MAX_NAMED) : wrong;
    }

    /** The verdicts that were reached, with the words for what they are about. */
    public List<Named> verdicts() {
        List<Named> named = new ArrayList<>();
        named.add(new Named("hosts", hosts));
        named.add(new Named("hosts and ports 0 of switches", withSwitches.orElse(null)));
        named.add(new Named("hosts and groups", withGroups));
        named.add(new Named("all together", withAll.orElse(null)));
        return named;
    }

    /**
     * A verdict and what it is about.
     *
     * @param verdict null if it cannot be told
     */
    public record Named(String about, @Nullable Verdict verdict) {}
}
