package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.sm.SubnetManager;
import io.torussm.event.SmEvent;
import io.torussm.sim.shape.TorusSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The answers of a restarted daemon about the time before: a whole daemon on an embedded torus of 4x3 switches. */
@Timeout(120)
class HistoryOnFabricTest {
    private static final TorusSpec TORUS = TorusSpec.parse("torus:4x3x1,hosts=1");

    @TempDir
    Path dir;

    @Test
    void routesBeforeTheRestartCanBeShown() throws Exception {
        String at;
        List<String> path;
        try (RunningDaemon daemon = start(Map.of())) {
            at = committed(daemon, 1).get(1).split(" +", -1)[1];
            path = daemon.execute("show " + at + " path host-0-0-0-0 host-2-1-0-0");
            assertThat(path).anyMatch(line -> line.startsWith("arrives at"));
            List<String> now = daemon.execute("path host-0-0-0-0 host-2-1-0-0");
            assertThat(path.get(2)).isEqualTo(now.get(2));
        }
        try (Stream<Path> files = Files.list(dir.resolve("state"))) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .contains("changes-00000001.log", "events-00000001.log");
        }
        try (RunningDaemon daemon = start(Map.of())) {
            assertThat(committed(daemon, 2))
                    .filteredOn(line -> line.contains("first since a start"))
                    .hasSize(2);
            assertThat(daemon.execute("show " + at + " path host-0-0-0-0 host-2-1-0-0"))
                    .isEqualTo(path);
            assertThat(daemon.execute("diff " + at)).contains("nothing differs");
            List<String> events = daemon.execute("events 999");
            int started = events.indexOf("-- torus-sm was started --");
            assertThat(events.subList(0, started)).anyMatch(line -> line.contains(SmEvent.SUBNET_UP.code()));
            assertThat(events.subList(started, events.size()))
                    .anyMatch(line -> line.contains(SmEvent.SUBNET_UP.code()));
            JsonNode all = new ObjectMapper()
                    .readTree(String.join("\n", daemon.execute("events 999 --json")))
                    .path("events");
            assertThat(all.get(0).path("number").asInt()).isNegative();
            assertThat(daemon.execute("conditions")).isNotEmpty();
        }
    }

    @Test
    void aHistoryOfSizeZeroRecordsNoState() throws Exception {
        try (RunningDaemon daemon = start(Map.of(Settings.HISTORY_CHANGES, "0", Settings.EVENT_LOG_MIB, "0"))) {
            assertThat(daemon.execute("changes committed")).contains("nothing is kept");
        }
        try (Stream<Path> files = Files.list(dir.resolve("state"))) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .noneMatch(name -> name.startsWith("changes-") || name.startsWith("events-"));
        }
    }

    private RunningDaemon start(Map<Setting<?>, String> more) throws Exception {
        Map<Setting<?>, String> settings = new TreeMap<>(more);
        settings.put(Settings.SIMULATE, "torus:4x3x1,hosts=1");
        settings.put(Settings.TORUS_CONFIG, ServiceHarness.torusConf(dir, TORUS));
        RunningDaemon daemon = new RunningDaemon(dir, settings, SubnetManager::open);
        daemon.awaitEvent(SmEvent.SUBNET_UP.code());
        return daemon;
    }

    /** Returns the list when it has some changes: a thread makes them asynchronously. */
    private static List<String> committed(RunningDaemon daemon, int count) throws Exception {
        List<String> lines = List.of();
        while (lines.size() < count + 1) {
            lines = daemon.execute("changes committed");
        }
        assertThat(lines).hasSize(count + 1);
        return lines;
    }
}
