package io.torussm.routing.minhop;

import io.torussm.event.Finding;
import io.torussm.fabric.Fabric;
import io.torussm.routing.Engine;
import io.torussm.routing.EngineConfig;
import io.torussm.routing.EngineContext;
import io.torussm.routing.EngineSetting;
import io.torussm.routing.Plan;
import io.torussm.routing.Refusal;
import io.torussm.routing.RoutingOptions;
import io.torussm.routing.RoutingResult;
import io.torussm.routing.balance.BalancedTables;
import io.torussm.routing.balance.Balancing;
import io.torussm.routing.balance.Hops;
import io.torussm.routing.balance.Links;
import java.util.List;

/** Shortest paths, spread by counting. */
public final class MinHopEngine implements Engine {
    /** As {@code routing_engine} calls it. */
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
        Fabric fabric = context.subnet().fabric();
        Balancing balancing = new Balancing(context.config());
        List<Finding> findings = balancing.findings(fabric);
        if (!findings.isEmpty()) {
            return new Refusal(NAME, findings);
        }
        Links links = new Links(fabric);
        Hops hops = new Hops(links, balancing.weights(fabric));
        byte[][] lfts = new BalancedTables(context, NAME, links, balancing, false).along(hops);
        return Plan.builder(NAME, context.subnet(), lfts)
                .operatorSl2Vl(context, (from, to) -> hops.hops(from, to) != Hops.NONE)
                .multicastFrom(hops.centres())
                .build();
    }
}
