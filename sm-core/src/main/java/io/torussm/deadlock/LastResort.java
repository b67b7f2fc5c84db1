package io.torussm.deadlock;

import io.torussm.routing.Degradation;
import io.torussm.routing.MulticastTree;
import io.torussm.routing.Plan;
import io.torussm.routing.RoutingOptions;
import io.torussm.routing.UpDownRoutes;
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
        DetourGrowth growth = null;
        MulticastTree tree = null;
        for (int root : IntStream.of(roots()).limit(ROOTS).toArray()) {
            TreeGrowth grown = TreeGrowth.spanning(kept.graph(), kept.numbering(), root, sls);
            if (grown != null) {
                tree = grown.tree();
                growth = new DetourGrowth(kept, grown.order(), tree);
                break;
            }
        }
        trace += tree == null ? " noescape" : " escape";
        if (growth == null) {
            growth = new DetourGrowth(kept, new GrowingOrder(kept.graph(), kept.numbering()), null);
        }
        boolean ok = growth.complete();
        trace += " impasses=" + growth.impasses + (ok ? " ok" : " fail");
        if (!ok) {
            return Optional.empty();
        }
        return Optional.of(partial.withTables(kept.lfts)
                .sls(new RoutedSls(partial.sls(), partial.subnet(), kept.lfts))
                .multicast(Optional.ofNullable(tree), roots(), partial.multicastSls())
                .build());
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
