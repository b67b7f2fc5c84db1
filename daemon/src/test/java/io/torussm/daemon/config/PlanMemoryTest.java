package io.torussm.daemon.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.FabricBuilder;
import io.torussm.routing.Engine;
import io.torussm.routing.EngineConfig;
import io.torussm.routing.EngineContext;
import io.torussm.routing.EngineFile;
import io.torussm.routing.EngineSetting;
import io.torussm.routing.Plan;
import io.torussm.routing.Sl2VlTables;
import io.torussm.subnet.Subnet;
import io.torussm.testing.TestRouting;
import io.torussm.testing.TorusSketch;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The memory of plans. An SM routes for years: a plan must not refer to the previous one, which would refer to the one
 * before that. The first plan of a torus without a cable is dropped after two others were made from it.
 */
class PlanMemoryTest {
    /** Max number of garbage collections until a plan without references is gone. */
    private static final int COLLECTIONS = 50;

    private static final String CONF = "torus_config";
    private static final String TORUS = "torus 5 5 1\nxp_link 0x200000 0x200001\nyp_link 0x200000 0x200005\n";

    /** Returns the engines that route a torus: ftree needs a tree, and file needs tables. */
    static List<Engine> engines() {
        return Engines.ALL.stream()
                .filter(engine -> !List.of("ftree", "file").contains(engine.name()))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("engines")
    void aPlanDoesNotKeepThePreviousPlanInMemory(Engine engine) {
        Subnet whole = TorusSketch.of(5, 5, 1, 1, 1).subnet();
        FabricBuilder cut = FabricBuilder.of(whole.fabric());
        cut.unlink(whole.fabric().nodeGuid(5), 1);
        Subnet withoutCable = whole.restrictedTo(cut.build());
        List<Plan> successors = new ArrayList<>();
        WeakReference<Plan> first = new WeakReference<>(routeThrice(engine, withoutCable, whole, successors));
        for (int i = 0; first.get() != null && i < COLLECTIONS; i++) {
            System.gc();
        }
        assertThat(first.get()).isNull();
        assertThat(successors).as("plans that were reachable meanwhile").hasSize(2);
    }

    /** Returns a plan for a fabric whose active plan is the similar one, too. */
    private static Plan plan(Engine engine, Subnet subnet, @Nullable Plan active) {
        Map<String, String> values =
                engine.settings().stream().collect(Collectors.toMap(EngineSetting::key, EngineSetting::byDefault));
        EngineConfig config =
                new EngineConfig(values, Map.of(CONF, EngineFile.read(CONF, TORUS)), "", Sl2VlTables.DEFAULT, 1);
        return (Plan) engine.route(new EngineContext(subnet, TestRouting.QOS, config, active, Map.of(), active));
    }

    /**
     * Returns the first plan of a subnet.
     *
     * @param successors receives the next plans, of the same subnet and of that with the cable
     */
    private static Plan routeThrice(Engine engine, Subnet withoutCable, Subnet whole, List<Plan> successors) {
        Plan first = plan(engine, withoutCable, null);
        successors.add(plan(engine, withoutCable, first));
        successors.add(plan(engine, whole, first));
        return first;
    }
}
