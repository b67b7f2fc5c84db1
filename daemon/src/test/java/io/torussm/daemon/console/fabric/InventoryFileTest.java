package io.torussm.daemon.console.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.torussm.daemon.console.ConsoleCase;
import io.torussm.inventory.ExpectedFabric;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.TopologyText;
import io.torussm.subnet.Drains;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * Fabrics that operators accept from files. The present fabric is that of {@link Views#twoSwitches}; the file has a
 * torus of nine switches and nine hosts, unless a test says otherwise.
 */
class InventoryFileTest extends ConsoleCase {
    @Test
    void aTopologyIsAcceptedOnceItIsConfirmed() throws IOException {
        String file = file(torus());
        assertThat(execute("inventory accept " + file))
                .contains("nothing was done; append yes, and 18 devices and 27 cables are expected");
        assertThat(control.inventory().expected().isEmpty()).isTrue();
        assertThat(execute("inventory accept " + file + " yes"))
                .containsExactly("18 devices and 27 cables are expected from now on", "ok");
        ExpectedFabric expected = control.inventory().expected();
        assertThat(expected.devices())
                .anyMatch(device ->
                        device.name().equals("sw-2-2-0") && device.kind() == ExpectedFabric.DeviceType.SWITCH);
        assertThat(expected.cables())
                .allMatch(cable -> cable.lanes() == 4 && !cable.speed().equals("?"));
        JsonNode report = json("inventory --json");
        assertThat(report.path("differences").findValuesAsText("kind")).contains("missing_node", "extra_node");
    }

    @Test
    void linesOfATopologyThatArePassedOverAreCounted() throws IOException {
        assertThat(execute("inventory accept " + file("Non-Chassis Nodes\n" + torus()) + " yes"))
                .first()
                .asString()
                .startsWith("18 devices and 27 cables are expected from now on; warning: ")
                .endsWith("/planned: passed over 1 line, first line 1: \"Non-Chassis Nodes\"");
    }

    @Test
    void linesLikeTheFileAreAccepted() throws IOException {
        String lines = """
                switch 0x0000000000000001 8 ports 0x000000 0x0000 0x00000000 a
                # made by hand
                switch 0x0000000000000002 8 ports 0x000000 0x0000 0x00000000 b
                cable 0x0000000000000001/1 0x0000000000000002/1 ? ?
                """;
        assertThat(execute("inventory accept " + file(lines) + " yes"))
                .containsExactly("2 devices and 1 cables are expected from now on", "ok");
    }

    @Test
    void errorsNameFileAndLine() throws IOException {
        assertThat(execute("inventory accept " + file(torus().replace("[1]", "[77]"))))
                .first()
                .asString()
                .matches(".*/planned:\\d+: .*ports 1 to .*");
        assertThat(execute("inventory accept "
                        + file("switch 0x0000000000000001 8 ports 0x000000 0x0000 0x00000000 a\nhub\n")))
                .first()
                .asString()
                .matches(".*/planned: line 2 \"hub\": neither a device nor a cable");
        assertThat(execute("inventory accept " + file(""))).last().isEqualTo("error");
        assertThat(execute("inventory accept " + dir.resolve("absent")))
                .first()
                .asString()
                .startsWith("cannot read ");
        assertThat(execute("inventory accept planned")).first().asString().contains("give the whole path");
        assertThat(execute("inventory accept /dev/zero")).last().isEqualTo("error");
        assertThat(execute("inventory accept a b c")).anyMatch(line -> line.startsWith("usage: "));
        assertThat(execute("inventory forget " + dir + " yes")).anyMatch(line -> line.startsWith("usage: "));
        assertThat(control.inventory().expected().isEmpty()).isTrue();
    }

    /** The daemon may read what those who use the console may not. */
    @Test
    void privateFilesAreNotRead() throws IOException {
        Path secret = Files.writeString(dir.resolve("planned"), "a secret\n");
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-r-----"));
        Path link = Files.createSymbolicLink(dir.resolve("link"), secret);
        for (Path each : List.of(secret, link)) {
            assertThat(execute("inventory accept " + each))
                    .first()
                    .asString()
                    .contains("chmod o+r")
                    .doesNotContain("a secret");
        }
    }

    @Test
    void drainedDevicesAreShownApart() throws IOException {
        control.inventory()
                .accept(
                        ExpectedFabric.of(
                                Objects.requireNonNull(control.view).subnet().fabric()),
                        isWritten -> {});
        assertThat(execute("inventory")).containsExactly("expected: 4 devices, 3 cables; differences: 0", "ok");
        String lines = "switch 0x0000000000000001 8 ports 0x000000 0x0000 0x00000000 a\n";
        execute("inventory accept " + file(lines) + " yes");
        assertThat(execute("inventory")).anyMatch(line -> line.startsWith("missing_node: switch 0x0000000000000001"));
        control.drains = List.of(new Drains.Drain(1, Drains.WHOLE_SWITCH, "a", Instant.EPOCH));
        assertThat(execute("inventory"))
                .noneMatch(line -> line.startsWith("missing_node"))
                .anyMatch(line -> line.startsWith("drained: switch 0x0000000000000001"));
        assertThat(json("inventory --json").path("drained")).hasSize(1);
    }

    private String file(String text) throws IOException {
        return Files.writeString(dir.resolve("planned"), text).toString();
    }

    private static String torus() throws IOException {
        StringBuilder text = new StringBuilder();
        TopologyText.write(TorusSpec.parse("torus:3x3x1,hosts=1").topology(), text);
        return text.toString();
    }
}
