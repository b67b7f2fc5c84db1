package io.torussm.sweep.stages;

import io.torussm.deadlock.chain.RoutingChain;
import io.torussm.routing.Plan;
import io.torussm.routing.RoutingOptions;
import io.torussm.stage.Phase;
import io.torussm.stage.Stage;
import io.torussm.stage.StageContext;
import io.torussm.subnet.Subnet;
import io.torussm.view.PublishedView;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The stage that retains the part of the published routes that still reaches its destinations, and proves that part on
 * the pool. It runs no engine.
 */
final class RemainingRoutes implements Stage<Subnet, Routed> {
    private final Executor pool;
    private final RoutingChain engines;
    private final RoutingOptions options;
    private final PublishedView published;
    private final Function<Subnet, Optional<Plan>> remaining;

    /**
     * Creates the stage.
     *
     * @param remaining returns the published plan on a subnet, or empty if its routes do not serve the SM; called on
     *     the pool
     */
    RemainingRoutes(
            Executor pool,
            RoutingChain engines,
            RoutingOptions options,
            PublishedView published,
            Function<Subnet, Optional<Plan>> remaining) {
        this.pool = pool;
        this.engines = engines;
        this.options = options;
        this.published = published;
        this.remaining = remaining;
    }

    @Override
    public Phase phase() {
        return Phase.ROUTE;
    }

    @Override
    public void start(StageContext context, Subnet subnet, Consumer<Routed> then) {
        context.compute(pool, () -> remaining.apply(subnet).map(this::routed).orElse(Routed.NONE), then);
    }

    private Routed routed(Plan plan) {
        return new Routed(
                plan,
                plan.multicastTree().orElse(null),
                held -> engines.transition(
                        held,
                        published.plan().asRouted(),
                        plan,
                        engines.prove(plan, options).verdict(),
                        options),
                null);
    }
}
