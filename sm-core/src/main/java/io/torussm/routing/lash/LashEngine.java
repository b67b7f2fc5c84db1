package io.torussm.routing.lash;

import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.routing.Engine;
import io.torussm.routing.EngineConfig;
import io.torussm.routing.EngineContext;
import io.torussm.routing.EngineSetting;
import io.torussm.routing.MulticastTree;
import io.torussm.routing.Plan;
import io.torussm.routing.PlanBuilder;
import io.torussm.routing.Refusal;
import io.torussm.routing.RoutingOptions;
import io.torussm.routing.RoutingResult;
import io.torussm.routing.balance.Hops;
import io.torussm.routing.balance.Links;
import io.torussm.routing.lanes.LaneCables;
import io.torussm.routing.lanes.LaneSls;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The engine that distributes shortest paths over lanes so that no lane has a credit loop. */
public final class LashEngine implements Engine {
    /** The name in {@code routing_engine}. */
    public static final String NAME = "lash";

    private static final EngineSetting START =
            EngineSetting.number("lash_start_vl", "the first SL of paths; lower SLs are for multicast");
    private static final EngineSetting MESH = EngineSetting.flag(
            "do_mesh_analysis", "find a mesh or torus and route it in order of dimension, which needs fewer VLs");

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<EngineSetting> settings() {
        return List.of(START, MESH);
    }

    @Override
    public List<Finding> check(EngineConfig config, RoutingOptions options) {
        if (start(config) > LaneSls.LAST_SL) {
            return List.of(SmEvent.ROUTING_ERROR.finding("lash_start_vl is " + start(config)
                    + ", and that SL has no separate VL; set it to 0 to " + LaneSls.LAST_SL));
        }
        return options.qos()
                ? List.of()
                : List.of(SmEvent.ROUTING_WARNING.finding(
                        "lash has one VL without QoS, and will refuse every fabric that needs more; start with -Q, or"
                                + " set qos = true"));
    }

    /**
     * The settings of the engine.
     *
     * @param start SL of the first lane, 0 or more
     * @param isMesh true to search for a mesh or torus
     */
    record Settings(int start, boolean isMesh) {}

    private static int start(EngineConfig config) {
        return config.number(START.key());
    }

    @Override
    public RoutingResult route(EngineContext context) {
        return LaneCables.route(
                context, LaneSls.LAST_SL + 1, less -> new RoutingRun(less.withoutActivePlan()).route(less));
    }

    private static Refusal refusal(String reason) {
        return new Refusal(NAME, List.of(SmEvent.ROUTING_ERROR.finding("lash: " + reason)));
    }

    private static final class RoutingRun {
        private static final int[][] NO_TREE = {};
        private static final Finding ALL_RECOMPUTED = SmEvent.ROUTING_NOTE.finding(
                "lash: paths that were cut find no lane beside the other paths, so all paths are computed again, and SLs"
                        + " change");

        private final EngineContext context;
        private final Settings settings;
        private final Fabric fabric;
        private final Links links;
        private final LaneSls sls;
        private final LashGraph graph;

        /** The routes without regard to the active plan. */
        private final ShortestRoutes routes;

        RoutingRun(EngineContext context) {
            this.context = context;
            fabric = context.subnet().fabric();
            links = new Links(fabric);
            settings = new Settings(start(context.config()), context.config().flag(MESH.key()));
            sls = new LaneSls(context, links, settings.start());
            LashGraph plain = LashGraph.of(links, settings.isMesh());
            graph = settings.isMesh() ? MeshAnalysis.ordered(plain) : plain;
            routes = new ShortestRoutes(graph);
        }

        /** @param wholeContext input with the active plan, which the context of this run lacks */
        RoutingResult route(EngineContext wholeContext) {
            if (sls.maxLanes() == 0) {
                return refusal("SL " + sls.sl(0) + " has no separate VL; lower lash_start_vl, or raise max_op_vls");
            }
            for (int id = 0; id < routes.size(); id++) {
                if (!routes.leads(0, id)) {
                    return refusal("no cable leads from " + fabric.name(graph.switches()[0]) + " to "
                            + fabric.name(graph.switches()[id]));
                }
            }
            EarlierPairs earlier = EarlierPairs.of(wholeContext, links, graph, settings);
            return earlier == null
                    ? routeAll(List.of())
                    : repair(earlier).orElseGet(() -> routeAll(List.of(ALL_RECOMPUTED)));
        }

        /**
         * Returns a plan with the complete routes of the active plan and new routes for other pairs; empty if the lanes
         * do not suffice.
         */
        private Optional<RoutingResult> repair(EarlierPairs earlier) {
            ShortestRoutes mixed = routes.with(earlier);
            Layers layers = new Layers(mixed, sls.maxLanes(), NO_TREE, earlier);
            return layers.isComplete()
                    ? Optional.of(plan(mixed, layers, earlier)
                            .roomForMulticast(() -> withRoom(mixed, earlier).or(() -> withRoom(routes, null)))
                            .build())
                    : Optional.empty();
        }

        private RoutingResult routeAll(List<Finding> notes) {
            Layers layers = new Layers(routes, sls.maxLanes(), NO_TREE, null);
            if (!layers.isComplete()) {
                return refusal(
                        "paths need more than " + sls.maxLanes() + " VLs to be free of credit loops, and from SL "
                                + sls.sl(0) + " on there are no more; "
                                + sls.remedy("raise max_op_vls, lower lash_start_vl, or set do_mesh_analysis"));
            }
            return plan(routes, layers, null)
                    .findings(notes)
                    .roomForMulticast(() -> withRoom(routes, null))
                    .build();
        }

        private PlanBuilder plan(ShortestRoutes ways, Layers layers, @Nullable EarlierPairs earlier) {
            LashPaths paths = new LashPaths(context.subnet(), graph, layers, sls, settings);
            int[] roots = roots();
            Optional<MulticastTree> best =
                    MulticastTree.candidates(fabric, roots).findFirst();
            Optional<MulticastTree> free = MulticastTree.candidates(fabric, roots)
                    .filter(tree -> !sls.sharesVlWithMulticast() || layers.hasRoomFor(neighbours(tree)))
                    .findFirst();
            return Plan.builder(NAME, context.subnet(), paths.tables(ways, earlier))
                    .operatorSl2Vl(context, (from, to) -> true)
                    .sls(paths)
                    .explainer(paths)
                    .multicast(free.or(() -> best), roots, sls.multicastSls(layers.count()))
                    .findings(earlier == null ? List.of() : earlier.notes(layers))
                    .claimsDeadlockFree();
        }

        private int[] roots() {
            return new Hops(links).centres();
        }

        /**
         * Returns a plan whose paths leave room for the turns of a multicast tree in the first lane; empty if groups
         * share no lane with paths, or the lanes do not suffice.
         */
        private Optional<Plan> withRoom(ShortestRoutes ways, @Nullable EarlierPairs earlier) {
            return MulticastTree.candidates(fabric, roots())
                    .findFirst()
                    .filter(tree -> sls.sharesVlWithMulticast())
                    .map(tree -> new Layers(ways, sls.maxLanes(), neighbours(tree), earlier))
                    .filter(Layers::isComplete)
                    .map(layers -> plan(ways, layers, earlier).build());
        }

        /** Returns the neighbours {@code [id]} in a tree, as ids. */
        private int[][] neighbours(MulticastTree tree) {
            int[] switches = graph.switches();
            int[][] neighbours = new int[switches.length][];
            Arrays.setAll(neighbours, id -> IntStream.of(graph.targets()[id])
                    .distinct()
                    .filter(next ->
                            tree.parent(switches[id]) == switches[next] || tree.parent(switches[next]) == switches[id])
                    .toArray());
            return neighbours;
        }
    }
}
