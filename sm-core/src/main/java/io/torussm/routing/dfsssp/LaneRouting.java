package io.torussm.routing.dfsssp;

import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.routing.EngineContext;
import io.torussm.routing.MulticastTree;
import io.torussm.routing.Plan;
import io.torussm.routing.PlanBuilder;
import io.torussm.routing.Refusal;
import io.torussm.routing.RoutingResult;
import io.torussm.routing.balance.EarlierRoutes;
import io.torussm.routing.balance.Hops;
import io.torussm.routing.balance.Links;
import io.torussm.routing.lanes.LaneSls;
import io.torussm.routing.lanes.SwitchChannels;
import io.torussm.routing.weights.KeptEntries;
import io.torussm.routing.weights.WeightedTables;
import io.torussm.subnet.Subnet;
import java.util.List;
import java.util.Optional;
import java.util.function.IntBinaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * One run of dfsssp: forwarding tables, the lane of each path, and multicast. A lane is a VL with an SL of its
 * own. The paths of a lane close no credit loop.
 */
final class LaneRouting {
    private static final String NAME = DfssspEngine.NAME;

    /** The maximum number of data VLs. */
    private static final int MAX_LANES = 15;

    private final EngineContext context;
    private final Subnet subnet;
    private final Links links;
    private final SwitchChannels channels;

    /** SLs of lanes from SL 1 on, so that only multicast groups use SL 0. */
    private final LaneSls slsFrom1;

    /** SLs of lanes from SL 0 on, so that groups share SL 0 with the paths of the first lane. */
    private final LaneSls slsFrom0;

    /** Candidates for the root of the multicast tree, the best first. */
    private final int[] roots;

    /** All LIDs of switches and of end ports attached to switches. */
    private final int[] lids;

    private LaneRouting(EngineContext context) {
        this.context = context;
        subnet = context.subnet();
        links = WeightedTables.links(context);
        channels = new SwitchChannels(links);
        slsFrom1 = new LaneSls(context, links, 1);
        slsFrom0 = new LaneSls(context, links, 0);
        roots = new Hops(links).centres();
        lids = IntStream.rangeClosed(1, subnet.topLid())
                .filter(lid -> subnet.switchOfLid(lid) != Fabric.NONE)
                .toArray();
    }

    static RoutingResult route(EngineContext context) {
        LaneRouting routing = new LaneRouting(context.withoutActivePlan());
        byte[][] earlier = EarlierRoutes.of(context, NAME);
        Plan active = context.active();
        Optional<Plan> mended = active == null || earlier[0].length == 0
                ? Optional.empty()
                : routing.repair(new KeptEntries(routing.subnet, routing.links, earlier), active);
        return mended.isPresent() ? mended.get() : routing.routeAll();
    }

    private Paths paths(WeightedTables tables) {
        return new Paths(subnet, channels, tables.lfts(), tables.targets());
    }

    /**
     * Returns new routes. Paths of hosts get lanes first, then paths of ports 0 of switches without hosts, if lanes
     * suffice.
     */
    private RoutingResult routeAll() {
        WeightedTables tables = new WeightedTables(context, links, KeptEntries.none(subnet, links));
        Optional<Refusal> unconnected = tables.refusal(NAME);
        if (unconnected.isPresent()) {
            return unconnected.get();
        }
        Paths paths = paths(tables);
        CycleBreaking breaking = new CycleBreaking(paths, slsFrom0.maxLanes());
        int needed = breaking.neededLanes();
        byte[][] lanes = breaking.lanes();
        if (needed > slsFrom0.maxLanes()) {
            LanePlacement ofHosts = new LanePlacement(paths, MAX_LANES, paths.newTable());
            boolean isWhole = ofHosts.placeOthers(sw -> paths.hostLids(sw) > 0, (sw, lid) -> 0);
            needed = ofHosts.usedLanes();
            lanes = ofHosts.laneOf();
            if (!isWhole || needed > slsFrom0.maxLanes()) {
                return tooFewLanes((isWhole ? "" : "more than ") + needed);
            }
        }
        return buildPlan(paths, tables, lanes, needed);
    }

    private Refusal tooFewLanes(String needed) {
        return new Refusal(
                NAME,
                List.of(SmEvent.ROUTING_ERROR.finding(NAME + ": paths need " + needed
                        + " VLs to be free of credit loops, and there are " + slsFrom0.maxLanes() + "; "
                        + slsFrom0.remedy("raise max_op_vls"))));
    }

    private Plan buildPlan(Paths paths, WeightedTables tables, byte[][] lanes, int needed) {
        LanePlacement placement = new LanePlacement(paths, slsFrom0.maxLanes(), lanes);
        placement.sort();
        placement.placeOthers(sw -> paths.hostLids(sw) == 0, (sw, lid) -> 0);
        return plan(paths, tables, placement, needed)
                .roomForMulticast(() -> withRoom(paths, tables, placement.laneOf(), needed))
                .build();
    }

    private PlanBuilder plan(Paths paths, WeightedTables tables, LanePlacement placement, int needed) {
        int used = placement.usedLanes();
        LaneSls sls = slsFrom1.maxLanes() >= used && !slsFrom1.sharesVlWithMulticast() ? slsFrom1 : slsFrom0;
        Finding note = SmEvent.ROUTING_NOTE.finding(NAME + ": paths of hosts need " + needed
                + " VLs, with paths of ports 0 of switches " + used + "; SLs " + sls.sl(0) + " to "
                + sls.sl(sls.maxLanes() - 1) + " are shared out among them");
        return builder(
                tables, placement, sls, new LaneSpreading(paths, placement.laneOf(), used, sls).table(), List.of(note));
    }

    /**
     * Returns a plan in which multicast takes precedence over ports 0 of switches without hosts. If a tree closes no
     * cycle with the paths of hosts in the first lane, the paths of these ports are added after it. If no tree fits,
     * paths of hosts in the first lane get lanes again after the tree.
     */
    private Optional<Plan> withRoom(Paths paths, WeightedTables tables, byte[][] laneOf, int needed) {
        int noLane = Fabric.NONE;
        int laneOfGroups = 0;
        return Stream.of(noLane, laneOfGroups)
                .map(cleared -> {
                    LanePlacement placement =
                            new LanePlacement(paths, slsFrom0.maxLanes(), paths.hostLanes(laneOf, cleared));
                    placement.sort();
                    return MulticastTree.candidates(subnet.fabric(), roots)
                            .filter(tree -> placement.placeTree(tree, 0))
                            .findFirst()
                            .filter(tree -> placement.placeOthers(sw -> true, (sw, lid) -> 0))
                            .map(tree -> plan(paths, tables, placement, needed).build());
                })
                .flatMap(Optional::stream)
                .findFirst();
    }

    /**
     * Returns a plan that keeps the complete routes of the active plan. A path with a new route keeps its SL if it
     * closes no cycle in that lane. Empty if lanes do not suffice, or some switch is unconnected.
     */
    private Optional<Plan> repair(KeptEntries keptEntries, Plan active) {
        WeightedTables tables = new WeightedTables(context, links, keptEntries);
        if (tables.refusal(NAME).isPresent()) {
            return Optional.empty();
        }
        Paths paths = paths(tables);
        EarlierSls earlier = new EarlierSls(active, subnet);
        LaneSls sls = earlier.hasZero(lids) ? slsFrom0 : slsFrom1;
        byte[][] laneOf = paths.newTable();
        fill(laneOf, (sw, lid) -> {
            int lane = earlier.sl(sw, lid) - sls.sl(0);
            return keptEntries.isWhole(sw, lid) && lane >= 0 && lane < sls.maxLanes() ? lane : Fabric.NONE;
        });
        LanePlacement placement = new LanePlacement(paths, sls.maxLanes(), laneOf);
        if (!placement.sort()
                || !placement.placeOthers(sw -> true, (sw, lid) -> Math.max(0, earlier.sl(sw, lid) - sls.sl(0)))) {
            return Optional.empty();
        }
        byte[][] table = paths.newTable();
        fill(table, (sw, lid) -> laneOf[sw][lid] == Fabric.NONE ? Fabric.NONE : sls.sl(laneOf[sw][lid]));
        return Optional.of(builder(tables, placement, sls, table, earlier.notes(keptEntries, table, lids))
                .build());
    }

    /**
     * Sets the entries {@code [switch][LID]} of all switches and LIDs.
     *
     * @param entry function of switch and LID
     */
    private void fill(byte[][] table, IntBinaryOperator entry) {
        for (int lid : lids) {
            for (int sw = 0; sw < table.length; sw++) {
                table[sw][lid] = (byte) entry.applyAsInt(sw, lid);
            }
        }
    }

    private PlanBuilder builder(
            WeightedTables tables, LanePlacement placement, LaneSls sls, byte[][] table, List<Finding> notes) {
        Fabric fabric = subnet.fabric();
        Optional<MulticastTree> best = MulticastTree.candidates(fabric, roots).findFirst();
        Optional<MulticastTree> free = MulticastTree.candidates(fabric, roots)
                .filter(tree -> !sls.sharesVlWithMulticast() || placement.placeTree(tree, 0))
                .findFirst();
        long missing = IntStream.of(lids)
                .mapToLong(lid -> IntStream.range(0, table.length)
                        .filter(sw -> table[sw][lid] == Fabric.NONE)
                        .count())
                .sum();
        return Plan.builder(NAME, subnet, tables.lfts())
                .operatorSl2Vl(context, (from, to) -> true)
                .sls(new PairSls(subnet, table))
                .multicast(free.or(() -> best), roots, sls.multicastSls(sls.maxLanes()))
                .findings(Stream.concat(notes.stream(), withheld(missing).stream())
                        .toList())
                .explainer(new LaneExplainer(channels, table))
                .claimsDeadlockFree();
    }

    private static Optional<Finding> withheld(long paths) {
        return paths == 0
                ? Optional.empty()
                : Optional.of(SmEvent.ROUTING_WARNING.finding(NAME + ": " + paths
                        + " paths from ports 0 of switches without hosts are not granted, since VLs do not suffice to keep"
                        + " them free of credit loops; raise max_op_vls"));
    }
}
