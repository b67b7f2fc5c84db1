package io.torussm.routing.nue;

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
import java.util.List;
import java.util.Optional;

/** The engine that searches only among paths that close no credit loop, with any number of VLs. */
public final class NueEngine implements Engine {
    /** The name in {@code routing_engine}. */
    public static final String NAME = "nue";

    private static final EngineSetting VLS =
            EngineSetting.number("nue_max_num_vls", 1, "VLs among which destinations are distributed; 0: all");
    private static final EngineSetting SWITCHES = EngineSetting.flag(
            "nue_include_switches", "distribute ports 0 of switches among VLs like hosts; false: all on the first VL");

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<EngineSetting> settings() {
        return List.of(VLS, SWITCHES, WeightedTables.AVOID_THROTTLED);
    }

    @Override
    public List<Finding> check(EngineConfig config, RoutingOptions options) {
        return options.qos() || lanes(config) == 1
                ? List.of()
                : List.of(SmEvent.ROUTING_WARNING.finding(
                        "nue has one VL without QoS, with any nue_max_num_vls; start with -Q, or set qos = true"));
    }

    /** Returns the number of VLs that the setting requests; 0 for all available VLs. */
    static int lanes(EngineConfig config) {
        return Integer.parseInt(config.values().getOrDefault(VLS.key(), VLS.byDefault()));
    }

    /** Checks whether ports 0 of switches are assigned to VLs like hosts. */
    static boolean includesSwitches(EngineConfig config) {
        return config.flag(SWITCHES.key());
    }

    @Override
    public RoutingResult route(EngineContext context) {
        Optional<Refusal> refusal = WeightedTables.refusal(NAME, context);
        return refusal.isPresent()
                ? refusal.get()
                : LaneCables.route(
                        context,
                        lanes(context.config()) == 0 ? LaneSls.LAST_SL + 1 : lanes(context.config()),
                        less -> new NueRouting(less).route());
    }
}
