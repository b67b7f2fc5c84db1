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
 * The verdicts on credit loops for hosts that do not use the SLs of path records. NCCL uses one SL for all its
 * connections, and UCX one SL for all connections of an interface, independently of path records. The proof of a plan
 * covers only hosts that follow path records.
 *
 * <p>The verdicts cover packets between hosts that have a path, together with multicast groups on their tree, with the
 * SLs that the SM gives to groups. Ports 0 of switches send management packets only, on SLs that the SM selects. If
 * some table maps an SL to VL15, its packets are discarded there: such an SL is not safe, but closes no loop either.
 *
 * <p>Cost: one walk and one graph if hosts may use any mixture of SLs. Otherwise two walks, and a graph for each SL
 * that some table distinguishes from all other SLs.
 *
 * @param pathRecords whether hosts that follow path records are free of credit loops
 * @param safeSls SLs, ascending, each of which is free of credit loops if all hosts use it alone
 * @param safeBesidePathRecords the SLs of {@code safeSls} that some connections may use while other connections follow
 *     path records
 * @param anySl whether hosts may use any SLs without a credit loop
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
     * Computes the verdicts. Pure; uses as much memory and as many processors as a proof.
     *
     * @param tree the tree of multicast groups; null without multicast
     * @param options the options with which the plan is programmed
     */
    public static SlVerdicts of(
            Plan plan, @Nullable MulticastTree tree, RoutingOptions options, DeadlockChecker checker) {
        Plan sent = plan.withLostPairs();
        SlUsage traffic = checker.traffic(sent.withAnySl(), options);
        Channels channels = traffic.channels;
        MulticastDependencies groups =
                tree == null ? null : new MulticastDependencies(channels, tree, plan.multicastSls());
        Sources sources = Sources.of(channels, options);
        int discarded = traffic.discardedSls() | sources.discardedBySome;
        int delivered = ~discarded & 0xffff;
        if (isFree(new ChannelDependencyGraph(traffic, ~sources.discardedByAll), groups)) {
            return new SlVerdicts(true, sls(delivered), sls(delivered), true, sls(discarded));
        }
        ChannelDependencyGraph records = checker.graph(sources.hasHosts ? sent.forHostsOnly() : sent, options);
        boolean isFreeByRecord = isFree(records, groups);
        int alone = 0;
        int beside = 0;
        for (int sl : sls(delivered)) {
            int equalSl = lowestAlike(channels, sl, delivered);
            if (equalSl < sl) {
                alone |= (alone >> equalSl & 1) << sl;
                beside |= (beside >> equalSl & 1) << sl;
            } else {
                ChannelDependencyGraph own = new ChannelDependencyGraph(traffic, 1 << sl);
                boolean isFree = isFree(own, groups);
                alone |= isFree ? 1 << sl : 0;
                beside |= isFree && isFreeByRecord && isFree(own.with(records), groups) ? 1 << sl : 0;
            }
        }
        return new SlVerdicts(isFreeByRecord, sls(alone), sls(beside), false, sls(discarded));
    }

    /** Checks whether dependencies have no cycle, alone and together with those of groups. */
    private static boolean isFree(ChannelDependencyGraph unicast, @Nullable MulticastDependencies groups) {
        return unicast.numbering() != null
                && (groups == null || unicast.with(groups).numbering() != null);
    }

    /**
     * Returns the lowest SL that all switches map to the same VLs as {@code sl}; {@code sl} itself if no lower SL does.
     *
     * @param delivered SLs to consider (bit n: SL n)
     */
    private static int lowestAlike(Channels channels, int sl, int delivered) {
        return IntStream.range(0, sl)
                .filter(other -> (delivered >> other & 1) != 0 && channels.hasSameVls(other, sl))
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
     * The SL2VL tables of hosts.
     *
     * @param hasHosts whether there is any host with a LID
     * @param discardedBySome SLs (bit n: SL n) that the SL2VL table of some host maps to VL15
     * @param discardedByAll SLs (bit n: SL n) that the SL2VL tables of all hosts map to VL15
     */
    private record Sources(boolean hasHosts, int discardedBySome, int discardedByAll) {
        static Sources of(Channels channels, RoutingOptions options) {
            Subnet subnet = channels.subnet;
            Fabric fabric = subnet.fabric();
            boolean areThere = false;
            int some = 0;
            int all = 0xffff;
            for (int port = 0; port < fabric.portCount(); port++) {
                if (fabric.isEndport(port) && !fabric.isSwitch(fabric.nodeOf(port)) && subnet.lid(port) != 0) {
                    areThere = true;
                    int discarded = options.qos() ? ~Sl2VlTables.usableSls(channels.plan.sl2vl(port)) & 0xffff : 0;
                    some |= discarded;
                    all &= discarded;
                }
            }
            return new Sources(areThere, some, some & all);
        }
    }

    /** Returns the verdict on hosts that use one SL for all connections, in a few words for the operator. */
    public String verdictForSl(int sl) {
        if (discardedSls.contains(sl)) {
            return "packets are DISCARDED, since a table maps SL " + sl + " to VL15";
        } else if (!safeSls.contains(sl)) {
            return LOOP;
        }
        return FREE + (safeBesidePathRecords.contains(sl) ? "" : ", but not beside hosts that follow path records");
    }

    /** Returns a description for the operator, a line for each way to choose SLs. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("hosts that follow path records: " + (pathRecords ? FREE : LOOP));
        lines.add("hosts that all use one SL: " + safeText(safeSls)
                + (discardedSls.isEmpty() ? "" : "; discarded: SL " + ranges(discardedSls)));
        lines.add("hosts with one SL beside hosts that follow path records: " + safeText(safeBesidePathRecords));
        lines.add("any host with any SL: " + (anySl ? FREE : LOOP));
        return lines;
    }

    private static String safeText(List<Integer> safe) {
        return safe.isEmpty() ? LOOP + " with every SL" : FREE + " with SL " + ranges(safe);
    }

    /** Formats a list of ascending SLs, as in {@code 0-3, 8}; {@code none} if the list is empty. */
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
