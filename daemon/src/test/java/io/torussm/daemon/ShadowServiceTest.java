package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.shadow.ManagedFabric;
import io.torussm.daemon.shadow.service.ShadowService;
import io.torussm.event.SmEvent;
import io.torussm.snapshot.SnapshotFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The process of a shadow, with its console, beside another SM on an embedded torus of 4x3 switches. It changes
 * nothing.
 */
@Timeout(120)
class ShadowServiceTest {
    private static final String TORUS = "torus:4x3x1,hosts=1";

    @TempDir
    Path dir;

    @Test
    void reportsAndChangesNothing() throws Exception {
        try (RunningDaemon daemon = daemon()) {
            daemon.awaitEvent(SmEvent.SHADOW_NO_MASTER.code());
            assertThat(String.join("\n", daemon.execute("shadow")))
                    .contains(
                            "hosts: free of credit loops",
                            "unreachable: 0 of 132",
                            "a takeover would change in tables: nothing");
            assertThat(execute(daemon, "status")).contains("state: shadow: tables free of credit loops");
            JsonNode json = new ObjectMapper().readTree(execute(daemon, "shadow --json"));
            assertThat(json.at("/shadow/fabric/switches").asInt()).isEqualTo(12);
            assertThat(json.at("/shadow/takeover/changes")).isEmpty();
            assertThat(execute(daemon, "shadow html")).contains("<h1 class=\"good\">", "</html>");
            for (String change : List.of("sweep", "reroute", "priority 3", "handover", "keys new", "sweep off")) {
                assertThat(execute(daemon, change)).as(change).contains("only looks at a fabric that another SM rules");
            }
            assertThat(execute(daemon, "switches")).contains("only looks at a fabric that another SM rules");
            assertThat(execute(daemon, "loglevel info")).contains("info");
        }
        Path kept = dir.resolve("dumps").resolve("torus-sm-snapshot.gz");
        assertThat(SnapshotFile.read(kept).devices()).hasSize(24);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(kept)))
                .isEqualTo("rw-------");
        assertThat(dir.resolve("state")).as("its directory is left to an SM").doesNotExist();
    }

    private RunningDaemon daemon() throws Exception {
        ManagedFabric ruled = new ManagedFabric(dir, TORUS, Map.of());
        Map<Setting<?>, String> settings = new TreeMap<>(Map.of(
                Settings.SHADOW,
                "true",
                Settings.SHADOW_SMPS_PER_SECOND,
                "100000",
                Settings.SHADOW_PATHS,
                "0",
                Settings.HTTP_LISTEN,
                "none",
                Settings.SIMULATE,
                ruled.file(dir.resolve("fabric.gz")).toString(),
                Settings.TORUS_CONFIG,
                dir.resolve("torus-2QoS.conf").toString()));
        return new RunningDaemon(dir, settings, ShadowService::open);
    }

    private static String execute(RunningDaemon daemon, String request) throws Exception {
        List<String> lines = new ArrayList<>();
        daemon.execute(request, lines);
        return String.join("\n", lines);
    }
}
