package io.torussm.routing.sssp;

import io.torussm.event.Finding;
import io.torussm.routing.Engine;
import io.torussm.routing.EngineConfig;
import io.torussm.routing.EngineContext;
import io.torussm.routing.EngineSetting;
import io.torussm.routing.Plan;
import io.torussm.routing.Refusal;
import io.torussm.routing.RoutingOptions;
import io.torussm.routing.RoutingResult;
import io.torussm.routing.balance.Hops;
import io.torussm.routing.balance.Links;
import io.torussm.routing.weights.KeptEntries;
import io.torussm.routing.weights.WeightReasons;
import io.torussm.routing.weights.WeightedTables;
import java.util.List;
import java.util.Optional;

/** The engine for paths of least weight, which balances the load over the whole fabric. */
public final class SsspEngine implements Engine {
    /** The name in {@code routing_engine}. */
    public static final String NAME = "sssp";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<EngineSetting> settings() {
        return WeightedTables.settings();
    }

    @Override
    public List<Finding> check(EngineConfig config, RoutingOptions options) {
        return WeightedTables.check(config);
    }

    @Override
    public RoutingResult route(EngineContext context) {
        Optional<Refusal> fileErrors = WeightedTables.refusal(NAME, context);
        if (fileErrors.isPresent()) {
            return fileErrors.get();
        }
        Links links = WeightedTables.links(context);
        WeightedTables tables = new WeightedTables(context, links, KeptEntries.none(context.subnet(), links));
        Optional<Refusal> refusal = tables.refusal(NAME);
        return refusal.isPresent()
                ? refusal.get()
                : Plan.builder(NAME, context.subnet(), tables.lfts())
                        .operatorSl2Vl(context, (from, to) -> true)
                        .multicastFrom(new Hops(links).centres())
                        .explainer(new WeightReasons(links))
                        .build();
    }
}
