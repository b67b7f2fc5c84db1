package io.torussm.sweep.stages;

import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.deadlock.chain.RoutingChain;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.routing.Plan;
import io.torussm.routing.RetainedRoutes;
import io.torussm.routing.RoutingOptions;
import io.torussm.stage.Phase;
import io.torussm.stage.Stage;
import io.torussm.stage.StageContext;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The stage that adopts the tables of switches, if no engine routes the fabric and no engine of this process has routed
 * it. The tables become a plan if they are free of credit loops with the SLs of an engine's partial plan; the proof is
 * computed on the pool.
 *
 * <p>The input is {@code [switch][LID]}, the egress ports of the linear forwarding tables; null for a switch without a
 * table.
 */
final class AdoptedRoutes implements Stage<byte[] @Nullable [], AdoptedRoutes.AdoptionOutcome> {
    private final Executor pool;
    private final RoutingChain engines;
    private final RoutingOptions options;
    private final Plan partial;
    private final @Nullable Plan first;

    /**
     * The outcome of the check.
     *
     * @param routed adopted routes; {@link Routed#NONE} if the tables are not adopted
     * @param reasons the reasons why the tables are not adopted; empty if they are
     */
    record AdoptionOutcome(Routed routed, List<Finding> reasons) {
        static AdoptionOutcome refused(String reason) {
            return new AdoptionOutcome(Routed.NONE, List.of(SmEvent.ROUTES_NOT_ADOPTED.finding(reason)));
        }
    }

    /**
     * Creates the stage.
     *
     * @param partial routes of an engine before its refusal; their SLs and SL2VL tables are used
     * @param first the first adopted plan, from which a switch without a table takes its table; null if there is none
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
    public void start(StageContext context, byte[] @Nullable [] tables, Consumer<AdoptionOutcome> then) {
        context.compute(
                pool,
                () -> RetainedRoutes.ofAdopted(
                                partial, RetainedRoutes.completeTables(tables, partial.subnet(), first), first)
                        .map(this::prove)
                        .orElseGet(() -> AdoptionOutcome.refused("the switch next to the SM has no routes to it")),
                then);
    }

    private AdoptionOutcome prove(Plan plan) {
        DeadlockChecker.Proof proof = engines.prove(plan, options);
        if (!(proof.verdict() instanceof Certificate certificate)) {
            return AdoptionOutcome.refused(proof.verdict().text());
        }
        return new AdoptionOutcome(
                new Routed(
                        plan,
                        proof.multicast(),
                        held -> engines.transition(held, null, plan, certificate, options),
                        null),
                List.of());
    }
}
