package io.torussm.sweep.stages;

import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.Cycle;
import io.torussm.deadlock.HeldTables;
import io.torussm.deadlock.chain.ReadyPlan;
import io.torussm.deadlock.chain.RoutingChain;
import io.torussm.deadlock.transition.StaleTraffic;
import io.torussm.deadlock.transition.Transition;
import io.torussm.program.table.ForwardingReading;
import io.torussm.routing.EarlierFacts;
import io.torussm.routing.Plan;
import io.torussm.routing.RetainedRoutes;
import io.torussm.routing.RoutingOptions;
import io.torussm.stage.Phase;
import io.torussm.stage.Stage;
import io.torussm.stage.StageContext;
import io.torussm.subnet.Subnet;
import io.torussm.sweep.idle.ReadyPlans;
import io.torussm.sweep.state.PlanDifference;
import io.torussm.view.PublishedView;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The stage that runs the engines, proves their routes, and compares them with the published routes, all on the
 * pool. Before the first publication, their SLs are compared with those before this mastership. The stage ends with
 * the proof, because writes of tables do not wait for the comparison.
 */
final class Routing implements Stage<Subnet, Routed> {
    private final Executor pool;
    private final RoutingChain engines;
    private final RoutingOptions options;
    private final PreviousState previous;
    private final @Nullable PublishedView published;
    private final Map<Integer, byte[]> staleTables;
    private final ForwardingReading reading;
    private final Consumer<PlanDifference> onCompared;

    /**
     * The previous state.
     *
     * @param published the published view; null if there is none
     * @param proof the last proof, from which the next proof starts; null if there is none
     * @param remembered coordinates and tree of the fabric before faults
     * @param ready precomputed plans; null if there are none
     * @param view the view before this mastership, whose SLs hosts may use if none is published
     */
    record PreviousState(
            @Nullable PublishedView published,
            @Nullable Certificate proof,
            EarlierFacts remembered,
            @Nullable ReadyPlans ready,
            RememberedView view) {}

    /**
     * Creates the stage.
     *
     * @param stale linear forwarding tables of switches that are no longer routed but still forward, by switch index
     *     of the published subnet
     * @param reading reads the tables of switches, before a default engine replaces them
     * @param onCompared receives the comparison, on the loop
     */
    Routing(
            Executor pool,
            RoutingChain engines,
            RoutingOptions options,
            PreviousState before,
            Map<Integer, byte[]> stale,
            ForwardingReading reading,
            Consumer<PlanDifference> onCompared) {
        this.pool = pool;
        this.engines = engines;
        this.options = options;
        this.previous = before;
        this.published = before.published();
        this.staleTables = stale;
        this.reading = reading;
        this.onCompared = onCompared;
    }

    @Override
    public Phase phase() {
        return Phase.ROUTE;
    }

    @Override
    public void start(StageContext context, Subnet subnet, Consumer<Routed> then) {
        context.compute(pool, () -> routed(subnet), routed -> {
            RoutingChain.ChainResult result = routed.result();
            if (published == null && result != null && result.partialPlan() == null && !result.isAccepted()) {
                routeByDefaultIfPossible(context, subnet, routed, then);
            } else {
                compare(context, routed, then);
            }
        });
    }

    private void compare(StageContext context, Routed routed, Consumer<Routed> then) {
        context.compute(pool, () -> difference(routed.plan()), onCompared);
        then.accept(routed);
    }

    private PlanDifference difference(@Nullable Plan plan) {
        return published == null
                ? PlanDifference.ofSls(previous.view().read(), plan)
                : PlanDifference.of(published, plan);
    }

    private void routeByDefaultIfPossible(StageContext context, Subnet subnet, Routed refused, Consumer<Routed> then) {
        if (!engines.hasDefault()) {
            compare(context, refused, then);
            return;
        }
        reading.start(
                context,
                subnet,
                held -> context.compute(
                        pool, () -> routeByDefault(subnet, refused, held), routed -> compare(context, routed, then)));
    }

    /**
     * Routes with the default engine, unless switches contain tables of another engine, which are then kept. This is
     * the case if a switch with tables has remembered coordinates, or the tables could deadlock with the SLs of the
     * default engine. A switch that lost its tables is treated as if it had the tables of the default engine.
     *
     * @param held {@code [switch][LID]}, linear forwarding tables; null for a switch without a table
     */
    private Routed routeByDefault(Subnet subnet, Routed refused, byte[] @Nullable [] held) {
        RoutingChain.ChainResult result = engines.orDefault(subnet, options, Objects.requireNonNull(refused.result()));
        Plan plan = result.plan();
        boolean isToBeKept = plan != null && (hasTablesAtPlaces(subnet, held) || canDeadlock(plan, subnet, held));
        return isToBeKept ? refused : routed(result, tables -> engines.transition(tables, null, result, options));
    }

    private boolean hasTablesAtPlaces(Subnet subnet, byte[] @Nullable [] held) {
        return IntStream.range(0, held.length)
                .anyMatch(sw -> held[sw] != null
                        && previous.remembered()
                                .places()
                                .containsKey(subnet.fabric().nodeGuid(sw)));
    }

    private boolean canDeadlock(Plan plan, Subnet subnet, byte[] @Nullable [] held) {
        return RetainedRoutes.ofAdopted(plan, RetainedRoutes.completeTables(held, subnet, plan), null)
                .filter(keptPlan -> engines.prove(keptPlan, options).verdict() instanceof Cycle)
                .isPresent();
    }

    private Routed routed(Subnet subnet) {
        Routed readyRoutes = readyRoutes(subnet);
        return readyRoutes == null ? computeRoutes(subnet) : readyRoutes;
    }

    /** Returns the precomputed routes for this subnet; null if there are none. */
    private @Nullable Routed readyRoutes(Subnet subnet) {
        ReadyPlans plans = previous.ready();
        Plan active = publishedPlan();
        Certificate proof = previous.proof();
        if (plans == null || published == null || active == null || proof == null) {
            return null;
        }
        ReadyPlan ready =
                plans.planFor(new ReadyPlans.Basis(published.subnet(), active, engines, options, proof), subnet);
        RoutingChain.ChainResult result =
                ready == null ? null : engines.route(subnet, options, active, previous.remembered(), proof, ready);
        if (ready == null || result == null) {
            return null;
        }
        plans.countTaken();
        Plan plan = Objects.requireNonNull(result.plan());
        return routed(withTrafficFindings(result), held -> {
            Transition order = ready.transition(held, active, plan);
            return order == null ? engines.transition(held, active, result, options) : order;
        });
    }

    private Routed computeRoutes(Subnet subnet) {
        RoutingChain.ChainResult result = withTrafficFindings(
                engines.route(subnet, options, publishedPlan(), previous.remembered(), previous.proof()));
        return routed(result, held -> engines.transition(held, publishedPlan(), result, options));
    }

    private static Routed routed(RoutingChain.ChainResult result, Function<HeldTables, Transition> order) {
        return new Routed(result.plan(), result.multicast(), order, result);
    }

    /** Adds the findings on traffic of switches that are no longer routed but still forward. */
    private RoutingChain.ChainResult withTrafficFindings(RoutingChain.ChainResult result) {
        Plan plan = result.plan();
        return plan == null || published == null || staleTables.isEmpty()
                ? result
                : result.with(StaleTraffic.findings(plan, result.verdict(), options, published.plan(), staleTables));
    }

    /** Returns the published plan as its engine made it; null if there is none. */
    private @Nullable Plan publishedPlan() {
        return published == null ? null : published.plan().asRouted();
    }
}
