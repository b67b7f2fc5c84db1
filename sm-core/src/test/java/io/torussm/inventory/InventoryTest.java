package io.torussm.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.fabric.NodePort;
import io.torussm.inventory.ExpectedFabric.Cable;
import io.torussm.inventory.ExpectedFabric.Device;
import io.torussm.inventory.ExpectedFabric.DeviceType;
import io.torussm.inventory.ExpectedFabric.Model;
import io.torussm.sim.VirtualLoop;
import io.torussm.state.StateDirectory;
import io.torussm.subnet.Drains;
import io.torussm.subnet.Drains.Drain;
import io.torussm.testing.Seeds;
import io.torussm.testing.Sketch;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The accepted fabric in a state directory, over restarts, and differences from it. */
class InventoryTest {
    @TempDir
    Path dir;

    private final VirtualLoop loop = new VirtualLoop();
    private List<Drain> drains = List.of();

    private Inventory open() throws IOException {
        return new Inventory(StateDirectory.open(dir, loop), () -> drains);
    }

    private static Fabric fabric(int portOfA) {
        Sketch sketch = new Sketch();
        sketch.addSwitch("a", 3);
        sketch.addSwitch("b", 3);
        sketch.addHost(1, 3);
        sketch.link(0, portOfA, 1, 1);
        return sketch.build();
    }

    /** Returns switches of 8 ports in a ring, ports 1 and 2, with a second cable each in ports 3 and 4. */
    private static ExpectedFabric ring(int switches) {
        List<Device> devices = new ArrayList<>();
        List<Cable> cables = new ArrayList<>();
        for (int sw = 0; sw < switches; sw++) {
            devices.add(new Device(sw + 1, DeviceType.SWITCH, 8, new Model(0x2c9, 0xcb20, 0xa0), "sw " + sw));
            int next = (sw + 1) % switches + 1;
            cables.add(new Cable(new NodePort(sw + 1, 1), new NodePort(next, 2), 4, "25"));
            cables.add(new Cable(new NodePort(sw + 1, 3), new NodePort(next, 4), 4, "25"));
        }
        return new ExpectedFabric(devices, cables);
    }

    @Test
    void anAcceptedFabricOutlivesTheProcess() throws IOException {
        Inventory inventory = open();
        assertThat(inventory.expected().isEmpty()).isTrue();
        assertThat(inventory.differencesOf(fabric(2))).isEmpty();
        inventory.accept(
                ExpectedFabric.of(fabric(2)), isWritten -> assertThat(isWritten).isTrue());
        loop.runFor(0);
        Inventory again = open();
        assertThat(again.expected()).isEqualTo(ExpectedFabric.of(fabric(2)));
        assertThat(again.differencesOf(fabric(2))).isEmpty();
        assertThat(again.differencesOf(fabric(3)))
                .extracting(Difference::kind)
                .containsExactly(Difference.DifferenceType.MOVED_CABLE);
    }

    @Test
    void aFileIsReadWithoutItsFirstAndLastLineAndInAnyOrderOfCables() throws IOException {
        Inventory inventory = open();
        inventory.accept(ring(5), isWritten -> {});
        loop.runFor(0);
        List<String> lines = new ArrayList<>(Files.readAllLines(dir.resolve("expected")));
        assertThat(lines.get(2)).isEqualTo("switch 0x0000000000000001 8 ports 0x0002c9 0xcb20 0x000000a0 sw 0");
        assertThat(lines).contains("cable 0x0000000000000001/1 0x0000000000000002/2 4x 25");
        lines.removeIf(line -> line.isEmpty() || line.startsWith("#"));
        Collections.reverse(lines.subList(5, lines.size()));
        Files.write(dir.resolve("expected"), lines);
        assertThat(open().expected()).isEqualTo(ring(5));
    }

    @Test
    void aDrainedDeviceIsNotMissing() throws IOException {
        Inventory inventory = open();
        inventory.accept(ExpectedFabric.of(fabric(2)), isWritten -> {});
        Sketch sketch = new Sketch();
        sketch.addSwitch("a", 3);
        Fabric alone = sketch.build();
        assertThat(inventory.differencesOf(alone))
                .hasSize(2)
                .allMatch(each -> each.kind() == Difference.DifferenceType.MISSING_NODE);
        drains = List.of(new Drain(0x20_0001, Drains.WHOLE_SWITCH, "b", Instant.EPOCH));
        assertThat(inventory.differencesOf(alone)).isEmpty();
        assertThat(inventory.drained(alone))
                .extracting(Difference::kind)
                .containsExactly(Difference.DifferenceType.DRAINED, Difference.DifferenceType.DRAINED);
        inventory.reportDifferences(alone);
        drains = List.of();
        assertThat(inventory.differencesOf(alone)).hasSize(2);
    }

    /** A cable is drained at either end; its neighbour is still missing. */
    @Test
    void aCableThatIsDrainedIsNotMissing() {
        ExpectedFabric found =
                new ExpectedFabric(ring(4).devices(), ring(4).cables().subList(2, 8));
        List<Drain> drained = List.of(new Drain(2, 2, "b port 2", Instant.EPOCH, Drains.Cause.ISOLATION));
        assertThat(Comparison.of(ring(4), found))
                .extracting(Difference::kind)
                .containsExactly(Difference.DifferenceType.MISSING_CABLE, Difference.DifferenceType.MISSING_CABLE);
        assertThat(Comparison.of(ring(4), found, drained))
                .extracting(Difference::kind)
                .containsExactly(Difference.DifferenceType.MISSING_CABLE, Difference.DifferenceType.DRAINED);
    }

    @Test
    void aStandbyTakesTheAcceptanceOfTheMaster() throws Exception {
        StateDirectory state = StateDirectory.open(dir, loop);
        Inventory standby = new Inventory(state, List::of);
        byte[] content = Files.readAllBytes(acceptAndReturnFile(ring(3)));
        state.examine("expected", content).replace();
        assertThat(standby.expected()).isEqualTo(ring(3));
        loop.runFor(0);
        assertThat(open().expected()).isEqualTo(ring(3));
    }

    @Test
    void aMasterTakesTheAcceptanceOfAnotherOneWhileItWasDown() throws Exception {
        StateDirectory state = StateDirectory.open(dir, loop);
        Inventory master = new Inventory(state, List::of);
        byte[] content = Files.readAllBytes(acceptAndReturnFile(ring(3)));
        state.examine("expected", content).complete();
        assertThat(master.expected()).isEqualTo(ring(3));
        loop.runFor(0);
        assertThat(open().expected()).isEqualTo(ring(3));
        master.accept(ring(4), isWritten -> {});
        state.examine("expected", content).complete();
        loop.runFor(0);
        assertThat(open().expected()).as("accepted here since").isEqualTo(ring(4));
        state.examine("expected", content).replace();
        state.examine("expected", content).complete();
        assertThat(master.expected()).isEqualTo(ring(3));
    }

    private Path acceptAndReturnFile(ExpectedFabric fabric) throws IOException {
        Path other = Files.createDirectory(dir.resolve("master"));
        new Inventory(StateDirectory.open(other, loop), List::of).accept(fabric, isWritten -> {});
        loop.runFor(0);
        return other.resolve("expected");
    }

    @Test
    void aFileByHandNeedNotTypeADevice() {
        ExpectedFabric found = ring(3);
        List<Device> vague = found.devices().stream()
                .map(device -> new Device(device.guid(), device.kind(), device.ports(), new Model(0, 0, 0), ""))
                .toList();
        assertThat(Comparison.of(new ExpectedFabric(vague, found.cables()), found))
                .isEmpty();
        assertThat(Comparison.of(found, new ExpectedFabric(vague, found.cables())))
                .hasSize(3);
    }

    @Test
    void aBrokenFileStaysAsItIs() throws IOException {
        String broken = "switch 0x0000000000000001 8 ports 0x0002c9 0xcb20 0x000000a0 a\ncable here\n";
        Files.writeString(dir.resolve("expected"), broken);
        assertThat(open().expected().isEmpty()).isTrue();
        assertThat(dir.resolve("expected")).hasContent(broken);
        assertThat(dir.resolve("expected.bad")).doesNotExist();
    }

    @Test
    void linesThatContradictAreRefused() {
        ExpectedFile.ExpectedLines lines = new ExpectedFile.ExpectedLines();
        String device = "switch 0x0000000000000001 8 ports 0x0002c9 0xcb20 0x000000a0";
        String end = "cable 0x0000000000000001/";
        assertThat(lines.parseLine(device)).isEmpty();
        assertThat(lines.parseLine(device)).isEqualTo("the device is there twice");
        assertThat(lines.parseLine(device.replace("01 8", "02 256"))).startsWith("a device has at most");
        assertThat(lines.parseLine(end + "1 0x0000000000000003/1 4x 25"))
                .startsWith("no line before it has the device");
        assertThat(lines.parseLine(end + "9 0x0000000000000001/1 4x 25")).isEqualTo("the device has no port 9");
        assertThat(lines.parseLine(end + "1 0x0000000000000001/1 4x 25")).endsWith("has two cables");
        assertThat(lines.parseLine(end + "2 0x0000000000000001/3 4x 2..5")).isEqualTo("no speed is 2..5");
    }

    @Test
    void aFileWithAnyContentsIsReadOrRejected() throws IOException {
        List<String> text = ExpectedFile.lines(ring(4)).toList();
        byte[] whole = (String.join("\n", text) + "\n").getBytes(StandardCharsets.US_ASCII);
        Random random = Seeds.random(7);
        for (int turn = 0; turn < 500; turn++) {
            byte[] bytes = whole.clone();
            for (int change = random.nextInt(3); change >= 0; change--) {
                bytes[random.nextInt(bytes.length)] = (byte) (random.nextInt(4) == 0 ? '\n' : 32 + random.nextInt(95));
            }
            Files.write(dir.resolve("expected"), bytes);
            ExpectedFabric read = open().expected();
            ExpectedFile.ExpectedLines again = new ExpectedFile.ExpectedLines();
            assertThat(ExpectedFile.lines(read).map(again::parseLine)).allMatch(String::isEmpty);
            assertThat(again.value()).isEqualTo(read);
            assertThat(Comparison.of(read, read)).isEmpty();
        }
    }

    @Test
    void aNodeDescriptionCannotBreakALine() {
        Device device = new Device(1, DeviceType.CA, 255, new Model(0, 0, -1), " a\ncable \u00e4" + "x".repeat(100));
        ExpectedFile.ExpectedLines lines = new ExpectedFile.ExpectedLines();
        ExpectedFile.lines(new ExpectedFabric(List.of(device), List.of()))
                .forEach(line -> assertThat(lines.parseLine(line)).isEmpty());
        assertThat(lines.value().devices()).containsExactly(device);
    }
}
