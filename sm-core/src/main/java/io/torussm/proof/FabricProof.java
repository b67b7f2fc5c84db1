package io.torussm.proof;

import io.torussm.proof.PathTrace.Loss;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The proof of the tables of a fabric, or its refutation. Immutable; texts are for the operator.
 *
 * @param hosts verdict for packets between hosts
 * @param withSwitches verdict for packets of hosts, and from and to ports 0 of switches; empty if the SLs of the latter
 *     are unknown
 * @param withGroups verdict for packets between hosts and to groups
 * @param withAll verdict for all packets; empty if {@code withSwitches} is empty
 * @param paths number of pairs of a host's port and a LID of another host's port with an SL
 * @param lost number of these pairs whose packets do not arrive
 * @param lostWithSwitches number of further pairs, from or to ports 0 of switches, whose packets do not arrive
 * @param unlisted number of such pairs between two hosts without an SL, which send no packets
 * @param losses the first lost pairs, at most {@link #MAX_NAMED} of each kind; pairs of hosts first
 * @param groupFaults faults of the trees of groups, each as a sentence
 * @param ranks certificate of the widest of these verdicts that is free; empty if none is free, or if packets of hosts
 *     do not arrive
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
    /** Max number of lost paths, or of faults, that are described. */
    public static final int MAX_NAMED = 100;

    private static final int NONE = FabricTables.NONE;

    public FabricProof {
        losses = List.copyOf(losses);
        groupFaults = List.copyOf(groupFaults);
    }

    /**
     * The verdict on whether channels can wait for each other in a cycle.
     *
     * @param channels number of used channels; a channel is a VL of a cable between switches in one direction
     * @param dependencies number of pairs of a channel that a packet occupies and a channel for which it waits
     * @param circle the shortest cycle; empty without a cycle
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
     * @param port egress port number
     * @param vl virtual lane
     * @param channel switch, port and VL as text
     * @param source the end port that sends such packets, as text
     * @param destination their destination, an end port or a group, as text
     * @param dlid destination LID, or MLID
     * @param sl SL of the packets
     */
    public record Wait(
            long switchGuid, int port, int vl, String channel, String source, String destination, int dlid, int sl) {}

    /**
     * A pair whose packets do not arrive.
     *
     * @param source the end port that sends the packets, as text
     * @param destination the end port with the LID, as text
     * @param reason the cause of the loss, as the predicate of a sentence
     */
    public record LostPath(String source, String destination, int dlid, int sl, String reason) {}

    /** Verifies tables. Thousands of switches take seconds; examples of lost packets and cycles take longer. */
    public static FabricProof of(FabricTables tables) {
        return new Prover(tables).prove();
    }

    /** Checks whether every pair arrives, and groups are connected. */
    public boolean isWhole() {
        return lost == 0 && lostWithSwitches == 0 && groupFaults.isEmpty();
    }

    /** The course of one verification. */
    private static final class Prover {
        private final FabricTables tables;
        private final PathTrace trace;
        private final GroupWalk groupWalk;
        private final List<LostPath> losses = new ArrayList<>();
        private long paths;
        private long unlisted;

        Prover(FabricTables tables) {
            this.tables = tables;
            trace = new PathTrace(tables);
            groupWalk = new GroupWalk(tables);
        }

        FabricProof prove() {
            ChannelUse hostUse = new ChannelUse(tables);
            ChannelUse switchUse = new ChannelUse(hostUse);
            DestinationWalk walk = new DestinationWalk(tables, hostUse);
            countPairs();
            boolean[] hasLostOfHosts = new boolean[tables.topLid() + 1];
            boolean[] hasLostOfSwitches = new boolean[tables.topLid() + 1];
            for (int lid = 1; lid <= tables.topLid(); lid++) {
                int owner = tables.endportOfLid[lid];
                if (owner != NONE && tables.endports[owner].sw() != NONE) {
                    boolean toHost = !tables.endports[owner].isSwitch();
                    hasLostOfHosts[lid] = toHost && !walk.walk(lid, false, hostUse);
                    hasLostOfSwitches[lid] = !toHost && !walk.walk(lid, false, switchUse);
                    hasLostOfSwitches[lid] |= !walk.walk(lid, true, switchUse);
                }
            }
            long lost = countLost(hasLostOfHosts, false);
            boolean isSwitchKnown = tables.hasSwitchSls();
            long lostWithSwitches = isSwitchKnown ? countLost(hasLostOfSwitches, true) : 0;
            WaitGraph hosts = graph(hostUse);
            WaitGraph groups = new WaitGraph();
            groupWalk.addTo(groups);
            WaitGraph withGroups = union(hosts, groups);
            WaitGraph withSwitches = union(hosts, graph(switchUse));
            WaitGraph withAll = union(withSwitches, groups);
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
            use.addTo(graph);
            return graph;
        }

        private static WaitGraph union(WaitGraph one, WaitGraph other) {
            WaitGraph both = new WaitGraph();
            both.addAll(one);
            both.addAll(other);
            return both;
        }

        /**
         * Returns the ranks of the first graph without a cycle; empty if all have cycles.
         *
         * @param graphs the graphs with switches and groups, with switches, with groups, of hosts alone; or only the
         *     last two of these
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

        /** Counts the pairs of hosts with and without an SL. */
        private void countPairs() {
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

        /**
         * Counts the lost pairs, and describes the first ones.
         *
         * @param loses [LID] whether the walk lost packets to the LID
         * @param ofSwitches false for pairs of hosts, true for pairs with a port 0 of a switch
         */
        private long countLost(boolean[] loses, boolean ofSwitches) {
            long lost = 0;
            for (int lid = 1; lid < loses.length; lid++) {
                for (int end = 0; loses[lid] && end < tables.endports.length; end++) {
                    boolean isOfSwitch =
                            tables.endports[end].isSwitch() || tables.endports[tables.endportOfLid[lid]].isSwitch();
                    Loss loss = isOfSwitch == ofSwitches && trace.sends(end, lid) ? trace.loss(end, lid) : null;
                    if (loss != null && lost++ < MAX_NAMED) {
                        losses.add(describe(end, lid, loss));
                    }
                }
            }
            return lost;
        }

        private LostPath describe(int end, int lid, Loss loss) {
            String at = tables.switchName[loss.sw()];
            String out = "port " + loss.out();
            String reason =
                    switch (loss.cause()) {
                        case LOOP -> "goes in circles through " + at;
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
            int channels = graph.usedChannels().cardinality();
            List<Wait> creditLoop = new ArrayList<>();
            if (graph.ranks() == null) {
                int[] found = graph.shortestCreditLoop();
                for (int i = 0; i < found.length; i++) {
                    creditLoop.add(waitOf(found[i], found[(i + 1) % found.length]));
                }
            }
            return new Verdict(channels, graph.dependencyCount(), creditLoop);
        }

        /** Returns a channel of a cycle, with an example of packets that wait there for the next channel. */
        private Wait waitOf(int held, int wanted) {
            int port = held / ChannelRanks.VLS;
            int sw = tables.switchOf(port);
            String channel = tables.portName(port) + " VL " + held % ChannelRanks.VLS;
            Optional<PathTrace.Pair> pair = trace.waitingPair(held, wanted);
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
                    .waitingSender(held, wanted)
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
     * Checks a certificate from elsewhere against tables. No ranks are computed.
     *
     * @return faults of the certificate, each as a sentence, at most {@link #MAX_NAMED}; empty if it is a proof
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
        use.addTo(graph);
        if (ranks.coversGroups()) {
            new GroupWalk(tables).addTo(graph);
        }
        graph.violations(
                ranks.byChannel(tables),
                channel -> tables.portName(channel / ChannelRanks.VLS) + " VL " + channel % ChannelRanks.VLS,
                faults);
        return faults.size() > MAX_NAMED ? faults.subList(0, MAX_NAMED) : faults;
    }

    /** Returns the four verdicts, each with the text of its scope. */
    public List<NamedVerdict> verdicts() {
        List<NamedVerdict> named = new ArrayList<>();
        named.add(new NamedVerdict("hosts", hosts));
        named.add(new NamedVerdict("hosts and ports 0 of switches", withSwitches.orElse(null)));
        named.add(new NamedVerdict("hosts and groups", withGroups));
        named.add(new NamedVerdict("all together", withAll.orElse(null)));
        return named;
    }

    /**
     * A verdict and its scope.
     *
     * @param packets the packets that the verdict covers, as text
     * @param verdict the verdict; null if it is unknown
     */
    public record NamedVerdict(String packets, @Nullable Verdict verdict) {}
}
