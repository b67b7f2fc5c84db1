package io.torussm.subnet;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.sim.VirtualLoop;
import io.torussm.state.StateDirectory;
import io.torussm.state.StateFile;
import io.torussm.subnet.VPortLids.VPortLid;
import io.torussm.testing.Sketch;
import io.torussm.testing.Subnets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The LIDs of virtual ports in a state directory, and in a subnet. */
class VPortLidStoreTest {
    @TempDir
    Path dir;

    private static final long PORT = 0x100001L;
    private static final VPortLids LIDS = VPortLids.of(
                    new LinkedHashMap<>(Map.of(0x77L, new VPortLid(0x21, PORT, true))))
            .with(0x78, new VPortLid(0x22, PORT, false));

    private final VirtualLoop loop = new VirtualLoop();
    private final List<String> written = new ArrayList<>();

    private VPortLidStore store() throws IOException {
        return new VPortLidStore(StateDirectory.open(dir, loop));
    }

    @Test
    void theFileHasALineForEach() throws IOException {
        store().replace(LIDS, () -> written.add("yes"));
        assertThat(written).isEmpty();
        loop.runFor(0);
        assertThat(written).hasSize(1);
        assertThat(dir.resolve("vport2lid")).content().contains("""
            0x0000000000000077 0x0021 0x0000000000100001
            0x0000000000000078 0x0022 0x0000000000100001 absent
            """);
        assertThat(store().lids()).isEqualTo(LIDS);
    }

    @Test
    void theSameLidsAreNotWrittenAgain() throws IOException {
        VPortLidStore store = store();
        store.replace(LIDS, () -> written.add("first"));
        loop.runFor(0);
        Files.delete(dir.resolve("vport2lid"));
        store.replace(LIDS.without(0x99), () -> written.add("second"));
        assertThat(written).containsExactly("first", "second");
        loop.runFor(0);
        assertThat(dir.resolve("vport2lid")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0x77 0x21",
                "0x77 0x21 0x1 gone",
                "0x0 0x21 0x1",
                "0x77 0x0 0x1",
                "0x77 0xc000 0x1",
                "0x77 0x21 0x0",
                "0x77 x 0x1",
                "0x77 0x21 0x1\n0x77 0x22 0x1",
                "0x77 0x21 0x1\n0x78 0x21 0x1"
            })
    void aFaultyFileIsNotUsed(String lines) throws IOException {
        Files.write(dir.resolve("vport2lid"), VPortLidStore.FILE.content(lines.lines()));
        assertThat(store().lids()).isEqualTo(VPortLids.NONE);
        assertThat(dir.resolve("vport2lid.bad")).exists();
    }

    @Test
    void theLidsOfAnotherSmAreAdoptedOrCompleteTheOwn() throws Exception {
        StateDirectory directory = StateDirectory.none(loop);
        VPortLidStore store = new VPortLidStore(directory);
        StateDirectory.Adoption adoption = directory.examine("vport2lid", content("0x77 0x21 0x1", "0x78 0x22 0x1"));
        store.replace(VPortLids.NONE.with(0x79, new VPortLid(0x22, 1, true)), () -> {});
        adoption.complete();
        assertThat(store.lids().guids()).containsExactlyInAnyOrder(0x77L, 0x79L);
        adoption.replace();
        assertThat(store.lids().guids()).containsExactlyInAnyOrder(0x77L, 0x78L);
    }

    private static byte[] content(String... lines) {
        StateFile file = VPortLidStore.FILE;
        return file.content(List.of(lines).stream());
    }

    @Test
    void aLidLeadsToItsGuid() {
        assertThat(LIDS.guidOf(0x21)).isEqualTo(0x77);
        assertThat(LIDS.guidOf(0x23)).isZero();
        VPortLids moved = LIDS.with(0x77, new VPortLid(0x23, PORT, true));
        assertThat(moved.guidOf(0x21)).isZero();
        assertThat(moved.guidOf(0x23)).isEqualTo(0x77);
        assertThat(moved.without(0x77).guidOf(0x23)).isZero();
    }

    @Test
    void aSubnetLeavesOutLidsThatPortsHave() {
        Sketch sketch = new Sketch();
        int sw = sketch.addSwitch("switch", 4);
        sketch.addHost(sw, 1);
        sketch.addHost(sw, 2);
        Fabric fabric = sketch.build();
        long guid = fabric.portGuid(fabric.port(1, 1));
        Subnet plain = Subnets.of(fabric, 1);
        int port = plain.portOfLid(plain.lid(fabric.port(1, 1)));
        Subnet subnet = plain.with(VPortLids.NONE
                .with(1, new VPortLid(20, guid, true))
                .with(2, new VPortLid(plain.lid(port), guid, true))
                .with(3, new VPortLid(21, guid, false))
                .with(4, new VPortLid(22, 0x5555, true)));
        assertThat(subnet.vportLids().guids()).containsExactly(1L);
        assertThat(subnet.topLid()).as("the end of a block").isEqualTo(63);
        assertThat(subnet.portOfLid(20)).isEqualTo(port);
        assertThat(subnet.deliveryPort(20)).isEqualTo(1);
        assertThat(subnet.routedLid(20)).isEqualTo(plain.lid(port));
        assertThat(subnet.routedLid(plain.lid(port) + 1)).isEqualTo(plain.lid(port) + 1);
        assertThat(subnet.routedLid(19)).isEqualTo(19);
        assertThat(subnet.restrictedTo(fabric).vportLids()).isEqualTo(subnet.vportLids());
        assertThat(subnet.with(fabric).portOfLid(20)).isEqualTo(port);
        assertThat(subnet.with(VPortLids.NONE).portOfLid(20)).isEqualTo(Fabric.NONE);
        assertThat(plain.with(VPortLids.NONE)).isSameAs(plain);
    }

    @Test
    void aNewPortGetsNoLidOfAPresentVPort() {
        Sketch sketch = new Sketch();
        int sw = sketch.addSwitch("switch", 4);
        sketch.addHost(sw, 1);
        sketch.addHost(sw, 2);
        Fabric fabric = sketch.build();
        VPortLids vports = VPortLids.NONE.with(1, new VPortLid(1, 0x9, true)).with(2, new VPortLid(2, 0x9, false));
        LidAssigner.KnownLids memory = new LidAssigner.KnownLids(Map.of(), true, Set.of(), vports);
        Subnet subnet = LidAssigner.assign(fabric, memory, 0, false, 0).subnet().orElseThrow();
        assertThat(subnet.portOfLid(1)).isEqualTo(Fabric.NONE);
        assertThat(subnet.portOfLid(2)).isEqualTo(Fabric.NONE);
        assertThat(subnet.topLid()).isEqualTo(5);
    }
}
