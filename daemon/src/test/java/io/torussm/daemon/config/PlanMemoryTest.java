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

/** An SM routes for years: a plan must not hold on to the one before, which would hold on to the one before that. */
class PlanMemoryTest {
    private static final int ATTEMPTS = 50;
    private static final String CONF = "torus_config";
    private static final String TORUS = "torus 5 5 1\nxp_link 0x200000 0x200001\nyp_link 0x200000 0x200005\n";

    static List<Engine> engines() {
        return Engines.ALL.stream()
                .filter(engine -> !List.of("ftree", "file").contains(engine.name()))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("engines")
    void aPlanDoesNotHoldOnToTheOneBefore(Engine engine) {
        Subnet whole = TorusSketch.of(5, 5, 1, 1, 1).subnet();
        FabricBuilder cut = FabricBuilder.of(whole.fabric());
        cut.unlink(whole.fabric().nodeGuid(5), 1);
        Subnet less = whole.restrictedTo(cut.build());
        List<Plan> later = new ArrayList<>();
        WeakReference<Plan> gone = new WeakReference<>(first(engine, less, whole, later));
        for (int attempt = 0; gone.get() != null && attempt < ATTEMPTS; attempt++) {
            System.gc();
        }
        assertThat(gone.get()).isNull();
        assertThat(later).as("these were still there").hasSize(2);
    }

    /** Returns a plan for a fabric whose active plan is the similar one, too. */
    private static Plan plan(Engine engine, Subnet subnet, @Nullable Plan active) {
        Map<String, String> values =
                engine.settings().stream().collect(Collectors.toMap(EngineSetting::key, EngineSetting::byDefault));
        EngineConfig config =
                new EngineConfig(values, Map.of(CONF, EngineFile.read(CONF, TORUS)), "", Sl2VlTables.DEFAULT, 1);
        return (Plan) engine.route(new EngineContext(subnet, TestRouting.QOS, config, active, Map.of(), active));
    }

    /** @param later receives the successors of the first plan, on the same subnet and with a cable restored */
    private static Plan first(Engine engine, Subnet less, Subnet whole, List<Plan> later) {
        Plan first = plan(engine, less, null);
        later.add(plan(engine, less, first));
        later.add(plan(engine, whole, first));
        return first;
    }
}
