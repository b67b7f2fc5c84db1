package io.torussm.sweep.stages;

import io.torussm.deadlock.chain.RoutingChain;
import io.torussm.program.table.ForwardingReading;
import io.torussm.routing.Plan;
import io.torussm.routing.RetainedRoutes;
import io.torussm.routing.RoutingOptions;
import io.torussm.stage.Phase;
import io.torussm.stage.Stage;
import io.torussm.stage.StageContext;
import io.torussm.subnet.Subnet;
import io.torussm.view.PublishedView;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The stage for a subnet that no engine routes. It retains these routes:
 * <ul>
 * <li>the published routes ({@link RemainingRoutes}), if an engine of this process made them, or if no engine provides
 * SLs;
 * <li>otherwise the tables of the switches ({@link AdoptedRoutes});
 * <li>none, if nothing is published and no engine provides SLs.
 * </ul>
 */
final class RetainedRoutesStage implements Stage<Subnet, AdoptedRoutes.AdoptionOutcome> {
    private final Executor pool;
    private final RoutingChain engines;
    private final RoutingOptions options;
    private final @Nullable Plan partial;
    private final @Nullable PublishedView published;
    private final ForwardingReading reading;

    /**
     * Creates the stage.
     *
     * @param partial the routes of an engine before its refusal; null if there are none
     * @param published the published view; null before the first subnet is up
     * @param reading reads the tables of switches
     */
    RetainedRoutesStage(
            Executor pool,
            RoutingChain engines,
            RoutingOptions options,
            @Nullable Plan partial,
            @Nullable PublishedView published,
            ForwardingReading reading) {
        this.pool = pool;
        this.engines = engines;
        this.options = options;
        this.partial = partial;
        this.published = published;
        this.reading = reading;
    }

    @Override
    public Phase phase() {
        return Phase.ROUTE;
    }

    @Override
    public void start(StageContext context, Subnet subnet, Consumer<AdoptedRoutes.AdoptionOutcome> then) {
        Plan active = published == null ? null : published.plan().asRouted();
        boolean isOwn = active != null && !active.isAdopted();
        if (published != null && (isOwn || partial == null)) {
            new RemainingRoutes(
                            pool,
                            engines,
                            options,
                            published,
                            currentSubnet ->
                                    RetainedRoutes.ofRefused(published.plan(), published.multicast(), currentSubnet))
                    .start(
                            context,
                            subnet,
                            routed -> then.accept(new AdoptedRoutes.AdoptionOutcome(routed, List.of())));
        } else if (partial == null) {
            then.accept(AdoptedRoutes.AdoptionOutcome.refused(
                    "no engine says which SLs paths have while it refuses the fabric"));
        } else {
            AdoptedRoutes adopting =
                    new AdoptedRoutes(pool, engines, options, partial.with(subnet.vportLids()), active);
            reading.start(context, subnet, held -> adopting.start(context, held, then));
        }
    }
}
