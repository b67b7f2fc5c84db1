package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.routing.Plan;
import io.torussm.sim.SimFabric;
import io.torussm.sim.VirtualLoop;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TopologySpec;
import io.torussm.sim.topology.Topology;
import io.torussm.state.StateDirectory;
import io.torussm.testing.MortalLoop;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A fat tree without root_guid_file that loses cables: ftree goes on with few changes, also after a restart of the SM.
 */
class BrokenTreeServiceTest {
    private final Topology topology =
            TopologySpec.of("tree:leaves=4,spines=4,hosts=4").topology();
    private final VirtualLoop loop = new VirtualLoop();
    private final SimFabric fabric = new SimFabric(topology, loop, FaultPlan.NONE);

    @TempDir
    Path dir;

    @Test
    void keepsItsEngineAndItsTables() throws Exception {
        FabricSm sm = start(1, Map.of(Settings.ROUTING_ENGINE, "ftree,updn"));
        List<byte[]> whole = tables(sm);
        assertThat(Files.readString(dir.resolve("state").resolve("tree"))).contains("0x");

        fabric.unlink(leaf(), 5);
        advance(30);
        assertThat(sm.view().plan().engine()).isEqualTo("ftree");
        assertThat(sm.view().plan().degradation()).isEmpty();
        List<byte[]> mended = tables(sm);

        sm.kill();
        FabricSm second = start(2, Map.of(Settings.ROUTING_ENGINE, "ftree,updn"));
        assertThat(second.view().plan().engine()).isEqualTo("ftree");
        assertSame(tables(second), mended);

        fabric.relink(leaf(), 5);
        advance(30);
        assertSame(tables(second), whole);
    }

    @Test
    void isRoutedWithSeveralLidsOnAColdFabric() throws Exception {
        FabricSm sm = start(1, Map.of(Settings.ROUTING_ENGINE, "ftree", Settings.LMC, "1"));
        assertThat(sm.isUp()).isTrue();
        assertThat(sm.view().plan().engine()).isEqualTo("ftree");
        assertThat(sm.view().plan().degradation()).isEmpty();
    }

    private FabricSm start(int generation, Map<Setting<?>, String> settings) throws Exception {
        FabricSm sm = new FabricSm(
                        new MortalLoop(loop),
                        fabric.attach("host-0-0", 1),
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

    private static List<byte[]> tables(FabricSm sm) {
        Plan plan = sm.view().plan();
        List<byte[]> tables = new ArrayList<>();
        for (int sw = 0; sw < plan.subnet().fabric().switchCount(); sw++) {
            tables.add(plan.lft(sw).clone());
        }
        return tables;
    }

    private long leaf() {
        return topology.node("leaf-1").orElseThrow().nodeGuid();
    }

    private static void assertSame(List<byte[]> tables, List<byte[]> expected) {
        assertThat(tables).usingElementComparator(Arrays::compare).isEqualTo(expected);
    }
}
