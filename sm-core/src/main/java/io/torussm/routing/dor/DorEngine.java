package io.torussm.routing.dor;

import io.torussm.event.Finding;
import io.torussm.routing.Engine;
import io.torussm.routing.EngineConfig;
import io.torussm.routing.EngineContext;
import io.torussm.routing.EngineSetting;
import io.torussm.routing.RoutingOptions;
import io.torussm.routing.RoutingResult;
import io.torussm.routing.balance.BalancedTables;
import io.torussm.routing.balance.Balancing;
import java.util.List;

/**
 * The engine for dimension order: shortest paths through the neighbour at the first allowed port. The order of
 * ports is that of their numbers, or that of the operator.
 */
public final class DorEngine implements Engine {
    /** The name in {@code routing_engine}. */
    public static final String NAME = "dor";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<EngineSetting> settings() {
        return Balancing.SETTINGS;
    }

    @Override
    public List<Finding> check(EngineConfig config, RoutingOptions options) {
        return new Balancing(config).findings();
    }

    @Override
    public RoutingResult route(EngineContext context) {
        return BalancedTables.shortest(context, NAME, true);
    }
}
