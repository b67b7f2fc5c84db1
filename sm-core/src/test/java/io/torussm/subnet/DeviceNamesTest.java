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

/** The names of hosts in a state directory, over restarts. All hosts are at one switch. */
class DeviceNamesTest {
    @TempDir
    Path dir;

    private final VirtualLoop loop = new VirtualLoop();

    private DeviceNames open() throws IOException {
        return new DeviceNames(StateDirectory.open(dir, loop), DeviceNames.HOSTS);
    }

    private static Fabric fabric(String... hosts) {
        Sketch sketch = new Sketch();
        int sw = sketch.addSwitch("sw", hosts.length);
        for (int i = 0; i < hosts.length; i++) {
            sketch.addHost(sw, i + 1);
        }
        Fabric fabric = sketch.build();
        for (int i = 0; i < hosts.length; i++) {
            Fabric.Node host = fabric.node(i + 1);
            fabric = fabric.with(i + 1, new Fabric.Node(host.info(), hosts[i], host.switchInfo(), host.path()));
        }
        return fabric;
    }

    @Test
    void hostsKeepTheirNamesWhenTheyAreGone() throws IOException {
        Fabric both = fabric("one", "two\n0x1 0x1 three");
        open().remember(both);
        loop.runFor(0);
        DeviceNames names = open();
        names.remember(fabric("one"));
        loop.runFor(0);
        long gone = both.portGuid(both.port(both.nodeCount() - 1, 1));
        for (DeviceNames each : List.of(names, open())) {
            assertThat(each.name(gone))
                    .isEqualTo(new DeviceNames.Name(both.nodeGuid(both.nodeCount() - 1), "two 0x1 0x1 three"));
            assertThat(each.name(1)).isNull();
        }
    }

    @Test
    void anotherSmReportsHostsThatThisOneHasNotSeen() throws Exception {
        Path other = Files.createDirectory(dir.resolve("other"));
        Fabric theirs = fabric("one as it was", "two");
        new DeviceNames(StateDirectory.open(other, loop), DeviceNames.HOSTS).remember(theirs);
        loop.runFor(0);
        StateDirectory directory = StateDirectory.open(dir, loop);
        DeviceNames names = new DeviceNames(directory, DeviceNames.HOSTS);
        Fabric ours = fabric("one");
        names.remember(ours);
        directory.examine("names", Files.readAllBytes(other.resolve("names"))).complete();
        loop.runFor(0);
        for (DeviceNames each : List.of(names, open())) {
            assertThat(each.name(theirs.portGuid(theirs.port(1, 1))))
                    .extracting(DeviceNames.Name::description)
                    .isEqualTo("one");
            assertThat(each.name(theirs.portGuid(theirs.port(2, 1))))
                    .extracting(DeviceNames.Name::description)
                    .isEqualTo("two");
        }
    }

    @Test
    void aSilentHostKeepsItsName() throws IOException {
        DeviceNames names = open();
        Fabric fabric = fabric("one");
        names.remember(fabric);
        names.remember(fabric(""));
        assertThat(names.name(fabric.portGuid(fabric.port(fabric.nodeCount() - 1, 1))))
                .isEqualTo(new DeviceNames.Name(fabric.nodeGuid(fabric.nodeCount() - 1), "one"));
    }

    @Test
    void discardsAFileWithImpossibleValues() throws IOException {
        StateDirectory state = StateDirectory.open(dir, loop);
        for (String line :
                List.of("0x1", "0x1 0x2", "0x1 0x2  ", "0x1 two b", "0x2 0x1 again", "0x1 0x2 " + "a".repeat(65))) {
            state.write(DeviceNames.HOSTS, () -> List.of("0x2 0x1 b", line).stream());
            loop.runFor(0);
            assertThat(open().name(2)).as(line).isNull();
            assertThat(dir.resolve("names.bad")).exists();
            Files.delete(dir.resolve("names.bad"));
        }
    }

    @Test
    void switchesAreKnownWithoutNamesToo() throws IOException {
        StateDirectory state = StateDirectory.open(dir, loop);
        Fabric fabric = fabric("one");
        long guid = fabric.portGuid(fabric.port(0, 0));
        for (String name : List.of("", "sw")) {
            Fabric.Node sw = fabric.node(0);
            new DeviceNames(state, DeviceNames.SWITCHES)
                    .remember(fabric.with(0, new Fabric.Node(sw.info(), name, sw.switchInfo(), sw.path())));
            loop.runFor(0);
            DeviceNames known = new DeviceNames(state, DeviceNames.SWITCHES);
            assertThat(known.name(guid)).isEqualTo(new DeviceNames.Name(fabric.nodeGuid(0), name));
            assertThat(known.name(fabric.portGuid(fabric.port(1, 1)))).isNull();
        }
    }
}
