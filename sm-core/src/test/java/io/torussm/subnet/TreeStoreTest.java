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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A tree in a state directory, over restarts: spine 0, and leaves 1 and 2 with two cables and one cable to it. */
class TreeStoreTest {
    @TempDir
    Path dir;

    private final VirtualLoop loop = new VirtualLoop();

    private TreeStore open() throws IOException {
        return new TreeStore(StateDirectory.open(dir, loop));
    }

    /** Returns a tree: leaf 1 with two cables to spine 0, leaf 2 with one. */
    private static WholeTree tree() {
        Sketch sketch = new Sketch();
        for (int sw = 0; sw < 3; sw++) {
            sketch.addSwitch("sw " + sw, 4);
        }
        sketch.link(1, 1, 0, 1);
        sketch.link(1, 2, 0, 2);
        sketch.link(2, 1, 0, 3);
        sketch.link(1, 3, 2, 3);
        Fabric fabric = sketch.build();
        return WholeTree.of(fabric, sw -> sw == 0 ? 0 : 1);
    }

    @Test
    void remembersATreeOverARestart() throws IOException {
        TreeStore store = open();
        assertThat(store.tree()).isNull();
        store.remember(tree());
        loop.runFor(0);
        assertThat(Files.readAllLines(dir.resolve("tree")))
                .contains("0x0000000000200000 0")
                .contains("0x0000000000200001 1 1-0x0000000000200000:1 2-0x0000000000200000:2")
                .contains("0x0000000000200002 1 1-0x0000000000200000:3");
        assertThat(open().tree()).isEqualTo(tree());
    }

    @Test
    void writesWhatChangedAlone() throws IOException {
        TreeStore store = open();
        store.remember(tree());
        loop.runFor(0);
        Files.delete(dir.resolve("tree"));
        store.remember(tree());
        loop.runFor(0);
        assertThat(dir.resolve("tree")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0x1", "0x1 x", "0x1 -1", "0x1 1 2-0x3", "0x1 1 255-0x3:1", "spine 1", "0x1 1 2-0x3:4:5"})
    void setsADamagedFileAside(String line) throws IOException {
        StateDirectory.open(dir, loop).write(TreeStore.FILE, () -> List.of(line).stream());
        loop.runFor(0);
        assertThat(open().tree()).isNull();
        assertThat(dir.resolve("tree.bad")).exists();
    }
}
