package io.torussm.subnet;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.mad.Gid;
import io.torussm.sim.VirtualLoop;
import io.torussm.state.StateDirectory;
import io.torussm.testing.Sketch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The LIDs of two switches A and B in a state directory, over restarts. Ranges follow from the LMC. */
class LidStoreTest {
    @TempDir
    Path dir;

    private static final long A = 0x200000L;
    private static final long B = 0x200001L;

    private final VirtualLoop loop = new VirtualLoop();

    /** The outcome of each write of LIDs: true if the disk has them. */
    private final List<Boolean> writeOutcomes = new ArrayList<>();

    private Map<Long, Integer> lids() throws IOException {
        return new LidStore(StateDirectory.open(dir, loop)).lids();
    }

    /** Returns a subnet of two switches, of which only one has LIDs. */
    private static Subnet subnet(int sw, int lid, int lmc) {
        Sketch sketch = new Sketch();
        sketch.addSwitch("a", 2);
        sketch.addSwitch("b", 2);
        Fabric fabric = sketch.build();
        int[] lids = new int[fabric.portCount()];
        byte[] lmcs = new byte[fabric.portCount()];
        lids[fabric.port(sw, 0)] = lid;
        lmcs[fabric.port(sw, 0)] = (byte) lmc;
        return new Subnet(fabric, lids, lmcs, Gid.DEFAULT_PREFIX);
    }

    @Test
    void keepsWholeRangesOfPortsThatAreAbsent() throws IOException {
        LidStore store = new LidStore(StateDirectory.open(dir, loop));
        store.remember(subnet(0, 8, 3), writeOutcomes::add);
        store.remember(subnet(1, 4, 1), writeOutcomes::add);
        loop.runFor(0);
        assertThat(dir.resolve("guid2lid"))
                .content()
                .contains("0x0000000000200000 0x0008 0x000f\n\n0x0000000000200001 0x0004 0x0005\n\n");
        assertThat(lids()).containsOnly(Map.entry(A, 8), Map.entry(B, 4));
    }

    @Test
    void forgetsAnAbsentPortOnceAnyOfItsLidsIsAnothers() throws IOException {
        LidStore store = new LidStore(StateDirectory.open(dir, loop));
        store.remember(subnet(0, 8, 3), writeOutcomes::add);
        store.remember(subnet(1, 10, 1), writeOutcomes::add);
        loop.runFor(0);
        assertThat(lids()).containsOnly(Map.entry(B, 10));
    }

    @Test
    void writesOnlyChanges() throws IOException {
        LidStore store = new LidStore(StateDirectory.open(dir, loop));
        store.remember(subnet(0, 8, 0), writeOutcomes::add);
        loop.runFor(0);
        Files.delete(dir.resolve("guid2lid"));
        store.remember(subnet(0, 8, 0), writeOutcomes::add);
        loop.runFor(0);
        assertThat(dir.resolve("guid2lid")).doesNotExist();
    }

    @Test
    void tellsOnceTheyAreOnTheDiskAndAtOnceIfTheyWere() throws IOException {
        LidStore store = new LidStore(StateDirectory.open(dir, loop));
        store.remember(subnet(0, 8, 0), writeOutcomes::add);
        store.remember(subnet(0, 8, 0), writeOutcomes::add);
        assertThat(writeOutcomes).as("nothing is written yet").isEmpty();
        loop.runFor(0);
        assertThat(writeOutcomes).containsExactly(true, true);
        assertThat(lids()).containsOnly(Map.entry(A, 8));
        new LidStore(StateDirectory.open(dir, loop)).remember(subnet(0, 8, 0), writeOutcomes::add);
        assertThat(writeOutcomes).as("after a restart").containsExactly(true, true, true);
    }

    @Test
    void tellsThatTheDiskFailsAndTriesAgain() throws IOException {
        Path tmp = Files.createDirectory(dir.resolve("guid2lid.tmp"));
        Files.createFile(tmp.resolve("in the way"));
        LidStore store = new LidStore(StateDirectory.open(dir, loop));
        store.remember(subnet(0, 8, 0), writeOutcomes::add);
        loop.runFor(0);
        store.remember(subnet(0, 8, 0), writeOutcomes::add);
        loop.runFor(0);
        assertThat(writeOutcomes).containsExactly(false, false);
        Files.delete(tmp.resolve("in the way"));
        Files.delete(tmp);
        store.remember(subnet(0, 8, 0), writeOutcomes::add);
        loop.runFor(0);
        assertThat(writeOutcomes).containsExactly(false, false, true);
        assertThat(lids()).containsOnly(Map.entry(A, 8));
    }

    @Test
    void aReplacedFileIsNotTakenForWritten() throws Exception {
        StateDirectory directory = StateDirectory.open(dir, loop);
        LidStore store = new LidStore(directory);
        store.remember(subnet(0, 8, 0), writeOutcomes::add);
        directory.examine("guid2lid", fileOfOtherSm(subnet(0, 2, 0))).replace();
        loop.runFor(0);
        writeOutcomes.clear();
        store.remember(subnet(0, 8, 0), writeOutcomes::add);
        assertThat(writeOutcomes).as("the file holds what the other SM kept").isEmpty();
        loop.runFor(0);
        assertThat(lids()).containsOnly(Map.entry(A, 8));
    }

    /** Returns the file of another SM's store. */
    private byte[] fileOfOtherSm(Subnet... subnets) throws IOException {
        Path other = Files.createDirectory(dir.resolve("other"));
        LidStore store = new LidStore(StateDirectory.open(other, loop));
        for (Subnet subnet : subnets) {
            store.remember(subnet, writeOutcomes::add);
        }
        loop.runFor(0);
        return Files.readAllBytes(other.resolve("guid2lid"));
    }

    @Test
    void isReplacedByTheFileOfTheMaster() throws Exception {
        StateDirectory directory = StateDirectory.open(dir, loop);
        LidStore store = new LidStore(directory);
        store.remember(subnet(0, 8, 3), writeOutcomes::add);
        directory
                .examine("guid2lid", fileOfOtherSm(subnet(0, 2, 0), subnet(1, 4, 1)))
                .replace();
        loop.runFor(0);
        assertThat(store.lids()).containsOnly(Map.entry(A, 2), Map.entry(B, 4));
        assertThat(lids()).isEqualTo(store.lids());
    }

    @Test
    void isCompletedWithLidsThatAreStillFree() throws Exception {
        StateDirectory directory = StateDirectory.open(dir, loop);
        LidStore store = new LidStore(directory);
        store.remember(subnet(0, 8, 0), writeOutcomes::add);
        StateDirectory.Adoption adoption =
                directory.examine("guid2lid", fileOfOtherSm(subnet(0, 2, 0), subnet(1, 4, 1)));
        adoption.complete();
        assertThat(store.lids()).containsOnly(Map.entry(A, 8), Map.entry(B, 4));
        assertThat(store.lid(A)).isEqualTo(8);
        assertThat(store.lid(A + B)).isZero();
    }

    @Test
    void isNotCompletedWithLidsThatAreTaken() throws Exception {
        StateDirectory directory = StateDirectory.open(dir, loop);
        LidStore store = new LidStore(directory);
        store.remember(subnet(0, 5, 0), writeOutcomes::add);
        directory.examine("guid2lid", fileOfOtherSm(subnet(1, 4, 1))).complete();
        assertThat(store.lids()).containsOnly(Map.entry(A, 5));
    }

    @Test
    void readsTheFileThatOpenSmWrites() throws IOException {
        Files.writeString(
                dir.resolve("guid2lid"), "0x0000000100000001 0x0004 0x0004\n\n0x0000000000200000 0x0008 0x000b\n\n");
        assertThat(lids())
                .containsEntry(0x100000001L, 4)
                .containsEntry(0x200000L, 8)
                .hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0x1 0x4",
                "0x1 0x4 0x4 0x5",
                "guid 0x4 0x4",
                "0x1 four 0x4",
                "0x0 0x4 0x4",
                "0x1 0x0 0x0",
                "0x1 0xc000 0xc000",
                "0x1 0x5 0x4",
                "0x1 0x4 0x6",
                "0x1 0x5 0x6",
                "0x1 0x4 0x4\n0x2 0x4 0x4",
                "0x1 0x4 0x4\n0x1 0x5 0x5",
                "\u0000\u0001\u0002"
            })
    void setsADamagedFileAsideAndTrustsNoneOfIt(String text) throws IOException {
        Files.writeString(dir.resolve("guid2lid"), "0x7 0x9 0x9\n" + text + "\n");
        assertThat(lids()).isEmpty();
        assertThat(dir.resolve("guid2lid")).doesNotExist();
        assertThat(dir.resolve("guid2lid.bad")).content().contains("0x7 0x9 0x9");
    }
}
