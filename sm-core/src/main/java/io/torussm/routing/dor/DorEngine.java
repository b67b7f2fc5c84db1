package io.torussm.routing.dor;

import io.torussm.routing.Engine;
import io.torussm.routing.EngineContext;
import io.torussm.routing.Plan;
import io.torussm.routing.RoutingResult;
import io.torussm.routing.Sl2VlTables;

/** Shortest paths through the neighbour behind the lowest port. */
public final class DorEngine implements Engine {
    /** As {@code routing_engine} calls it. */
    public static final String NAME = "dor";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public RoutingResult route(EngineContext context) {
        boolean isQos = context.options().qos();
        FirstNeighbours first = new FirstNeighbours(context.subnet().fabric());
        byte[][] lfts = new DorTables(context.subnet(), first).all();
        return Plan.builder(NAME, context.subnet(), lfts)
                .operatorSl2Vl(isQos ? context.config().sl2vl() : Sl2VlTables.DEFAULT, first.islands())
                .build();
    }
}
