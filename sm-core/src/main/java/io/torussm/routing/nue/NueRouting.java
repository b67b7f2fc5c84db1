package io.torussm.routing.nue;

import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.routing.EngineContext;
import io.torussm.routing.MulticastTree;
import io.torussm.routing.Plan;
import io.torussm.routing.PlanBuilder;
import io.torussm.routing.RoutingResult;
import io.torussm.routing.balance.EarlierRoutes;
import io.torussm.routing.balance.Hops;
import io.torussm.routing.balance.Links;
import io.torussm.routing.lanes.KeptPaths;
import io.torussm.routing.lanes.LaneSls;
import io.torussm.routing.lanes.SwitchChannels;
import io.torussm.routing.weights.KeptEntries;
import io.torussm.routing.weights.WeightedTables;
import io.torussm.subnet.Subnet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** One run of the engine: assigns destinations to lanes, and finds a tree to each destination and a multicast tree. */
final class NueRouting {
    private static final String NAME = NueEngine.NAME;

    private final EngineContext context;
    private final Subnet subnet;
    private final Fabric fabric;
    private final Hops hops;
    private final SwitchChannels channels;
    private final LaneSls sls;
    private final int laneCount;

    /**
     * All switches by distance to the farthest other switch, those with a multicast table first. The root of the
     * escape tree of lane n is element n.
     */
    private final int[] roots;

    private final byte[][] lfts;

    /** The explainer of the active plan; null if its lanes were assigned by other settings. */
    private final @Nullable NueExplainer previousExplainer;

    /** The entries of the active plan whose path is complete; empty if a device or cable is new. */
    private final KeptEntries keptEntries;

    /** Active tables {@code [switch][LID]}; empty rows if they are not kept. */
    private final byte[][] activeLfts;

    NueRouting(EngineContext context) {
        this.context = context.withoutActivePlan();
        subnet = context.subnet();
        fabric = subnet.fabric();
        Links links = WeightedTables.links(context);
        hops = new Hops(links);
        channels = new SwitchChannels(links);
        sls = new LaneSls(context, links, 0);
        int wanted = NueEngine.lanes(context.config());
        laneCount = Math.max(1, wanted == 0 ? sls.maxLanes() : Math.min(wanted, sls.maxLanes()));
        int[] centres = hops.centres();
        roots = IntStream.concat(
                        IntStream.of(centres).filter(fabric::hasMulticast),
                        IntStream.of(centres).filter(sw -> !fabric.hasMulticast(sw)))
                .toArray();
        previousExplainer = NueExplainer.of(context.active(), laneCount, NueEngine.includesSwitches(context.config()));
        activeLfts = previousExplainer == null ? new byte[fabric.switchCount()][0] : EarlierRoutes.of(context, NAME);
        keptEntries = new KeptEntries(subnet, links, activeLfts);
        lfts = new byte[fabric.switchCount()][subnet.topLid() + 1];
        for (byte[] lft : lfts) {
            Arrays.fill(lft, LinearForwardingTable.NO_PATH_ENTRY);
        }
    }

    RoutingResult route() {
        EscapeTree[] escapes =
                IntStream.range(0, laneCount).mapToObj(this::escapeTree).toArray(EscapeTree[]::new);
        if (!escapes[0].isWhole()) {
            return WeightedTables.unconnected(NAME, context, fabric.port(roots[0], 0));
        }
        boolean includesSwitches = NueEngine.includesSwitches(context.config());
        NueDestinations destinations = new NueDestinations(
                subnet,
                laneCount,
                includesSwitches,
                port -> previousExplainer == null ? Fabric.NONE : previousExplainer.laneOf(subnet, port));
        int[][] switches = IntStream.range(0, laneCount)
                .mapToObj(lane -> switches(destinations, lane))
                .toArray(int[][]::new);
        LaneTrees trees = new LaneTrees(channels, escapes, switches, loads());
        int[] lids = IntStream.of(destinations.ports())
                .flatMap(port -> IntStream.range(subnet.lid(port), subnet.lid(port) + (1 << subnet.lmc(port))))
                .toArray();
        if (hasKeptRoutes()) {
            for (int lid : lids) {
                trees.addKeptTurns(subnet.switchOfLid(lid), destinations.lanes()[lid], sw -> earlierChannel(sw, lid));
            }
        }
        @Nullable BitSet[] escaped = new BitSet[subnet.topLid() + 1];
        for (int lid : lids) {
            trees.grow(subnet.switchOfLid(lid), destinations.lanes()[lid], sw -> earlierChannel(sw, lid));
            escaped[lid] = trees.escaped();
            write(trees, lid);
        }
        NueExplainer explainer =
                new NueExplainer(subnet, channels, includesSwitches, destinations.lanes(), escapes, escaped);
        return plan(escapes[0], explainer)
                .findings(findings(trees, escaped, lids))
                .build();
    }

    /** Checks whether routes of the active plan are kept. */
    private boolean hasKeptRoutes() {
        return activeLfts[0].length > 0;
    }

    private EscapeTree escapeTree(int lane) {
        EscapeTree oldTree =
                previousExplainer != null && hasKeptRoutes() ? previousExplainer.escapes()[lane] : null;
        int root = oldTree == null ? Fabric.NONE : oldTree.rootOn(fabric);
        return root == Fabric.NONE
                ? new EscapeTree(fabric, channels, roots[lane % roots.length], null)
                : new EscapeTree(fabric, channels, root, oldTree);
    }

    /**
     * Returns the channel of a switch towards a LID in the active plan; {@link Fabric#NONE} if the path is
     * incomplete.
     */
    private int earlierChannel(int sw, int lid) {
        return keptEntries.isWhole(sw, lid) && sw != subnet.switchOfLid(lid)
                ? channels.channelAt(sw, activeLfts[sw][lid] & 0xff)
                : Fabric.NONE;
    }

    /**
     * Returns the switches to which packets in a lane may go: all switches for the first lane, since groups use it.
     */
    private int[] switches(NueDestinations destinations, int lane) {
        return lane == 0
                ? IntStream.range(0, lfts.length).toArray()
                : IntStream.of(destinations.ports())
                        .filter(port -> destinations.lanes()[subnet.lid(port)] == lane)
                        .map(fabric::switchOf)
                        .distinct()
                        .toArray();
    }

    /** Returns by switch the number of LIDs of its port 0 and of its hosts. */
    private int[] loads() {
        int[] loads = new int[fabric.switchCount()];
        IntStream.rangeClosed(1, subnet.topLid())
                .map(subnet::switchOfLid)
                .filter(sw -> sw != Fabric.NONE)
                .forEach(sw -> loads[sw]++);
        return loads;
    }

    private void write(LaneTrees trees, int lid) {
        for (int sw = 0; sw < lfts.length; sw++) {
            int channel = trees.next(sw);
            int port = channel == Fabric.NONE ? subnet.deliveryPort(lid) : fabric.portNum(channels.port(channel));
            lfts[sw][lid] = (byte) port;
        }
    }

    private PlanBuilder plan(EscapeTree escape, NueExplainer explainer) {
        Optional<MulticastTree> tree = Optional.of(escape.forGroups()).filter(any -> fabric.hasMulticast(roots[0]));
        PlanBuilder builder = Plan.builder(NAME, subnet, lfts)
                .operatorSl2Vl(context, (from, to) -> true)
                .explainer(explainer)
                .claimsDeadlockFree();
        return laneCount == 1
                ? builder.multicast(tree, roots)
                : builder.sls(new DestinationSls(subnet, sls, explainer.lanes()))
                        .multicast(tree, roots, sls.multicastSls(laneCount));
    }

    private List<Finding> findings(LaneTrees trees, @Nullable BitSet[] escaped, int[] lids) {
        List<Finding> findings = new ArrayList<>();
        int wanted = NueEngine.lanes(context.config());
        if (wanted > laneCount) {
            findings.add(SmEvent.ROUTING_NOTE.finding(NAME + ": nue_max_num_vls is " + wanted + ", and there "
                    + (laneCount == 1 ? "is 1 VL" : "are " + laneCount + " VLs") + ": all are used"));
        }
        int farthest = 0;
        for (int from = 0; from < lfts.length; from++) {
            for (int to = 0; to < lfts.length; to++) {
                farthest = Math.max(farthest, hops.hops(from, to));
            }
        }
        long escapedLids = Arrays.stream(escaped)
                .filter(switches -> switches != null && !switches.isEmpty())
                .count();
        findings.add(SmEvent.ROUTING_NOTE.finding(NAME + ": destinations are on " + laneCount
                + " of the VLs; paths have " + trees.maxHops() + " hops at most, where " + farthest
                + " would suffice without regard to credit loops; to " + escapedLids
                + " LIDs some switches send along the escape tree"));
        if (hasKeptRoutes()) {
            long paths = (long) lids.length * (lfts.length - 1);
            findings.addAll(new KeptPaths(trees.unchangedPaths(), paths - trees.unchangedPaths(), 0)
                    .notes(NAME, "paths between switches and LIDs"));
        }
        return findings;
    }
}
