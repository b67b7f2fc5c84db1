package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.mad.Gid;
import io.torussm.routing.RoutingOptions;
import io.torussm.routing.RoutingPlan;
import io.torussm.routing.minhop.MinHopEngine;
import io.torussm.sim.VirtualLoop;
import io.torussm.state.StateDirectory;
import io.torussm.subnet.Subnet;
import io.torussm.testing.Sketch;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlaceStoreTest {
    private static final RoutingOptions OPTIONS = new RoutingOptions(true, 5, 0);

    @TempDir
    Path dir;

    private final VirtualLoop loop = new VirtualLoop();

    private PlaceStore open() throws IOException {
        return new PlaceStore(StateDirectory.open(dir, loop));
    }

    /** A plan of as many switches as there are places; an empty place is none. */
    private static RoutingPlan plan(String... places) {
        Sketch sketch = new Sketch();
        for (int sw = 0; sw < places.length; sw++) {
            sketch.addSwitch("sw " + sw, 2);
        }
        Fabric fabric = sketch.build();
        Subnet subnet =
                new Subnet(fabric, new int[fabric.portCount()], new byte[fabric.portCount()], Gid.DEFAULT_PREFIX);
        RoutingPlan plan = (RoutingPlan) new MinHopEngine().route(subnet, OPTIONS);
        return (RoutingPlan) Proxy.newProxyInstance(
                RoutingPlan.class.getClassLoader(),
                new Class<?>[] {RoutingPlan.class},
                (self, method, arguments) -> method.getName().equals("place")
                        ? places[(Integer) arguments[0]]
                        : method.invoke(plan, arguments));
    }

    private List<String> changes(RoutingPlan plan) throws IOException {
        return open().changesTo(plan).stream()
                .map(finding -> finding.severity() + " " + finding.text())
                .toList();
    }

    @Test
    void tellsAfterARestartWhatWasRebuilt() throws IOException {
        open().remember(plan("(0,0,0)", "(1,0,0)", "(2,0,0)"));
        loop.runFor(0);
        assertThat(Files.readAllLines(dir.resolve("places"))).contains("0x0000000000200001 (1,0,0) sw 1");
        assertThat(changes(plan("(0,0,0)", "(1,0,0)", "(2,0,0)"))).isEmpty();
        assertThat(changes(plan("(0,0,0)", "", "(1,0,0)", "(3,0,0)")))
                .containsExactly(
                        "WARNING since the last run: switch (1,0,0) 0x0000000000200001 \"sw 1\" is gone",
                        "WARNING since the last run: switch (2,0,0) 0x0000000000200002 \"sw 2\" has moved to (1,0,0)",
                        "INFO since the last run: switch (3,0,0) 0x0000000000200003 \"sw 3\" is new");
    }

    @Test
    void tellsNothingWhereNothingIsKnownOrTheEngineKnowsNoPlaces() throws IOException {
        assertThat(changes(plan("(0,0,0)"))).isEmpty();
        open().remember(plan("(0,0,0)"));
        loop.runFor(0);
        open().remember(plan("", ""));
        loop.runFor(0);
        assertThat(changes(plan("", ""))).isEmpty();
        assertThat(changes(plan("", "(0,0,0)"))).hasSize(2);
    }

    @Test
    void tellsTheFirstFewOfManyChanges() throws IOException {
        String[] many = new String[PlaceStore.MAX_TOLD + 6];
        for (int i = 0; i < many.length; i++) {
            many[i] = "(" + i + ",0,0)";
        }
        open().remember(plan("(9,9,9)"));
        loop.runFor(0);
        assertThat(changes(plan(many)))
                .hasSize(PlaceStore.MAX_TOLD + 1)
                .last()
                .isEqualTo("WARNING since the last run: 6 more switches changed");
    }

    @Test
    void believesNothingOfAFileThatSaysWhatCannotBe() throws IOException {
        StateDirectory state = StateDirectory.open(dir, loop);
        for (String line : List.of("0x1", "0x1 here", "0x1 (1,2)", "1x (1,2,3)", "0x2 (0,0,0)")) {
            state.write(PlaceStore.FILE, () -> List.of("0x2 (1,1,1) b", line).stream());
            loop.runFor(0);
            assertThat(changes(plan("(0,0,0)"))).isEmpty();
            assertThat(dir.resolve("places.bad")).exists();
        }
    }
}
