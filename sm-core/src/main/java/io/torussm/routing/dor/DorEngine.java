package io.torussm.routing.dor;

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
import io.torussm.routing.Sl2VlTables;
import java.util.ArrayList;
import java.util.List;

/** Shortest paths through the neighbour behind the first port, in the order of numbers or that of the operator. */
public final class DorEngine implements Engine {
    /** As {@code routing_engine} calls it. */
    public static final String NAME = "dor";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<EngineSetting> settings() {
        return List.of(OrderFiles.PORTS, OrderFiles.DESTINATIONS);
    }

    @Override
    public List<Finding> check(EngineConfig config, RoutingOptions options) {
        return new OrderFiles(config).findings();
    }

    @Override
    public RoutingResult route(EngineContext context) {
        boolean isQos = context.options().qos();
        Fabric fabric = context.subnet().fabric();
        OrderFiles files = new OrderFiles(context.config());
        List<Finding> findings = new ArrayList<>(files.findings());
        int[][] searched = files.searched(fabric, findings);
        if (!findings.isEmpty()) {
            return new Refusal(NAME, findings);
        }
        FirstNeighbours first = new FirstNeighbours(fabric, searched);
        int[] destinations = DestinationOrder.of(context.subnet(), files.destinations());
        byte[][] lfts = new DorTables(context.subnet(), first, searched, destinations).all();
        return Plan.builder(NAME, context.subnet(), lfts)
                .operatorSl2Vl(isQos ? context.config().sl2vl() : Sl2VlTables.DEFAULT, first.islands())
                .build();
    }
}
