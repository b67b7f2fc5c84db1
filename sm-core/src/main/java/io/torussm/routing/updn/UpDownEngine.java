package io.torussm.routing.updn;

import io.torussm.event.SmEvent;
import io.torussm.routing.Engine;
import io.torussm.routing.EngineContext;
import io.torussm.routing.Plan;
import io.torussm.routing.Refusal;
import io.torussm.routing.RoutingResult;
import io.torussm.routing.Sl2VlTables;
import io.torussm.routing.UpDownRoutes;
import java.util.List;
import java.util.Optional;

/** Up/down routes from the switch in the middle of the fabric, see {@link UpDownRoutes}. */
public final class UpDownEngine implements Engine {
    /** As {@code routing_engine} calls it. */
    public static final String NAME = "updn";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public RoutingResult route(EngineContext context) {
        if (context.subnet().fabric().switchCount() == 0) {
            return new Refusal(NAME, List.of(SmEvent.ROUTING_ERROR.says("updn: there is no switch to route from")));
        }
        int root = UpDownRoutes.centre(context.subnet().fabric());
        UpDownRoutes routes = UpDownRoutes.from(context.subnet(), root);
        Sl2VlTables sl2vl = context.options().qos() ? context.config().sl2vl() : Sl2VlTables.DEFAULT;
        int groupSls = Sl2VlTables.usable(sl2vl.switchExternal()) & Sl2VlTables.usable(sl2vl.ca());
        return Plan.builder(NAME, context.subnet(), routes.tables())
                .operatorSl2Vl(sl2vl, routes.islands())
                .multicast(Optional.empty(), new int[] {root}, groupSls)
                .claimsDeadlockFree()
                .build();
    }
}
