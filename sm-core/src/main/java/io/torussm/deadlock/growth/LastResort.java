package io.torussm.deadlock.growth;

import io.torussm.deadlock.ChannelDependencyGraph;
import io.torussm.deadlock.Channels;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.deadlock.MulticastDependencies;
import io.torussm.fabric.Fabric;
import io.torussm.routing.Degradation;
import io.torussm.routing.Detours;
import io.torussm.routing.MulticastTree;
import io.torussm.routing.Plan;
import io.torussm.routing.RoutingOptions;
import io.torussm.routing.balance.RoutedSls;
import io.torussm.routing.balance.UpDownRoutes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A builder of a whole plan from the part that an engine could route before it refused. SLs and SL2VL remain those of
 * the engine, so SLs that applications received stay valid. The plan has no credit loops by construction, and the
 * checker proves it like any other plan.
 *
 * <ol>
 *   <li>{@link KeptRoutes}: the routes that reach their destination, without those that close a cycle.
 *   <li>A spanning tree for multicast, which is also the path of packets without a detour. The tree is grown so that
 *       it closes no cycle with the kept routes. If no root has such a tree, routes that conflict with the best tree
 *       are dropped.
 *   <li>{@link DetourGrowth}: the shortest safe detours for all other pairs.
 * </ol>
 *
 * <p>On a connected fabric this cannot fail, because all packets could use the tree. If a defect makes the proof fail,
 * the caller uses plain up/down routes ({@link #upDown}). Pure; the routes do not depend on the active plan.
 */
public final class LastResort {
    /** Upper limit of (roots x switches) for which trees are grown. {@link #MIN_ROOTS} are always tried. */
    private static final int BUDGET = 1 << 12;

    private static final int MIN_ROOTS = 2;

    /** Number of dependencies that each step may visit in its search for cycles: about a second. */
    static final long MAX_VISITED_DEPENDENCIES = 1 << 24;

    /**
     * Max share of routes that are dropped because of credit loops, 0 to 1, for an engine that does not claim to be
     * free of them. Above this share detours are long and concentrate on few links, and plain up/down routes are
     * better (minhop on 10x10x10: 36,478 routes over the worst link instead of 355,292).
     */
    private static final double MAX_LOST_SHARE = 0.25;

    /** Max number of searches for detours. Each starts with the destinations for which a previous search failed. */
    private static final int ATTEMPTS = 4;

    private final Plan partialPlan;
    private final String reason;
    private final @Nullable Plan active;
    private final RoutingOptions options;
    private final DeadlockChecker.TrafficSource knownTraffic;
    private final int tasks;

    /**
     * Creates a builder.
     *
     * @param partial see {@link io.torussm.routing.Refusal#partialPlan}
     * @param reason text of the engine's refusal
     * @param active the active plan, whose figures and unchanged tables are used; null if none is active
     * @param known source of the traffic of the engine's tables, if an earlier proof covers most of it
     * @param tasks number of parallel parts, at least 1
     */
    public LastResort(
            Plan partial,
            String reason,
            @Nullable Plan active,
            RoutingOptions options,
            DeadlockChecker.TrafficSource known,
            int tasks) {
        this.partialPlan = partial;
        this.reason = reason;
        this.active = active;
        this.options = options;
        this.knownTraffic = known;
        this.tasks = tasks;
    }

    /**
     * Returns a plan with as many routes of the engine as possible, or with plain up/down routes if too few routes of
     * the engine remain. If possible, multicast alone uses the spanning tree; otherwise all packets may use it.
     *
     * @throws java.util.NoSuchElementException if some pair remains without a route, which is a defect
     */
    public Plan complete() {
        KeptRoutes keptRoutes = new KeptRoutes(partialPlan, options, knownTraffic, tasks);
        if (!partialPlan.claimsDeadlockFree() && keptRoutes.lostShare() > MAX_LOST_SHARE) {
            return upDown();
        }
        MulticastTree tree = tree(keptRoutes);
        return withDetours(keptRoutes, tree, false)
                .or(() -> withDetours(keptRoutes, tree, true))
                .orElseThrow();
    }

    /**
     * Returns the plan of kept routes and detours; empty if some destination has no safe route.
     *
     * @param isForAllSls whether the tree is reserved for packets of all SLs, so that unicast may use it
     */
    private Optional<Plan> withDetours(KeptRoutes keptRoutes, MulticastTree tree, boolean isForAllSls) {
        int sls = partialPlan.multicastSls() | (isForAllSls ? keptRoutes.sls() : 0);
        MulticastDependencies onTree = new MulticastDependencies(keptRoutes.channels, tree, sls);
        keptRoutes.removeConflicting(onTree);
        if (keptRoutes.isComplete()) {
            Degradation facts = degradation(keptRoutes.counts(), 0, false);
            return Optional.of(plan(
                    keptRoutes.lfts, Optional.of(tree.ofSwitchesWithTable()), partialPlan.multicastRoots(), facts));
        }
        ChannelDependencyGraph graph = keptRoutes.graph().with(onTree);
        int[] numbering = numberUnusedVls(Objects.requireNonNull(graph.numbering()));
        List<Integer> urgent = new ArrayList<>();
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            DetourGrowth growth = new DetourGrowth(
                    keptRoutes, new GrowingOrder(graph, numbering, MAX_VISITED_DEPENDENCIES), tree, isForAllSls);
            int stuck = growth.complete(urgent);
            if (stuck == Fabric.NONE) {
                Degradation facts = degradation(keptRoutes.countRoutes(growth.tables()), growth.bentRoutes(), false);
                return Optional.of(plan(
                        growth.tables(), Optional.of(tree.ofSwitchesWithTable()), partialPlan.multicastRoots(), facts));
            } else if (urgent.contains(stuck)) {
                return Optional.empty();
            }
            urgent.add(0, stuck);
        }
        return Optional.empty();
    }

    /**
     * Returns a numbering in which unused VLs of a used link follow a used VL of this link. Detours use links in the
     * same order as other packets. If new channels came after all others, each would have to be moved past most of the
     * fabric.
     *
     * @param numbering [channel] number, NONE if unused
     */
    static int[] numberUnusedVls(int[] numbering) {
        long[] order = new long[numbering.length];
        int count = 0;
        for (int first = 0; first < numbering.length; first += Channels.VLS) {
            int usedChannel = first;
            while (usedChannel < first + Channels.VLS && numbering[usedChannel] == Fabric.NONE) {
                usedChannel++;
            }
            for (int vl = 0; vl < Channels.VLS && usedChannel < first + Channels.VLS; vl++) {
                int channel = first + vl;
                int place = numbering[channel] == Fabric.NONE ? numbering[usedChannel] : numbering[channel];
                order[count++] = (long) place << 33 | (numbering[channel] == Fabric.NONE ? 1L << 32 : 0) | channel;
            }
        }
        Arrays.sort(order, 0, count);
        int[] placed = numbering.clone();
        for (int i = 0; i < count; i++) {
            placed[(int) order[i]] = i;
        }
        return placed;
    }

    /** Returns a plan of plain up/down routes, without routes of the engine. */
    public Plan upDown() {
        int root = UpDownRoutes.centre(partialPlan.subnet().fabric());
        byte[][] lfts = UpDownRoutes.from(partialPlan.subnet(), root).tables();
        RouteCounts counts = RouteCounts.of(partialPlan.withTables(lfts).build(), options, tasks);
        return plan(lfts, Optional.empty(), new int[] {root}, degradation(counts, counts.routes(), true));
    }

    private Plan plan(byte[][] lfts, Optional<MulticastTree> tree, int[] roots, Degradation facts) {
        Plan plan = partialPlan
                .withTables(lfts)
                .sls(RoutedSls.of(partialPlan, lfts))
                .multicast(tree, roots, partialPlan.multicastSls())
                .degradation(facts)
                .detours(Detours.of(lfts, partialPlan))
                .build();
        if (active != null) {
            plan.shareTables(active);
        }
        return plan;
    }

    private Degradation degradation(RouteCounts counts, long bent, boolean isUpDown) {
        Degradation previous = active == null ? null : active.degradation().orElseGet(() -> degradationOfWhole(active));
        return new Degradation(
                reason,
                isUpDown,
                counts.routes(),
                bent,
                counts.longest(),
                previous == null ? -1 : previous.longestBefore(),
                counts.worstLoad(),
                previous == null ? -1 : previous.worstLoadBefore());
    }

    /** Returns the figures of an undegraded plan, for the comparison with a degraded one. */
    private Degradation degradationOfWhole(Plan plan) {
        RouteCounts counts = RouteCounts.of(plan, options, tasks);
        return new Degradation(
                "",
                false,
                counts.routes(),
                0,
                counts.longest(),
                counts.longest(),
                counts.worstLoad(),
                counts.worstLoad());
    }

    private boolean spansAll(MulticastTree tree) {
        return IntStream.range(0, partialPlan.subnet().fabric().switchCount()).allMatch(tree::spans);
    }

    /**
     * Returns a spanning tree that closes no cycle with the kept routes: the tree of the engine, or a grown tree. If
     * none is found, returns the tree that spans most switches without a cycle, and attaches the rest to it.
     */
    private MulticastTree tree(KeptRoutes keptRoutes) {
        int sls = partialPlan.multicastSls();
        MulticastTree planTree =
                partialPlan.multicastTree().filter(this::spansAll).orElse(null);
        if (planTree != null && keptRoutes.isAcyclic(new MulticastDependencies(keptRoutes.channels, planTree, sls))) {
            return planTree;
        }
        int[] numbering = Objects.requireNonNull(keptRoutes.graph().numbering());
        int switches = keptRoutes.channels.switchCount;
        int[] roots = partialPlan.multicastRoots().length > 0
                ? partialPlan.multicastRoots()
                : new int[] {UpDownRoutes.centre(partialPlan.subnet().fabric())};
        TreeGrowth best = partialPlan
                .multicastTree()
                .map(wish -> TreeGrowth.spanning(keptRoutes.graph(), numbering, sls, wish))
                .orElseGet(() -> TreeGrowth.spanning(keptRoutes.graph(), numbering, sls, roots[0]));
        int rootLimit = Math.min(roots.length, Math.max(MIN_ROOTS, BUDGET / switches));
        for (int i = 0; i < rootLimit && best.reachedSwitches() < switches; i++) {
            TreeGrowth grown = TreeGrowth.spanning(keptRoutes.graph(), numbering, sls, roots[i]);
            best = grown.reachedSwitches() > best.reachedSwitches() ? grown : best;
        }
        best.attachRest();
        return best.tree();
    }
}
