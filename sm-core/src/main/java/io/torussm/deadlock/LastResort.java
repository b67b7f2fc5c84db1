package io.torussm.deadlock;

import io.torussm.routing.Degradation;
import io.torussm.routing.MulticastTree;
import io.torussm.routing.Plan;
import io.torussm.routing.RoutingOptions;
import io.torussm.routing.UpDownRoutes;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Makes a whole plan of what an engine could route before it refused. SLs and SL2VL stay the engine's. As many of its
 * routes are kept as close no credit loop; where none can be completed, all go up and down a tree.
 */
final class LastResort {
    /** Roots that are tried for the tree of escapes. */
    private static final int ROOTS = 4;

    private static final int ROOT_BUDGET = 1 << 12;

    private final Plan partial;
    private final RoutingOptions options;
    private final int tasks;

    LastResort(Plan partial, String reason, @Nullable Plan standing, RoutingOptions options, DeadlockChecker checker) {
        this.partial = partial;
        this.options = options;
        this.tasks = checker.tasks();
    }

    static String trace = "";

    java.util.List<Plan> plans() {
        trace = "";
        return java.util.stream.Stream.concat(withDetours().stream(), java.util.stream.Stream.of(upDown())).toList();
    }

    /** A plan that keeps routes; empty if they cannot be completed. */
    Optional<Plan> withDetours() {
        KeptRoutes kept = new KeptRoutes(partial, options, tasks);
        int sls = slsOf(kept);
        MulticastTree tree = tree(kept, sls);
        MulticastDependencies escapes = new MulticastDependencies(kept.channels, tree, sls);
        int before = Arrays.stream(kept.dead).mapToInt(d -> d.length).sum();
        kept.yieldTo(escapes);
        int after = Arrays.stream(kept.dead).mapToInt(d -> d.length).sum();
        ChannelDependencyGraph graph = kept.graph().with(escapes);
        DetourGrowth growth =
                new DetourGrowth(kept, new GrowingOrder(graph, Objects.requireNonNull(graph.numbering())), tree);
        growth.complete();
        trace += (after > before ? " yield" : "") + " impasses=" + growth.impasses;
        return Optional.of(partial.withTables(kept.lfts)
                .sls(new RoutedSls(partial.sls(), partial.subnet(), kept.lfts))
                .multicast(Optional.ofNullable(tree), roots(), partial.multicastSls())
                .build());
    }

    /** A spanning tree that closes no cycle with the routes that are kept, or else the one of which most does not. */
    private MulticastTree tree(KeptRoutes kept, int sls) {
        int[] numbering = Objects.requireNonNull(kept.graph().numbering());
        int switches = kept.channels.switchCount;
        TreeGrowth best = null;
        for (int root : IntStream.of(roots()).limit(Math.max(ROOTS, ROOT_BUDGET / switches)).toArray()) {
            TreeGrowth grown = TreeGrowth.spanning(kept.graph(), numbering, root, sls);
            best = best == null || grown.reached() > best.reached() ? grown : best;
            if (best.reached() == switches) {
                return best.tree();
            }
        }
        best.force();
        return best.tree();
    }

    Plan upDown() {
        int root = UpDownRoutes.centre(partial.subnet().fabric());
        byte[][] lfts = UpDownRoutes.from(partial.subnet(), root).tables();
        return partial.withTables(lfts)
                .sls(new RoutedSls(partial.sls(), partial.subnet(), lfts))
                .multicast(Optional.empty(), new int[] {root}, partial.multicastSls())
                .build();
    }

    private int[] roots() {
        return partial.multicastRoots();
    }

    private int slsOf(KeptRoutes kept) {
        int sls = partial.multicastSls();
        int top = partial.subnet().topLid();
        for (int group = 0; group < kept.groups.count(); group++) {
            int lid = kept.groups.members(group)[0];
            for (int sw = 0; sw < kept.channels.switchCount; sw++) {
                sls |= partial.slMask(sw, lid);
            }
        }
        return sls;
    }
}
