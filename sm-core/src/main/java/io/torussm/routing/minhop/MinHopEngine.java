package io.torussm.routing.minhop;

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

/** The engine for shortest paths, which are distributed over ports by their number. */
public final class MinHopEngine implements Engine {
    /** The name in {@code routing_engine}. */
    public static final String NAME = "minhop";

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
        return BalancedTables.shortest(context, NAME, false);
    }
}
