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
 * The builder of a whole plan from the part that an engine could route before it refused. SLs and SL2VL
 * remain those of the engine, so SLs that applications received stay valid. Plans are constructed to be free
 * of credit loops, and the checker proves them like all others.
 *
 * <ol>
 *   <li>{@link KeptRoutes}: the routes that arrive, without those that close a cycle.
 *   <li>A spanning tree for multicast, which is also the path of packets without a detour. It is grown so that
 *       it closes no cycle with the kept routes. If no root has such a tree, routes that conflict with the best
 *       one are given up.
 *   <li>{@link DetourGrowth}: the shortest safe detours for all others.
 * </ol>
 *
 * <p>On a connected fabric this cannot fail, since all packets could use the tree. If a defect makes it fail,
 * plain up/down routes remain ({@link UpDownRoutes}). Pure; the result does not depend on the plan that was
 * active.
 */
public final class LastResort {
    /** Upper limit of roots times switches for which trees are grown. A few roots are always tried. */
    private static final int BUDGET = 1 << 12;

    private static final int FEWEST_ROOTS = 2;

    /** Number of dependencies that each step may visit to find cycles: about a second. */
    static final long EFFORT = 1 << 24;

    /**
     * Share of routes that may be lost to credit loops, for an engine that does not claim to be free of them.
     * Above it detours are long and concentrate on few links, and plain up/down routes are better (minhop on
     * 10x10x10: 36,478 routes over the worst link, not 355,292).
     */
    private static final double MOST_LOST = 0.25;

    /** Number of searches for detours. Each starts with the destinations that had none in the previous one. */
    private static final int ATTEMPTS = 4;

    private final Plan partial;
    private final String reason;
    private final @Nullable Plan active;
    private final RoutingOptions options;
    private final DeadlockChecker.TrafficSource known;
    private final int tasks;

    /**
     * Creates a builder.
     *
     * @param partial see {@link io.torussm.routing.Refusal#partial}
     * @param reason why the engine refused
     * @param active the active plan, to compare with; null if there is none
     * @param known source of traffic of the engine's tables that needs no walk, since an earlier proof covers
     *     most of it
     * @param tasks number of parallel parts, at least 1
     */
    public LastResort(
            Plan partial,
            String reason,
            @Nullable Plan active,
            RoutingOptions options,
            DeadlockChecker.TrafficSource known,
            int tasks) {
        this.partial = partial;
        this.reason = reason;
        this.active = active;
        this.options = options;
        this.known = known;
        this.tasks = tasks;
    }

    /**
     * Returns a plan with as many routes of the engine as possible, or with none if these would be too few.
     * If possible the tree is for multicast alone, otherwise all packets may use it.
     */
    public Plan completed() {
        KeptRoutes keptRoutes = new KeptRoutes(partial, options, known, tasks);
        if (!partial.claimsDeadlockFree() && keptRoutes.lostShare() > MOST_LOST) {
            return upDown();
        }
        MulticastTree tree = tree(keptRoutes);
        return withDetours(keptRoutes, tree, false)
                .or(() -> withDetours(keptRoutes, tree, true))
                .orElseThrow();
    }

    private Optional<Plan> withDetours(KeptRoutes keptRoutes, MulticastTree tree, boolean isForAllSls) {
        int sls = partial.multicastSls() | (isForAllSls ? keptRoutes.sls() : 0);
        MulticastDependencies onTree = new MulticastDependencies(keptRoutes.channels, tree, sls);
        keptRoutes.yieldTo(onTree);
        if (keptRoutes.isComplete()) {
            Degradation facts = facts(keptRoutes.counts(), 0, false);
            return Optional.of(
                    plan(keptRoutes.lfts, Optional.of(tree.ofSwitchesWithTable()), partial.multicastRoots(), facts));
        }
        ChannelDependencyGraph graph = keptRoutes.graph().with(onTree);
        int[] numbering = beside(Objects.requireNonNull(graph.numbering()));
        List<Integer> urgent = new ArrayList<>();
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            DetourGrowth growth =
                    new DetourGrowth(keptRoutes, new GrowingOrder(graph, numbering, EFFORT), tree, isForAllSls);
            int stuck = growth.complete(urgent);
            if (stuck == Fabric.NONE) {
                Degradation facts = facts(keptRoutes.count(growth.tables()), growth.bent(), false);
                return Optional.of(plan(
                        growth.tables(), Optional.of(tree.ofSwitchesWithTable()), partial.multicastRoots(), facts));
            } else if (urgent.contains(stuck)) {
                return Optional.empty();
            }
            urgent.add(0, stuck);
        }
        return Optional.empty();
    }

    /**
     * Numbers unused lanes next to another lane of the same link. Detours use links in the same order as
     * other packets. If new lanes came after all others, each would have to be moved past most of the fabric.
     */
    private static int[] beside(int[] numbering) {
        long[] order = new long[numbering.length];
        int count = 0;
        for (int first = 0; first < numbering.length; first += Channels.VLS) {
            int used = first;
            while (used < first + Channels.VLS && numbering[used] == Fabric.NONE) {
                used++;
            }
            for (int vl = 0; vl < Channels.VLS && used < first + Channels.VLS; vl++) {
                int channel = first + vl;
                int place = numbering[channel] == Fabric.NONE ? numbering[used] : numbering[channel];
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

    /** Returns a plan without routes of the engine. */
    public Plan upDown() {
        int root = UpDownRoutes.centre(partial.subnet().fabric());
        byte[][] lfts = UpDownRoutes.from(partial.subnet(), root).tables();
        RouteCounts counts = RouteCounts.of(partial.withTables(lfts).build(), options, tasks);
        return plan(lfts, Optional.empty(), new int[] {root}, facts(counts, counts.routes(), true));
    }

    private Plan plan(byte[][] lfts, Optional<MulticastTree> tree, int[] roots, Degradation facts) {
        Plan plan = partial.withTables(lfts)
                .sls(RoutedSls.of(partial, lfts))
                .multicast(tree, roots, partial.multicastSls())
                .degradation(facts)
                .detours(Detours.of(lfts, partial))
                .build();
        if (active != null) {
            plan.shareTables(active);
        }
        return plan;
    }

    private Degradation facts(RouteCounts counts, long bent, boolean isUpDown) {
        Degradation previous = active == null ? null : active.degradation().orElseGet(() -> whole(active));
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

    /** Returns the figures of an undegraded plan for comparison. */
    private Degradation whole(Plan plan) {
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
        return IntStream.range(0, partial.subnet().fabric().switchCount()).allMatch(tree::spans);
    }

    /**
     * Returns a spanning tree that closes no cycle with the kept routes. If there is none, returns the one
     * with the fewest conflicts.
     */
    private MulticastTree tree(KeptRoutes keptRoutes) {
        int sls = partial.multicastSls();
        MulticastTree usual = partial.multicastTree().filter(this::spansAll).orElse(null);
        if (usual != null && keptRoutes.isAcyclic(new MulticastDependencies(keptRoutes.channels, usual, sls))) {
            return usual;
        }
        int[] numbering = Objects.requireNonNull(keptRoutes.graph().numbering());
        int switches = keptRoutes.channels.switchCount;
        int[] roots = partial.multicastRoots().length > 0
                ? partial.multicastRoots()
                : new int[] {UpDownRoutes.centre(partial.subnet().fabric())};
        TreeGrowth best = partial.multicastTree()
                .map(wish -> TreeGrowth.spanning(keptRoutes.graph(), numbering, sls, wish))
                .orElseGet(() -> TreeGrowth.spanning(keptRoutes.graph(), numbering, sls, roots[0]));
        int tried = Math.min(roots.length, Math.max(FEWEST_ROOTS, BUDGET / switches));
        for (int i = 0; i < tried && best.reached() < switches; i++) {
            TreeGrowth grown = TreeGrowth.spanning(keptRoutes.graph(), numbering, sls, roots[i]);
            best = grown.reached() > best.reached() ? grown : best;
        }
        best.force();
        return best.tree();
    }
}
