package io.torussm.sweep;

import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.deadlock.RoutingChain;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.routing.Plan;
import io.torussm.routing.RoutingOptions;
import io.torussm.routing.StandingRoutes;
import io.torussm.stage.Phase;
import io.torussm.stage.Stage;
import io.torussm.stage.StageContext;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * No engine routes the fabric, and this SM has routed it never: checks the tables that switches hold, on the pool. They are taken
 * for a plan if they are free of credit loops with the SLs that an engine vouches for. What is given are tables by switch.
 */
final class AdoptedRoutes implements Stage<byte[] @Nullable [], AdoptedRoutes.Result> {
    private final Executor pool;
    private final RoutingChain engines;
    private final RoutingOptions options;
    private final Plan partial;
    private final @Nullable Plan first;

    /**
     * What came of it.
     *
     * @param reasons why nothing is adopted; else empty
     */
    record Result(Routed routed, List<Finding> reasons) {
        static Result not(String why) {
            return new Result(Routed.NOT, List.of(SmEvent.ROUTES_NOT_ADOPTED.says(why)));
        }
    }

    /**
     * Creates the stage.
     *
     * @param partial what an engine could route before it refused; its SLs and SL2VL count
     * @param first what was adopted first; a switch that holds nothing gets what it held then
     */
    AdoptedRoutes(Executor pool, RoutingChain engines, RoutingOptions options, Plan partial, @Nullable Plan first) {
        this.pool = pool;
        this.engines = engines;
        this.options = options;
        this.partial = partial;
        this.first = first;
    }

    @Override
    public Phase phase() {
        return Phase.ROUTE;
    }

    @Override
    public void start(StageContext context, byte[] @Nullable [] held, Consumer<Result> then) {
        context.compute(
                pool,
                () -> StandingRoutes.adopted(partial, StandingRoutes.completed(held, partial.subnet(), first), first)
                        .map(this::judged)
                        .orElseGet(() -> Result.not("the switch that the SM hangs on holds no routes to it")),
                then);
    }

    private Result judged(Plan plan) {
        DeadlockChecker.Proof proof = engines.prove(plan, options);
        if (!(proof.verdict() instanceof Certificate certificate)) {
            return Result.not(proof.verdict().text());
        }
        return new Result(
                new Routed(
                        plan,
                        proof.multicast(),
                        held -> engines.transition(held, null, plan, certificate, options),
                        null),
                List.of());
    }
}
