package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.sm.SubnetManager;
import io.torussm.event.SmEvent;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.TopologyText;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The inventory of a daemon that is ended and started again on an embedded torus of 4x3 switches, which has lost a
 * cable.
 */
@Timeout(120)
class InventoryOnFabricTest {
    private static final TorusSpec TORUS = TorusSpec.parse("torus:4x3x1,hosts=1");

    @TempDir
    Path dir;

    @Test
    void theAcceptedFabricIsComparedAfterARestart() throws Exception {
        try (RunningDaemon daemon = start(topology())) {
            assertThat(daemon.execute("inventory")).contains("nothing is expected yet");
            assertThat(daemon.execute("inventory accept")).last().asString().startsWith("nothing was done");
            assertThat(daemon.execute("inventory")).contains("nothing is expected yet");
            assertThat(daemon.execute("inventory accept yes"))
                    .containsExactly("24 devices and 36 cables are expected from now on");
            assertThat(daemon.execute("inventory")).containsExactly("expected: 24 devices, 36 cables; differences: 0");
        }
        try (RunningDaemon daemon = start(cut())) {
            daemon.awaitEvent(SmEvent.INVENTORY_DIFFERS.code());
            JsonNode answer = new ObjectMapper().readTree(String.join("\n", daemon.execute("inventory --json")));
            assertThat(answer.path("count").asInt()).isEqualTo(1);
            assertThat(answer.path("differences").get(0).path("kind").asText()).isEqualTo("missing_cable");
            assertThat(daemon.execute("conditions")).anyMatch(line -> line.contains(SmEvent.INVENTORY_DIFFERS.code()));
            assertThat(daemon.execute("inventory accept")).anyMatch(line -> line.startsWith("missing_cable: "));
            daemon.execute("inventory accept yes");
            daemon.awaitEvent(SmEvent.INVENTORY_AGREES.code());
            assertThat(daemon.execute("conditions")).noneMatch(line -> line.contains(SmEvent.INVENTORY_DIFFERS.code()));
            assertThat(daemon.execute("inventory forget yes")).containsExactly("nothing is expected from now on");
            assertThat(daemon.execute("inventory")).contains("nothing is expected yet");
        }
    }

    private RunningDaemon start(String topology) throws Exception {
        Map<Setting<?>, String> settings = new TreeMap<>();
        settings.put(
                Settings.SIMULATE,
                Files.writeString(dir.resolve("now.topo"), topology).toString());
        settings.put(Settings.TORUS_CONFIG, ServiceHarness.torusConf(dir, TORUS));
        RunningDaemon daemon = new RunningDaemon(dir, settings, SubnetManager::open);
        daemon.awaitEvent(SmEvent.SUBNET_UP.code());
        return daemon;
    }

    private static String topology() throws IOException {
        StringWriter text = new StringWriter();
        TopologyText.write(TORUS.topology(), text);
        return text.toString();
    }

    /** Returns the topology without the cable between two switches, at both of its ends. */
    private static String cut() throws IOException {
        StringBuilder cut = new StringBuilder();
        for (String block : topology().split("\n\n", -1)) {
            String neighbour = block.contains("switchguid=0x200040")
                    ? "S-0000000000200070"
                    : block.contains("switchguid=0x200070") ? "S-0000000000200040" : "none";
            block.lines()
                    .filter(line -> !(line.startsWith("[") && line.contains(neighbour)))
                    .forEach(line -> cut.append(line).append('\n'));
            cut.append('\n');
        }
        return cut.toString();
    }
}
