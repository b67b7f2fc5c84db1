package io.torussm.routing.dfsssp;

import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.routing.Engine;
import io.torussm.routing.EngineConfig;
import io.torussm.routing.EngineContext;
import io.torussm.routing.EngineSetting;
import io.torussm.routing.Refusal;
import io.torussm.routing.RoutingOptions;
import io.torussm.routing.RoutingResult;
import io.torussm.routing.lanes.LaneCables;
import io.torussm.routing.lanes.LaneSls;
import io.torussm.routing.weights.WeightedTables;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The engine that distributes paths of least weight over lanes so that no lane has a credit loop. */
public final class DfssspEngine implements Engine {
    /** The name in {@code routing_engine}. */
    public static final String NAME = "dfsssp";

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
        List<Finding> findings = new ArrayList<>(WeightedTables.check(config));
        if (!options.qos()) {
            findings.add(SmEvent.ROUTING_WARNING.finding(
                    "dfsssp has one VL without QoS, and will refuse every fabric that needs more; start with -Q, or set"
                            + " qos = true"));
        }
        return findings;
    }

    @Override
    public RoutingResult route(EngineContext context) {
        Optional<Refusal> refusal = WeightedTables.refusal(NAME, context);
        return refusal.isPresent() ? refusal.get() : LaneCables.route(context, LaneSls.LAST_SL + 1, LaneRouting::route);
    }
}
