package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.sm.SubnetManager;
import io.torussm.event.Finding.Severity;
import io.torussm.event.SmEvent;
import io.torussm.sim.SimFabric;
import io.torussm.sim.VirtualLoop;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TopologySpec;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Topology;
import io.torussm.testing.LoggedEvents;
import io.torussm.view.FabricState;
import io.torussm.view.RoutingState;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A healthy fabric of each shape, routed by default and by each engine that fits: no warning, no condition, and health
 * has no complaint but that there are no keys and no standby.
 */
@Tag("slow")
class HealthyFabricTest {
    @RegisterExtension
    final LoggedEvents log = new LoggedEvents();

    /** Engines that map SLs to VLs. */
    private static final Set<String> LANED = Set.of("torus-2QoS", "lash", "dfsssp", "nue");

    private static final int LINES_OF_A_TERMINAL = 24;

    @TempDir
    Path dir;

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "torus:5x4x1,hosts=1 auto/torus-2QoS/updn/dnup/lash/dfsssp/nue",
                "torus:4x3x3,hosts=1 auto/torus-2QoS",
                "torus:4x3x1,mesh=xy auto/dor/updn",
                "torus:1x1,hosts=2 auto/dor/sssp",
                "torus:2x1,hosts=1 auto/minhop/lash",
                "tree:4,2 auto/ftree/updn/dnup/minhop/nue/dfsssp",
                "tree:2,3 auto/ftree/updn/dnup",
                "tree:4,3 auto/ftree/updn",
                "tree:leaves=6,spines=3,hosts=4 auto/ftree/updn/minhop",
                "tree:leaves=4,spines=2,uplinks=4,hosts=6 auto/ftree/updn",
                "tree:down=4x3x2,up=1x2x2 auto/ftree/updn",
                "tree:4,1 auto/minhop/updn",
                "hypercube:3 auto/dor/updn/lash",
                "hypercube:4,hosts=2 auto/dor",
                "dragonfly:2,2,1 auto/updn/nue",
                "random:12,4,seed=3 auto/updn/dnup",
                "random:20,5,hosts=2,seed=7 auto",
                "pair auto/dor/updn/dnup/sssp/dfsssp/nue/lash/ftree/minhop",
                "loop auto/minhop/ftree",
            })
    void nothingIsSaidOfAHealthyFabric(String spec, String engines) throws Exception {
        for (String engine : engines.split("/", -1)) {
            VirtualLoop loop = new VirtualLoop();
            Topology topology = TopologySpec.of(spec).topology();
            SimFabric fabric = new SimFabric(topology, loop, FaultPlan.NONE);
            FabricSm sm = new FabricSm(
                    loop,
                    fabric,
                    topology.firstHost().orElseThrow().id(),
                    8,
                    ServiceHarness.options(dir, settings(spec, engine)));
            List<FabricState> states = new ArrayList<>();
            sm.discoveryListener = (state, at) -> states.add(state);
            sm.start();
            loop.runFor(TimeUnit.SECONDS.toNanos(60));
            sm.sweeper.sweepHeavy();
            loop.runFor(TimeUnit.SECONDS.toNanos(60));
            String of = spec + " by " + engine;
            assertThat(log.of(Severity.ERROR)).as(of).isEmpty();
            assertThat(log.of(Severity.WARNING)).as(of).allMatch(event -> event.event() == SmEvent.KEYS_PUBLIC);
            assertThat(states).as(of).hasSizeGreaterThan(1).allSatisfy(state -> {
                assertThat(state.routing()).isEqualTo(RoutingState.ROUTED);
                assertThat(state.findings()).allMatch(noted -> noted.finding().severity() == Severity.INFO);
                assertThat(state.absences().cables()).isEmpty();
            });
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "torus:5x4x1,hosts=1 auto 'shape: a torus'",
                "torus:5x4x1,hosts=1 torus-2QoS 'rings: 9 whole, 0 thinned, 0 open, 0 cut'",
                "torus:4x3x1,mesh=xy updn 'shape: a mesh'",
                "tree:4,3 auto 'tree: 3 levels, 16 leaves, 16 at middle, 16 spines'",
                "tree:leaves=6,spines=3,hosts=4 ftree 'tree: 2 levels, 6 leaves, 3 spines'",
                "hypercube:3 auto 'shape: a hypercube'",
                "dragonfly:3,1,1 auto 'shape: a dragonfly'",
                "random:12,4,seed=3 auto 'shape: irregular'",
                "pair auto ''",
                "loop auto ''",
                "tree:4,1 auto ''",
            })
    void healthHasNoComplaint(String spec, String engine, String shape) throws Exception {
        Map<Setting<?>, String> settings = settings(spec, engine);
        settings.put(Settings.SIMULATE, spec);
        try (RunningDaemon daemon = new RunningDaemon(dir, settings, SubnetManager::open)) {
            daemon.awaitEvent(SmEvent.SUBNET_UP.code());
            daemon.execute("sweep heavy --wait");
            assertThat(daemon.execute("conditions"))
                    .filteredOn(line -> line.contains("TSM-"))
                    .allMatch(line -> line.contains(SmEvent.KEYS_PUBLIC.code()));
            List<String> status = daemon.execute("status");
            assertThat(status).hasSizeLessThanOrEqualTo(LINES_OF_A_TERMINAL);
            assertThat(status.stream()
                            .filter(line -> line.matches("(shape|rings|tree): .*"))
                            .toList())
                    .isEqualTo(shape.isEmpty() ? List.of() : List.of(shape));
            assertThat(daemon.execute("health"))
                    .filteredOn(line -> line.matches("(bad|warning) .*"))
                    .allMatch(line ->
                            line.matches("warning +(conditions|subnet managers) .*(1 found|no standby SM is ready).*"));
            assertThat(log.of(Severity.WARNING)).allMatch(event -> event.event() == SmEvent.KEYS_PUBLIC);
            assertThat(log.of(Severity.ERROR)).isEmpty();
        }
    }

    /** Returns the settings of an engine; auto stands for the defaults. */
    private Map<Setting<?>, String> settings(String spec, String engine) throws Exception {
        Map<Setting<?>, String> settings = new TreeMap<>();
        settings.put(Settings.QOS, Boolean.toString(LANED.contains(engine)));
        settings.put(Settings.HTTP_LISTEN, "none");
        if (!engine.equals("auto")) {
            settings.put(Settings.ROUTING_ENGINE, engine);
        }
        if (engine.equals("torus-2QoS")) {
            settings.put(Settings.TORUS_CONFIG, ServiceHarness.torusConf(dir, TorusSpec.parse(spec)));
        }
        return settings;
    }
}
