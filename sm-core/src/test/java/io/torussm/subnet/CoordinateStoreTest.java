package io.torussm.subnet;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.sim.VirtualLoop;
import io.torussm.state.StateDirectory;
import io.torussm.testing.Sketch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The coordinates of switches in a state directory, over restarts. Switch n has the n-th coordinates. */
class CoordinateStoreTest {
    @TempDir
    Path dir;

    private final VirtualLoop loop = new VirtualLoop();

    private CoordinateStore open() throws IOException {
        return new CoordinateStore(StateDirectory.open(dir, loop));
    }

    /** Returns a fabric with one switch for each coordinates; empty coordinates are unknown. */
    private static Fabric fabric(String... coordinates) {
        Sketch sketch = new Sketch();
        for (int sw = 0; sw < coordinates.length; sw++) {
            sketch.addSwitch("sw " + sw, 2);
        }
        return sketch.build();
    }

    private void remember(String... coordinates) throws IOException {
        open().remember(fabric(coordinates), sw -> coordinates[sw]);
    }

    private List<String> changes(String... coordinates) throws IOException {
        return open().changesTo(fabric(coordinates), sw -> coordinates[sw]).stream()
                .map(finding -> finding.severity() + " " + finding.text())
                .toList();
    }

    @Test
    void reportsRebuiltStateAfterARestart() throws IOException {
        remember("(0,0,0)", "(1,0,0)", "(2,0,0)");
        loop.runFor(0);
        assertThat(Files.readAllLines(dir.resolve("places"))).contains("0x0000000000200001 (1,0,0) sw 1");
        assertThat(changes("(0,0,0)", "(1,0,0)", "(2,0,0)")).isEmpty();
        assertThat(changes("(0,0,0)", "", "(1,0,0)", "(3,0,0)"))
                .containsExactly(
                        "WARNING since the last run: switch (1,0,0) 0x0000000000200001 \"sw 1\" is gone",
                        "WARNING since the last run: switch (2,0,0) 0x0000000000200002 \"sw 2\" has moved to (1,0,0)",
                        "INFO since the last run: switch (3,0,0) 0x0000000000200003 \"sw 3\" is new");
    }

    @Test
    void knowsASwitchThatIsGoneUntilAnotherHasItsPlace() throws IOException {
        CoordinateStore store = open();
        String[] first = {"(0,0,0)", "(1,0,0)", "(2,0,0)"};
        store.remember(fabric(first), sw -> first[sw]);
        long last = fabric(first).nodeGuid(2);
        String[] second = {"(0,0,0)", "(1,0,0)"};
        store.remember(fabric(second), sw -> second[sw]);
        assertThat(store.place(last)).isEqualTo(new CoordinateStore.Place("(2,0,0)", "sw 2"));
        assertThat(store.knownPlaces()).containsEntry(last, new CoordinateStore.Place("(2,0,0)", "sw 2"));
        String[] third = {"(0,0,0)", "(2,0,0)"};
        store.remember(fabric(third), sw -> third[sw]);
        assertThat(store.place(last)).isNull();
    }

    @Test
    void tellsNothingWhereNothingIsKnownOrTheEngineKnowsNoPlaces() throws IOException {
        assertThat(changes("(0,0,0)")).isEmpty();
        remember("(0,0,0)");
        loop.runFor(0);
        remember("", "");
        loop.runFor(0);
        assertThat(changes("", "")).isEmpty();
        assertThat(changes("", "(0,0,0)")).hasSize(2);
    }

    @Test
    void tellsTheFirstFewOfManyChanges() throws IOException {
        String[] many = new String[CoordinateStore.MAX_LISTED + 6];
        for (int i = 0; i < many.length; i++) {
            many[i] = "(" + i + ",0,0)";
        }
        remember("(9,9,9)");
        loop.runFor(0);
        assertThat(changes(many))
                .hasSize(CoordinateStore.MAX_LISTED + 1)
                .last()
                .isEqualTo("WARNING since the last run: 6 more switches changed");
    }

    @Test
    void discardsAFileWithImpossibleValues() throws IOException {
        StateDirectory state = StateDirectory.open(dir, loop);
        for (String line : List.of("0x1", "0x1 here", "0x1 (1,2)", "1x (1,2,3)", "0x2 (0,0,0)")) {
            state.write(CoordinateStore.FILE, () -> List.of("0x2 (1,1,1) b", line).stream());
            loop.runFor(0);
            assertThat(changes("(0,0,0)")).isEmpty();
            assertThat(dir.resolve("places.bad")).exists();
        }
    }
}
