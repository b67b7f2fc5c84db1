package io.torussm.deadlock.sl;

import io.torussm.deadlock.ChannelDependencyGraph;
import io.torussm.deadlock.Channels;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.deadlock.MulticastDependencies;
import io.torussm.deadlock.SlUsage;
import io.torussm.fabric.Fabric;
import io.torussm.routing.MulticastTree;
import io.torussm.routing.Plan;
import io.torussm.routing.RoutingOptions;
import io.torussm.routing.Sl2VlTables;
import io.torussm.subnet.Subnet;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Whether tables are free of credit loops when hosts choose SLs in other ways than the plan expects. NCCL gives all its
 * connections one SL and UCX one to all of an interface, whatever the path records say; the proof of a plan speaks of
 * those hosts that follow them.
 *
 * <p>All of it is about what hosts send to hosts that they have a path to, together with multicast groups on their tree,
 * with the SLs that the SM gives them. Ports 0 of switches send management packets only, on SLs that the SM
 * chose. An SL whose packets are discarded somewhere, since a table maps it to VL15, is no safe one, but closes no loop
 * either.
 *
 * <p>Cost: two walks like that of the proof, and a graph for each SL that some table treats unlike all others. If even any
 * mixture of SLs is free of loops, one of each.
 *
 * @param pathRecords whether hosts are free of credit loops that follow path records
 * @param safeSls SLs, ascending, of which one may be given to all that hosts send
 * @param safeBesidePathRecords those of them that some connections may have while others follow path records
 * @param anySl whether there is no credit loop whatever SLs hosts send with
 * @param discardedSls SLs, ascending, whose packets some host or switch discards
 */
public record SlVerdicts(
        boolean pathRecords,
        List<Integer> safeSls,
        List<Integer> safeBesidePathRecords,
        boolean anySl,
        List<Integer> discardedSls) {
    private static final int SLS = 16;
    private static final String FREE = "free of credit loops";
    private static final String LOOP = "CREDIT LOOP";

    public SlVerdicts {
        safeSls = List.copyOf(safeSls);
        safeBesidePathRecords = List.copyOf(safeBesidePathRecords);
        discardedSls = List.copyOf(discardedSls);
    }

    /**
     * Judges tables. Pure; takes memory and processors as the proof does.
     *
     * @param tree that multicast groups are on; null if there is none
     * @param options that the plan was made with
     */
    public static SlVerdicts of(
            Plan plan, @Nullable MulticastTree tree, RoutingOptions options, DeadlockChecker checker) {
        Plan sent = plan.withLostPairs();
        SlUsage traffic = checker.traffic(sent.withAnySl(), options);
        Channels channels = traffic.channels;
        MulticastDependencies groups =
                tree == null ? null : new MulticastDependencies(channels, tree, plan.multicastSls());
        Sources sources = Sources.of(channels, options);
        int discarded = traffic.discarded() | sources.discardedBySome;
        int delivered = ~discarded & 0xffff;
        if (isFree(new ChannelDependencyGraph(traffic, ~sources.discardedByAll), groups)) {
            return new SlVerdicts(true, sls(delivered), sls(delivered), true, sls(discarded));
        }
        ChannelDependencyGraph records = checker.graph(sources.areThere ? sent.forHostsAlone() : sent, options);
        boolean isFreeByRecord = isFree(records, groups);
        int alone = 0;
        int beside = 0;
        for (int sl : sls(delivered)) {
            int like = firstLike(channels, sl, delivered);
            if (like < sl) {
                alone |= (alone >> like & 1) << sl;
                beside |= (beside >> like & 1) << sl;
            } else {
                ChannelDependencyGraph own = new ChannelDependencyGraph(traffic, 1 << sl);
                boolean isFree = isFree(own, groups);
                alone |= isFree ? 1 << sl : 0;
                beside |= isFree && isFreeByRecord && isFree(own.with(records), groups) ? 1 << sl : 0;
            }
        }
        return new SlVerdicts(isFreeByRecord, sls(alone), sls(beside), false, sls(discarded));
    }

    private static boolean isFree(ChannelDependencyGraph unicast, @Nullable MulticastDependencies groups) {
        return unicast.numbering() != null
                && (groups == null || unicast.with(groups).numbering() != null);
    }

    /** The first SL that no switch tells from this one, of those that are not discarded; the SL itself if there is none before. */
    private static int firstLike(Channels channels, int sl, int delivered) {
        return IntStream.range(0, sl)
                .filter(other -> (delivered >> other & 1) != 0 && channels.isAlike(other, sl))
                .findFirst()
                .orElse(sl);
    }

    private static List<Integer> sls(int mask) {
        return IntStream.range(0, SLS)
                .filter(sl -> (mask >> sl & 1) != 0)
                .boxed()
                .toList();
    }

    /**
     * The hosts.
     *
     * @param areThere whether there is any with a LID
     * @param discardedBySome SLs (bit n: SL n) that the SL2VL table of a host maps to VL15
     * @param discardedByAll those that all of them do
     */
    private record Sources(boolean areThere, int discardedBySome, int discardedByAll) {
        static Sources of(Channels channels, RoutingOptions options) {
            Subnet subnet = channels.subnet;
            Fabric fabric = subnet.fabric();
            boolean areThere = false;
            int some = 0;
            int all = 0xffff;
            for (int port = 0; port < fabric.portCount(); port++) {
                if (fabric.isEndport(port) && !fabric.isSwitch(fabric.nodeOf(port)) && subnet.lid(port) != 0) {
                    areThere = true;
                    int discarded = options.qos() ? ~Sl2VlTables.usable(channels.plan.sl2vl(port)) & 0xffff : 0;
                    some |= discarded;
                    all &= discarded;
                }
            }
            return new Sources(areThere, some, some & all);
        }
    }

    /** What becomes of packets if all connections of hosts have one SL, a few words. */
    public String withOne(int sl) {
        if (discardedSls.contains(sl)) {
            return "packets are DISCARDED, since a table maps SL " + sl + " to VL15";
        } else if (!safeSls.contains(sl)) {
            return LOOP;
        }
        return FREE + (safeBesidePathRecords.contains(sl) ? "" : ", but not beside hosts that follow path records");
    }

    /** For people, a line for each way to choose SLs. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("hosts that follow path records: " + (pathRecords ? FREE : LOOP));
        lines.add("hosts that all use one SL: " + with(safeSls)
                + (discardedSls.isEmpty() ? "" : "; discarded: SL " + ranges(discardedSls)));
        lines.add("hosts with one SL beside hosts that follow path records: " + with(safeBesidePathRecords));
        lines.add("any host with any SL: " + (anySl ? FREE : LOOP));
        return lines;
    }

    private static String with(List<Integer> safe) {
        return safe.isEmpty() ? LOOP + " with every SL" : FREE + " with SL " + ranges(safe);
    }

    /** A list of SLs, as in {@code 0-3, 8}; {@code none} if it is empty. */
    public static String ranges(List<Integer> sls) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < sls.size(); i++) {
            int first = sls.get(i);
            while (i + 1 < sls.size() && sls.get(i + 1) == sls.get(i) + 1) {
                i++;
            }
            int last = sls.get(i);
            text.append(text.isEmpty() ? "" : ", ").append(first).append(last == first ? "" : "-" + last);
        }
        return text.isEmpty() ? "none" : text.toString();
    }
}
