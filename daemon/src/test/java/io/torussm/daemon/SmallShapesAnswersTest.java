package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.sm.SubnetManager;
import io.torussm.event.EventField;
import io.torussm.event.Finding.Severity;
import io.torussm.event.SmEvent;
import io.torussm.testing.LoggedEvents;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Every console command and every HTTP page of a whole daemon on the smallest fabrics: no switch, one switch, no hosts.
 */
@Timeout(120)
@Tag("slow")
class SmallShapesAnswersTest {
    /** Commands that end the session, never end, need a shadow, or change the log level of all tests. */
    private static final Set<String> LEFT_OUT = Set.of("capture", "loglevel", "quit", "shadow", "watch");

    /** Commands whose answer has no lines on a fabric without a tree. */
    private static final Set<String> MAY_BE_EMPTY = Set.of("export labels");

    /** LIDs 1 and 2 are end ports of each shape. */
    private static final List<String> COMMANDS = List.of(
            "absent",
            "bounce 1 1",
            "bounce 2 1",
            "certificate first",
            "changes",
            "changes committed",
            "check",
            "clear-counters",
            "conditions",
            "congestion",
            "congestion read",
            "counters",
            "counters 2",
            "counters 2 1",
            "diff 1",
            "drain 2",
            "drain 2 1",
            "drained",
            "drift",
            "drift 2",
            "drift all",
            "dump",
            "events -n 5",
            "export hosts",
            "export labels",
            "export slurm",
            "export slurm block",
            "export slurm tree",
            "handover",
            "health",
            "health html",
            "help",
            "history",
            "history flaps",
            "host 1",
            "host 2",
            "inventory",
            "inventory accept",
            "keys",
            "lids",
            "mcast",
            "mcast 0xc000",
            "names",
            "node 1",
            "node 2",
            "partition add Default 2 yes",
            "partitions",
            "partitions Default",
            "partitions preview",
            "path 1 1",
            "path 1 2",
            "path 2 1 both",
            "port 1",
            "port 2 1",
            "priority",
            "qos",
            "record first",
            "release",
            "reroute --wait",
            "routing",
            "routing preview",
            "sa",
            "show 1",
            "show 1 lft 2",
            "show 1 path 1 2",
            "sl-map first",
            "sms",
            "status",
            "sweep heavy --wait",
            "switch 2",
            "switches",
            "takeover",
            "torus",
            "torus --draw",
            "tree",
            "tree --draw",
            "undrain 2",
            "version",
            "vports",
            "vports 1",
            "vports all",
            "vports changes");

    private static final List<String> PAGES = List.of(
            "/",
            "/healthz",
            "/readyz",
            "/metrics",
            "/metrics/ports?shard=0&shards=1",
            "/api/status",
            "/api/torus",
            "/api/torus?at=1",
            "/api/congestion",
            "/api/path?src=1&dst=2&level=0",
            "/api/device?guid=GUID",
            "/api/what-if?guid=GUID&port=1",
            "/ufmRest/app/ufm_version",
            "/ufmRest/resources/systems",
            "/ufmRest/resources/ports",
            "/ufmRest/resources/links",
            "/ufmRest/resources/pkeys?guids_data=true");

    /** Values that no correct answer has. */
    private static final Pattern NONSENSE =
            Pattern.compile("\\bNaN\\b|Infinity|\\bnull\\b|internal error|(?<![-\\w])-1\\b");

    private static final ObjectMapper MAPPER = new ObjectMapper();

    @RegisterExtension
    final LoggedEvents log = new LoggedEvents();

    @TempDir
    Path dir;

    /** The last value is of topology.yaml(5), whose example of a flat topology has {@code flat} beside its name. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "pair; 2; 2; the fabric is without a switch; flat: true",
                "loop; 2; 1; the fabric is without a switch; flat: true",
                "tree:4,1; 5; 4; 1 level, 1 leaf; tree:",
                "torus:1x1,hosts=1; 2; 1; 1 level, 1 leaf; tree:",
                "tree:leaves=1,spines=2,hosts=1; 4; 1; 2 levels, 1 leaf, 2 spines; tree:",
                "torus:2x1,hosts=0; 2; 0; the fabric is irregular; torus3d:"
            })
    void answersEverything(String spec, int lids, int hosts, String tree, String placement) throws Exception {
        try (RunningDaemon daemon = new RunningDaemon(
                dir,
                Map.of(Settings.SIMULATE, spec, Settings.HTTP_LISTEN, "127.0.0.1:0", Settings.QOS, "true"),
                SubnetManager::open)) {
            daemon.awaitEvent(SmEvent.SUBNET_UP.code());
            assertThat(daemon.execute("routing")).anyMatch(line -> line.contains(" " + lids + " destination LIDs"));
            assertThat(daemon.execute("export hosts")).hasSize(hosts + 1);
            assertThat(daemon.execute("export slurm"))
                    .anyMatch(line -> line.strip().equals(placement));
            assertThat(daemon.execute("tree").get(0)).contains(tree);
            String arrives = daemon.execute("path 1 2").stream()
                    .filter(line -> line.startsWith("arrives at "))
                    .findFirst()
                    .orElseThrow();
            checkConsole(daemon);
            assertThat(daemon.execute("show 1 path 1 2")).contains(arrives);
            checkHttp("http://" + log.only(SmEvent.HTTP_LISTENING).get(EventField.ADDRESS));
            assertThat(daemon.execute("status")).noneMatch(line -> line.startsWith("failures: "));
        }
        assertThat(log.of(Severity.ERROR)).isEmpty();
    }

    @Test
    void twoHostsOnOneCableHaveACertificateWithoutQos() throws Exception {
        Map<Setting<?>, String> settings = Map.of(Settings.SIMULATE, "pair", Settings.DUMP_FILES_DIR, dir.toString());
        try (RunningDaemon daemon = new RunningDaemon(dir, settings, SubnetManager::open)) {
            daemon.awaitEvent(SmEvent.SUBNET_UP.code());
            assertThat(daemon.execute("certificate first"))
                    .first()
                    .asString()
                    .contains("their certificate, 0 channels");
        }
    }

    private static void checkConsole(RunningDaemon daemon) throws Exception {
        Set<String> asked =
                COMMANDS.stream().map(line -> line.split(" ", 2)[0]).collect(Collectors.toCollection(TreeSet::new));
        asked.addAll(LEFT_OUT);
        assertThat(daemon.execute("help"))
                .filteredOn(line -> line.matches(" {2}[a-z].*"))
                .isNotEmpty()
                .extracting(line -> line.strip().split(" ", 2)[0])
                .isSubsetOf(asked);
        for (String command : COMMANDS) {
            List<String> lines = new ArrayList<>();
            daemon.execute(command, lines);
            assertThat(lines).as(command).noneMatch(line -> NONSENSE.matcher(line)
                    .find());
            if (!MAY_BE_EMPTY.contains(command)) {
                assertThat(lines).as(command).isNotEmpty();
            }
            List<String> json = new ArrayList<>();
            daemon.execute(command + " --json", json);
            assertThat(json)
                    .as(command)
                    .isNotEmpty()
                    .noneMatch(line -> line.contains("internal error") || line.contains("NaN"));
            MAPPER.readTree(String.join("\n", json));
        }
    }

    private static void checkHttp(String server) throws Exception {
        JsonNode devices = MAPPER.readTree(get(server + "/api/v1/systems").body());
        String guid = devices.path("items").path(0).path("guid").asText();
        List<String> pages = new ArrayList<>(PAGES);
        MAPPER.readTree(get(server + "/api/v1/openapi.json").body())
                .path("paths")
                .properties()
                .forEach(path -> {
                    List<String> parameters = new ArrayList<>();
                    path.getValue().path("get").path("parameters").forEach(parameter -> {
                        if (parameter.path("required").asBoolean()) {
                            String name = parameter.path("name").asText();
                            parameters.add(name + "=" + (name.equals("guid") ? guid : name.equals("dst") ? "2" : "1"));
                        }
                    });
                    pages.add(path.getKey() + "?" + String.join("&", parameters));
                });
        assertThat(pages).hasSizeGreaterThan(PAGES.size() + 10);
        for (String page : pages) {
            HttpResponse<String> answer = get(server + page.replace("GUID", guid));
            assertThat(answer.statusCode()).as(page + ": " + answer.body()).isLessThan(500);
            assertThat(answer.statusCode() == 200 || page.matches(".*/(what-if|counter-history)\\?.*"))
                    .as(page + ": " + answer.body())
                    .isTrue();
            if (page.contains("api") && answer.statusCode() == 200) {
                MAPPER.readTree(answer.body());
            } else if (page.startsWith("/metrics")) {
                assertThat(answer.body().lines()).noneMatch(line -> line.endsWith(" NaN"));
            }
        }
    }

    private static HttpResponse<String> get(String address) throws Exception {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(address)).build(),
                        HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
    }
}
