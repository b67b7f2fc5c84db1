package io.torussm.proof;

import io.torussm.proof.PathTrace.Loss;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The verdict on the tables of a fabric. Immutable; its text is for the operator.
 *
 * @param hosts verdict for packets between hosts
 * @param withSwitches also for packets from and to ports 0 of switches; empty if their SLs are unknown
 * @param withGroups for packets between hosts and to groups
 * @param withAll for all packets; empty if {@code withSwitches} is
 * @param paths number of pairs of a host's port and a LID of another host to which the first sends
 * @param lost number of those whose packets do not arrive
 * @param lostWithSwitches further pairs, from or to ports 0 of switches, whose packets do not arrive
 * @param unlisted pairs of hosts' ports without an SL, which send nothing
 * @param losses some of the lost pairs, hosts first
 * @param groupFaults faults of the trees of groups
 * @param ranks certificate of the widest of these verdicts that is free, if all its packets arrive; empty if
 * there is none
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
        Optional<ChannelRanks> ranks) {
    /** Limit of the named lost paths. */
    public static final int MAX_NAMED = 100;

    private static final int NONE = FabricTables.NONE;

    public FabricProof {
        losses = List.copyOf(losses);
        groupFaults = List.copyOf(groupFaults);
    }

    /**
     * The verdict whether channels can wait for each other in a cycle.
     *
     * @param channels number of used channels: a VL of a cable between switches in one direction
     * @param dependencies number of pairs of a channel that a packet occupies and one for which it waits
     * @param circle the shortest cycle; empty if there is none
     */
    public record Verdict(int channels, int dependencies, List<Wait> circle) {
        public Verdict {
            circle = List.copyOf(circle);
        }

        /** Checks that there is no cycle. */
        public boolean isFree() {
            return circle.isEmpty();
        }
    }

    /**
     * A channel of a cycle, and packets that occupy it while they wait for the next one.
     *
     * @param switchGuid NodeGUID of the switch whose port sends
     * @param port port number
     * @param channel switch, port and VL as text
     * @param source the end port that sends such packets
     * @param destination the end port or group to which it sends them
     * @param dlid LID
     * @param sl SL of the packets
     */
    public record Wait(
            long switchGuid, int port, int vl, String channel, String source, String destination, int dlid, int sl) {}

    /**
     * A pair whose packets do not arrive.
     *
     * @param reason the cause of the loss
     */
    public record LostPath(String source, String destination, int dlid, int sl, String reason) {}

    /** Verifies tables. Thousands of switches take seconds; lost packets and cycles take longer. */
    public static FabricProof of(FabricTables tables) {
        return new Judge(tables).judge();
    }

    /** Checks whether every pair arrives, and groups are connected. */
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

        /**
         * Returns the ranks of the first graph without a cycle: with switches and groups, with switches, with
         * groups, of hosts alone; or of the last two.
         */
        private Optional<ChannelRanks> ranks(List<WaitGraph> graphs) {
            for (int i = 0; i < graphs.size(); i++) {
                int[] ranks = graphs.get(i).ranks();
                if (ranks != null) {
                    boolean coversSwitches = i < graphs.size() - 2;
                    return Optional.of(
                            ChannelRanks.of(tables, ranks, coversSwitches, i % 2 == 0 && !tables.groups.isEmpty()));
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
            List<Wait> creditLoop = new ArrayList<>();
            if (graph.ranks() == null) {
                int[] found = graph.shortestCreditLoop();
                for (int i = 0; i < found.length; i++) {
                    creditLoop.add(wait(found[i], found[(i + 1) % found.length]));
                }
            }
            return new Verdict(channels, graph.dependencyCount(), creditLoop);
        }

        private Wait wait(int held, int wanted) {
            int port = held / ChannelRanks.VLS;
            int sw = tables.switchOf(port);
            String channel = tables.portName(port) + " VL " + held % ChannelRanks.VLS;
            Optional<PathTrace.Pair> pair = trace.waiting(held, wanted);
            if (pair.isPresent()) {
                int end = pair.get().end();
                int lid = pair.get().lid();
                String to = tables.nameOf(tables.endportOfLid[lid]);
                return new Wait(
                        tables.switchGuid[sw],
                        tables.portNum(port),
                        held % ChannelRanks.VLS,
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
                    held % ChannelRanks.VLS,
                    channel,
                    tables.nameOf(sender.end()),
                    String.format("group 0x%04X", sender.mlid()),
                    sender.mlid(),
                    sender.sl());
        }
    }

    /**
     * Checks a given certificate against tables, without computing ranks.
     *
     * @return its faults, a sentence each, {@link #MAX_NAMED} at most; none if it is a proof
     */
    public static List<String> check(FabricTables tables, ChannelRanks ranks) {
        ChannelUse use = new ChannelUse(tables);
        DestinationWalk walk = new DestinationWalk(tables, use);
        List<String> faults = new ArrayList<>();
        for (int lid = 1; lid <= tables.topLid(); lid++) {
            int owner = tables.endportOfLid[lid];
            boolean isCovered = owner != NONE
                    && tables.endports[owner].sw() != NONE
                    && (ranks.coversSwitches() || !tables.endports[owner].isSwitch());
            boolean arrives = !isCovered || walk.walk(lid, false, use);
            arrives &= !isCovered || !ranks.coversSwitches() || walk.walk(lid, true, use);
            if (!arrives) {
                faults.add("packets to LID " + lid + " are lost");
            }
        }
        WaitGraph graph = new WaitGraph();
        use.into(graph);
        if (ranks.coversGroups()) {
            new GroupWalk(tables).into(graph);
        }
        graph.violations(
                ranks.byChannel(tables),
                channel -> tables.portName(channel / ChannelRanks.VLS) + " VL " + channel % ChannelRanks.VLS,
                faults);
        return faults.size() > MAX_NAMED ? faults.subList(0, MAX_NAMED) : faults;
    }

    /** Returns the verdicts, each with the text of its scope. */
    public List<Named> verdicts() {
        List<Named> named = new ArrayList<>();
        named.add(new Named("hosts", hosts));
        named.add(new Named("hosts and ports 0 of switches", withSwitches.orElse(null)));
        named.add(new Named("hosts and groups", withGroups));
        named.add(new Named("all together", withAll.orElse(null)));
        return named;
    }

    /**
     * A verdict and its scope.
     *
     * @param verdict null if it is unknown
     */
    public record Named(String about, @Nullable Verdict verdict) {}
}
