package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.control.SubnetStatus;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.sim.SimFabric;
import io.torussm.sim.VirtualLoop;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Topology;
import io.torussm.state.StateDirectory;
import io.torussm.testing.LoggedEvents;
import io.torussm.testing.MortalLoop;
import io.torussm.view.RoutingState;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A fabric that no named engine routes: the default engine follows where switches have no tables to keep. */
class DefaultEngineTest {
    private static final TorusSpec TORUS = TorusSpec.parse("torus:5x4x1,hosts=1");

    @RegisterExtension
    final LoggedEvents log = new LoggedEvents();

    private final VirtualLoop loop = new VirtualLoop();
    private final Topology topology = TORUS.topology();
    private final SimFabric fabric = new SimFabric(topology, loop, FaultPlan.NONE);

    @TempDir
    Path dir;

    private FabricSm start(int generation, String engines) throws Exception {
        Map<Setting<?>, String> settings = new HashMap<>();
        settings.put(Settings.TORUS_CONFIG, ServiceHarness.torusConf(dir, TORUS));
        settings.put(Settings.ROUTING_ENGINE, engines);
        FabricSm sm = new FabricSm(
                        new MortalLoop(loop),
                        fabric.attach("host-0-0-0-0", 1),
                        8,
                        ServiceHarness.options(dir, settings),
                        StateDirectory.open(dir.resolve("state"), loop),
                        generation)
                .start();
        advance(30);
        return sm;
    }

    private void advance(int seconds) {
        loop.runFor(TimeUnit.SECONDS.toNanos(seconds));
    }

    private void assertIsRoutedByDefault(FabricSm sm) {
        assertThat(sm.view().plan().engine()).isEqualTo("minhop");
        assertThat(sm.view().plan().retention()).isEmpty();
        assertThat(sm.sweeper.state().fallback().orElseThrow().finding().text())
                .startsWith("routed by minhop, the default engine: ftree refused: ");
        assertThat(SubnetStatus.Routing.of(sm.sweeper.state()).text())
                .contains("minhop, the default engine", "ftree refused");
    }

    @Test
    void routesAColdFabricThatAllOthersRefuse() throws Exception {
        FabricSm sm = start(1, "ftree");
        assertIsRoutedByDefault(sm);
        assertThat(log.only(SmEvent.FALLBACK_ENGINE).get(EventField.TEXT)).contains("no switch is above others");
        assertThat(log.of(SmEvent.ROUTING_ERROR)).noneMatch(error -> error.names("ftree"));

        fabric.unlink(topology.node("sw-1-1-0").orElseThrow().nodeGuid(), 1);
        advance(30);
        assertIsRoutedByDefault(sm);

        sm.kill();
        assertIsRoutedByDefault(start(2, "ftree"));
    }

    /** Hosts use the SLs of the default engine until they query again, and the next SM has no earlier routes. */
    @ParameterizedTest
    @CsvSource({"ftree, torus-2QoS, true", "ftree, ftree, false", "torus-2QoS, torus-2QoS, false"})
    void reportsTheSlsThatChangeWithTheEngineAtARestart(String first, String second, boolean isReported)
            throws Exception {
        start(1, first).kill();

        FabricSm next = start(2, second);
        assertThat(next.sweeper.counts().changedSls() > 0).isEqualTo(isReported);
        assertThat(log.of(SmEvent.SLS_CHANGED))
                .hasSize(isReported ? 1 : 0)
                .allMatch(event -> event.names(
                        next.sweeper.counts().changedSls() + " paths", "host-0-0-0-0", "from minhop to torus-2QoS"));
    }

    @Test
    void doesNotFollowIfNothingMayFollow() throws Exception {
        FabricSm sm = start(1, "ftree,no_fallback");
        assertThat(sm.sweeper.view()).isNull();
        assertThat(log.of(SmEvent.FALLBACK_ENGINE)).isEmpty();
    }

    @Test
    void keepsTheTablesOfAnotherEngine() throws Exception {
        FabricSm sm = start(1, "torus-2QoS");
        assertThat(sm.view().plan().engine()).isEqualTo("torus-2QoS");
        sm.kill();

        FabricSm second = start(2, "ftree");
        assertThat(second.sweeper.view()).isNull();
        assertThat(second.sweeper.state().routing()).isEqualTo(RoutingState.REFUSED);
        assertThat(log.of(SmEvent.FALLBACK_ENGINE)).isEmpty();
    }

    /** Hosts use the tables of all switches that kept power. */
    @ParameterizedTest
    @ValueSource(strings = {"sw-0-0-0", "sw-0-0-0 sw-1-0-0 sw-0-1-0"})
    void keepsTheTablesOfAnotherEngineIfSomeSwitchesLostTheirs(String cold) throws Exception {
        start(1, "torus-2QoS").kill();
        List<byte[]> held = tables();
        for (String name : cold.split(" ", -1)) {
            long guid = topology.node(name).orElseThrow().nodeGuid();
            fabric.failSwitch(guid);
            fabric.restoreSwitch(guid);
        }

        FabricSm second = start(2, "ftree");
        assertThat(second.sweeper.state().routing()).isEqualTo(RoutingState.REFUSED);
        assertThat(log.of(SmEvent.FALLBACK_ENGINE)).isEmpty();
        assertThat(tables()).as("of the others").containsAll(held.subList(held.size() - 10, held.size()));
    }

    private List<byte[]> tables() {
        return topology.nodes().stream()
                .filter(Topology.Node::isSwitch)
                .map(sw -> FabricJudge.Tables.of(sw, fabric).lft())
                .toList();
    }
}
