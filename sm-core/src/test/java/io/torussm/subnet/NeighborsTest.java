package io.torussm.subnet;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.sim.VirtualLoop;
import io.torussm.state.StateDirectory;
import io.torussm.subnet.Neighbors.CableEnd;
import io.torussm.testing.Sketch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The cables of switches A and B and a host in a state directory, over restarts. */
class NeighborsTest {
    private static final long A = 0x20_0000;
    private static final long B = 0x20_0001;
    private static final long HOST = 0x10_0000_0001L;

    @TempDir
    Path dir;

    private final VirtualLoop loop = new VirtualLoop();

    private Neighbors open() throws IOException {
        return new Neighbors(StateDirectory.open(dir, loop));
    }

    /** Returns two switches: a port of A leads to port 1 of B, whose port 3 has a host. */
    private static Fabric fabric(int portOfA) {
        Sketch sketch = new Sketch();
        sketch.addSwitch("a", 3);
        sketch.addSwitch("b", 3);
        sketch.addHost(1, 3);
        sketch.link(0, portOfA, 1, 1);
        return sketch.build();
    }

    private static Fabric hostPair() {
        Sketch sketch = new Sketch();
        sketch.addHostPair();
        return sketch.build();
    }

    @Test
    void anotherSmReportsCablesUnknownHere() throws Exception {
        Path other = Files.createDirectory(dir.resolve("other"));
        Files.writeString(
                other.resolve("neighbors"),
                "0x200000:1 0x200001:1\n\n0x200001:1 0x200000:1\n\n0x77:1 0x78:1\n\n0x78:1 0x77:1\n\n");
        StateDirectory directory = StateDirectory.open(dir, loop);
        Neighbors neighbors = new Neighbors(directory);
        neighbors.remember(fabric(2));
        directory
                .examine("neighbors", Files.readAllBytes(other.resolve("neighbors")))
                .complete();
        loop.runFor(0);
        for (Neighbors each : new Neighbors[] {neighbors, open()}) {
            assertThat(each.far(A, 2)).isEqualTo(new CableEnd(B, 1));
            assertThat(each.far(A, 1)).as("where its cable was before").isNull();
            assertThat(each.far(0x77, 1)).isEqualTo(new CableEnd(0x78, 1));
        }
    }

    @Test
    void remembersBothEndsOfEachCable() throws IOException {
        Neighbors neighbors = open();
        neighbors.remember(fabric(2));
        loop.runFor(0);
        for (Neighbors each : new Neighbors[] {neighbors, open()}) {
            assertThat(each.far(A, 2)).isEqualTo(new CableEnd(B, 1));
            assertThat(each.far(B, 1)).isEqualTo(new CableEnd(A, 2));
            assertThat(each.far(HOST, 1)).isEqualTo(new CableEnd(B, 3));
            assertThat(each.far(A, 1)).isNull();
            assertThat(each.far(A, 200)).isNull();
            assertThat(each.far(7, 1)).isNull();
            assertThat(each.knows(A)).isTrue();
            assertThat(each.knows(7)).isFalse();
        }
        assertThat(dir.resolve("neighbors"))
                .content()
                .contains(
                        "\n0x0000000000200000:2 0x0000000000200001:1\n\n0x0000000000200001:1 0x0000000000200000:2\n\n");
    }

    @Test
    void aCableThatMovedIsForgottenWhereItWas() throws IOException {
        Neighbors neighbors = open();
        neighbors.remember(fabric(2));
        neighbors.remember(fabric(1));
        assertThat(neighbors.far(A, 2)).isNull();
        assertThat(neighbors.far(A, 1)).isEqualTo(new CableEnd(B, 1));
        assertThat(neighbors.far(B, 1)).isEqualTo(new CableEnd(A, 1));
    }

    @Test
    void absentDevicesAreKept() throws IOException {
        Neighbors neighbors = open();
        neighbors.remember(fabric(2));
        neighbors.remember(hostPair());
        assertThat(neighbors.far(A, 2)).isEqualTo(new CableEnd(B, 1));
        assertThat(neighbors.far(HOST, 1)).isEqualTo(new CableEnd(HOST + 0x100, 1));
        assertThat(neighbors.far(B, 3)).isNull();
    }

    @Test
    void writesOnlyNews() throws IOException {
        Neighbors neighbors = open();
        neighbors.remember(fabric(2));
        loop.runFor(0);
        Files.delete(dir.resolve("neighbors"));
        neighbors.remember(fabric(2));
        loop.runFor(0);
        assertThat(dir.resolve("neighbors")).doesNotExist();
    }

    @Test
    void readsTheFileThatOpenSmWritesAndDropsEndsThatContradictEachOther() throws IOException {
        Files.write(
                dir.resolve("neighbors"),
                List.of(
                        "0x0000000000200000:2 0x0000000000200001:1",
                        "",
                        "0x0000000000200001:1 0x0000000000200000:2",
                        "",
                        "0x0000000000200000:3 0x0000000000200001:1",
                        "",
                        "0x0000000000200000:1 0x0000000000000007:1",
                        ""));
        Neighbors neighbors = open();
        assertThat(neighbors.far(A, 2)).isEqualTo(new CableEnd(B, 1));
        assertThat(neighbors.far(B, 1)).isEqualTo(new CableEnd(A, 2));
        assertThat(neighbors.far(A, 3)).isNull();
        assertThat(neighbors.far(A, 1)).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0x1:1",
                "0x1:1 0x2:1 0x3:1",
                "0x1 0x2:1",
                "0x0:1 0x2:1",
                "0x1:0 0x2:1",
                "0x1:255 0x2:1",
                "0x1:-1 0x2:1",
                "0x1:1 0x2:99999999999",
                "0x1:1 0x2:1\n0x1:1 0x3:1",
                ":: ::"
            })
    void setsADamagedFileAside(String text) throws IOException {
        Files.writeString(dir.resolve("neighbors"), "0x5:1 0x6:1\n0x6:1 0x5:1\n" + text + "\n");
        assertThat(open().knows(5)).isFalse();
        assertThat(dir.resolve("neighbors.bad")).exists();
    }
}
